import type { Socket } from 'node:dgram';
import { isIPv4 } from 'node:net';
import { setting } from './config.ts';

/**
 * Sends segment documents to Lambda's X-Ray daemon in the format that AWS documents: datagrams of a header line and one
 * document, without confirmation. The first traced call of an instance loads `node:dgram`.
 */

const HEADER = '{"format":"json","version":1}\n';
/** An IP address and a port. A host name is not accepted, because resolving it would delay a request. */
const ADDRESS = /^([\d.]+):(\d{1,5})$/;

let isKnown = false;
let address: readonly [host: string, port: number] | undefined;
let connected: Socket | undefined;
let connecting: Promise<void> | undefined;

/** Whether there is a daemon: Lambda sets its address if tracing is on. */
export function hasDaemon(): boolean {
  if (!isKnown) {
    const [, host = '', port] = ADDRESS.exec(setting('AWS_XRAY_DAEMON_ADDRESS')) ?? [];
    address = isIPv4(host) && Number(port) < 65_536 ? [host, Number(port)] : undefined;
    isKnown = true;
  }
  return address !== undefined;
}

/** Connects to the daemon if necessary, without sending a packet. Never rejects. */
export function reachDaemon(): Promise<void> {
  connecting ??= openSocket().then(
    (socket) => {
      connected = socket;
    },
    () => undefined,
  );
  return connecting;
}

function openSocket(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const [host, port = 0] = address ?? [];
    const socket = process.getBuiltinModule('node:dgram').createSocket('udp4').unref();
    // Without a listener or network, traces are lost silently.
    socket.on('error', reject);
    socket.connect(port, host, () => resolve(socket));
  });
}

/** Passes a document to the operating system, synchronously if the socket is connected. Never rejects. */
export async function sendToDaemon(document: object): Promise<void> {
  if (!connected) await reachDaemon();
  connected?.send(HEADER + JSON.stringify(document), () => undefined);
}
