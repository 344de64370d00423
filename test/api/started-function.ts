import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { pathToFileURL } from 'node:url';
import type { LambdaHandler } from '../../shared/http/chain.ts';
import { invoke } from '../rigs/bench/stage/verify.ts';

/**
 * A process that loads a function as Lambda does, and then serves the events that it receives. Argument: the file to
 * load. Sends `started`, and then a `Served` for each event.
 */

export interface Served {
  readonly statusCode: number;
  /** The ports to which the process has connected since the previous event, or since the start. */
  readonly openedPorts: readonly number[];
}

const ports: number[] = [];
subscribe('net.client.socket', (message) => {
  const { socket } = message as { socket: Socket };
  socket.once('connect', () => ports.push(socket.remotePort ?? 0));
});

const [, , file = ''] = process.argv;
const { handler } = (await import(pathToFileURL(file).href)) as { handler: LambdaHandler };
ports.length = 0;
process.on('message', async (event: Parameters<LambdaHandler>[0]) => {
  const { statusCode } = await invoke(handler, event);
  process.send?.({ statusCode, openedPorts: ports.splice(0) } satisfies Served);
});
process.send?.('started');
