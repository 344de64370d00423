import { connect as connectTo, type Socket } from 'node:net';
import type { ProviderKey } from '../../shared/core/keys.ts';
import { ALWAYS_CLOSED } from '../../shared/registries/breaker.ts';
import type { LookUpNews } from '../../shared/registries/health/recorder.ts';
import { providerRecorder } from '../../shared/registries/health/recorder.ts';
import { registryStateTable } from '../../shared/registries/health/registry-state-table.ts';
import type { RegistryProvider, RegistryQuery } from '../../shared/registries/port.ts';
import { sandboxProvider } from '../../shared/registries/providers/sandbox/sandbox.ts';
import { type RegistryRouter, type RoutedResult, registryRouter } from '../../shared/registries/router.ts';
import type { StateTables } from './state-tables.ts';

/** One instance of a function, as far as registries go: its router over the shared table. */
export interface Instance {
  readonly router: RegistryRouter;
  /** Every provider that this instance asked, in order. */
  readonly news: readonly LookUpNews[];
  /** A look-up as a request makes it: the states are read first. */
  lookUp(query?: Partial<RegistryQuery>): Promise<RoutedResult & { readonly elapsedMs: number }>;
  /** What the request would be told before anything is held. */
  availability(): Promise<ReturnType<RegistryRouter['availability']>>;
}

/** Asks these providers for NINs, in this order; `nowMs` is its clock. */
export function instanceOf(
  tables: StateTables,
  providers: readonly RegistryProvider[],
  nowMs: () => number = Date.now,
): Instance {
  const table = registryStateTable(tables.client, tables.tableName);
  const news: LookUpNews[] = [];
  const router = registryRouter({
    routing: { NIN: providers.map(({ name }) => name) },
    providerNamed(name) {
      const provider = providers.find((one) => one.name === name);
      if (!provider) throw new Error(`${name} is not part of this story.`);
      return provider;
    },
    notes: providerRecorder(table, (one) => news.push(one)),
    nowMs,
  });
  async function states() {
    const places: ProviderKey[] = router.providerKeys('live', ['NIN']);
    const read = await table.getStates(places);
    return new Map(places.map(({ provider }, index) => [provider, read[index] ?? ALWAYS_CLOSED]));
  }
  return {
    router,
    news,
    async lookUp(changes = {}) {
      const startedMs = Date.now();
      const standard = { idType: 'NIN', level: 'basic', number: '12345670001' } as const;
      const query = { ...standard, deadlineMs: nowMs() + 20_000, ...changes };
      const answer = await router.lookUp('live', query, await states());
      return { ...answer, elapsedMs: Date.now() - startedMs };
    },
    async availability() {
      return router.availability('live', { idType: 'NIN', level: 'basic' }, await states());
    },
  };
}

/** The sandbox under another name: a provider that knows every number, asked over HTTP at `url`. */
export function providerAt(url: string, name: string, secret: string): RegistryProvider {
  return { ...sandboxProvider({ url, secret: async () => secret }), name, displayName: name };
}

/** A manner of the hostile server: it is well again, and hands on to the server at `url`. */
export function wellAgain(url: string): (socket: Socket) => void {
  const { port } = new URL(url);
  return (socket) => {
    const behind = connectTo(Number(port), '127.0.0.1');
    socket.pipe(behind).pipe(socket);
    for (const [one, other] of [
      [socket, behind],
      [behind, socket],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
  };
}
