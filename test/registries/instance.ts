import { connect, type Socket } from 'node:net';
import { batchGetWithSpare } from '../../shared/core/database.ts';
import { providerHistoryTable } from '../../shared/registries/health/provider-history-table.ts';
import { providerRecorder } from '../../shared/registries/health/recorder.ts';
import { registryStateTable } from '../../shared/registries/health/registry-state-table.ts';
import type { RegistryStates } from '../../shared/registries/health/state-copies.ts';
import type { RegistryProvider, RegistryQuery } from '../../shared/registries/port.ts';
import { sandboxProvider } from '../../shared/registries/providers/sandbox/sandbox.ts';
import { type Availability, type RoutedResult, registryRouter } from '../../shared/registries/router.ts';
import { unsigned } from '../support/sandbox-server.ts';
import type { StateTable } from './local-state-table.ts';

/** The registry part of one function instance: a router over the shared table. */
export interface Instance {
  /** Looks up a NIN as a request does: reads the states first, unless it has just read them. */
  lookUp(query?: Partial<RegistryQuery>): Promise<RoutedResult & { readonly elapsedMs: number }>;
  /** Reads the states, and returns what a request checks before it reserves credits. */
  availability(): Promise<Availability>;
}

/** Returns an instance that asks these providers for NINs, in this order. `nowMs` is its clock. */
export function instanceOf(
  stateTable: Pick<StateTable, 'client' | 'tableName'>,
  providers: readonly RegistryProvider[],
  nowMs: () => number = Date.now,
): Instance {
  const table = registryStateTable(stateTable.client, stateTable.tableName);
  const router = registryRouter({
    routing: { NIN: providers.map(({ name }) => name), NUBAN: providers.map(({ name }) => name) },
    makeProvider(name) {
      const provider = providers.find((one) => one.name === name);
      if (!provider) throw new Error(`The test has no provider ${name}.`);
      return provider;
    },
    recorder: providerRecorder(table, providerHistoryTable(stateTable.client, stateTable.tableName), nowMs),
    nowMs,
  });
  /** Makes the same read as the check of the API key. */
  async function readStates(): Promise<RegistryStates> {
    const { required, spare, complete } = router.beginRead('live', ['NIN', 'NUBAN']);
    const keys = { required, spare };
    const { rows, leftOut } = await batchGetWithSpare(stateTable.client, stateTable.tableName, keys);
    return complete(rows, leftOut);
  }
  return {
    async lookUp(changes = {}) {
      const startedMs = Date.now();
      const query: RegistryQuery = {
        idType: 'NIN',
        level: 'basic',
        number: '12345670001',
        deadlineMs: nowMs() + 20_000,
        ...changes,
      };
      const routed = await router.lookUp('live', query, await readStates(), () => undefined);
      return { ...routed, elapsedMs: Date.now() - startedMs };
    },
    async availability() {
      return router.availability(
        'live',
        { idType: 'NIN', level: 'basic', number: '12345678901' },
        await readStates(),
      );
    },
  };
}

/** Returns the sandbox under another name: a provider that finds every number, called over HTTP at `url`. */
export function providerAt(url: string, name: string, secret: string): RegistryProvider {
  return { ...sandboxProvider({ url, secret: async () => secret, sign: unsigned }), name, displayName: name };
}

/** Returns a behaviour of the hostile server after its recovery: it forwards each connection to the server at `url`. */
export function recovered(url: string): (socket: Socket) => void {
  const { port } = new URL(url);
  return (socket) => {
    const upstream = connect(Number(port), '127.0.0.1');
    socket.pipe(upstream).pipe(socket);
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
  };
}
