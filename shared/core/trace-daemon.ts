import type { Socket } from 'node:dgram';
import { isIPv4 } from 'node:net';
import { setting } from './config.ts';

/**
 * Lambda's X-Ray daemon, as AWS documents it: datagrams of a header line and one segment document. Nothing is known
 * of their fate, and nothing waits for it. `node:dgram` is loaded by the first traced call of an instance alone.
 */
const HEADER = '{"format":"json","version":1}\n';
/** An address, since a name would have to be looked up while a customer waits. */
const ADDRESS = /^([\d.]+):(\d{1,5})$/;

let isKnown = false;
let address: readonly [host: string, port: number] | undefined;
let connected: Socket | undefined;
let connecting: Promise<void> | undefined;

/** Is there a daemon? Lambda names one where tracing is switched on. */
export function hasDaemon(): boolean {
  if (!isKnown) {
    const [, host = '', port] = ADDRESS.exec(setting('AWS_XRAY_DAEMON_ADDRESS')) ?? [];
    address = isIPv4(host) && Number(port) < 65_536 ? [host, Number(port)] : undefined;
    isKnown = true;
  }
  return address !== undefined;
}

/** Connects to the daemon if need be: a few turns of the event loop, and no packet. Never rejects. */
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
    // Nobody listens, or the network is gone: traces are not worth a word in the log.
    socket.on('error', reject);
    socket.connect(port, host, () => resolve(socket));
  });
}

/** Hands a document to the system; once this instance is connected, before it returns. Never rejects. */
export async function sendToDaemon(document: object): Promise<void> {
  if (!connected) await reachDaemon();
  connected?.send(HEADER + JSON.stringify(document), () => undefined);
}
