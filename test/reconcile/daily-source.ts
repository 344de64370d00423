import { type WalletId, walletName } from '../../shared/core/keys.ts';
import type { DailySource } from '../../shared/ledger/reconcile/reconcile-day.ts';
import type { ReconciliationRun, Seal, SealHead } from '../../shared/ledger/reconcile/seal.ts';
import type { SealTable } from '../../shared/ledger/reconcile/seal-table.ts';
import { type ExportedTables, exportedSource, type Item, pages } from './exported-tables.ts';

/** The tables of an export as the daily reconciliation reads them, and what it stores. */

/** Seals in memory, with the conditions of the table. */
export class MemorySeals implements SealTable {
  readonly heads = new Map<string, SealHead>();
  readonly days = new Map<string, Seal>();
  run: ReconciliationRun | undefined;
  /** The number of seals and heads that were read. */
  reads = 0;

  async getHeads(wallets: readonly WalletId[]) {
    this.reads += wallets.length;
    return wallets.map((wallet) => this.heads.get(walletName(wallet)));
  }

  async putSeal(wallet: WalletId, row: Seal, head: SealHead) {
    const key = `${walletName(wallet)} ${row.day}`;
    if (this.days.has(key) || !this.#isNext(wallet, head)) return false;
    this.days.set(key, row);
    this.heads.set(walletName(wallet), head);
    return true;
  }

  async putHead(wallet: WalletId, head: SealHead) {
    if (!this.#isNext(wallet, head)) return false;
    this.heads.set(walletName(wallet), head);
    return true;
  }

  async getSeal(wallet: WalletId, day: string) {
    this.reads += 1;
    return this.days.get(`${walletName(wallet)} ${day}`);
  }

  async *seals(wallet: WalletId, first: string, last: string) {
    const date = new Date(`${first}T00:00:00.000Z`);
    for (; date.toISOString().slice(0, 10) <= last; date.setUTCDate(date.getUTCDate() + 1)) {
      const row = this.days.get(`${walletName(wallet)} ${date.toISOString().slice(0, 10)}`);
      if (row) this.reads += 1;
      if (row) yield row;
    }
  }

  async getRun() {
    return this.run;
  }

  async putRun(row: ReconciliationRun) {
    if ((this.run?.version ?? 0) !== row.version - 1) return false;
    this.run = row;
    return true;
  }

  #isNext(wallet: WalletId, { version }: SealHead): boolean {
    return (this.heads.get(walletName(wallet))?.version ?? 0) === version - 1;
  }
}

const sortedBy = (name: string, items: readonly Item[]) =>
  [...items].sort((a, b) => (String(a[name]) < String(b[name]) ? -1 : 1));

/**
 * Returns a source that reads the tables that `read` returns, which may differ in each run. `createdAt` is when the
 * organisations were created.
 */
export function dailySource(
  read: () => ExportedTables,
  seals: SealTable,
  nowMs: () => number,
  createdAt: string,
): DailySource {
  const now = () => exportedSource(read(), nowMs());
  const segmentOf = ({ pk }: Item, segments: number) =>
    [...String(pk)].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 1_000_003, 7) %
    segments;
  return {
    seals,
    readShards: (wallet, shards) => now().readShards(wallet, shards),
    findCharges: (wallet, ids) => now().findCharges(wallet, ids),
    listOrganisations: async () =>
      (await now().listOrganisations()).map((organisation) => ({ ...organisation, createdAt })),
    async *linePages(wallet, shards, { from, to }) {
      const keys = new RegExp(`^${walletName(wallet)}#\\d{4}-\\d\\d#(\\d\\d)$`);
      const rows = read().wallets.filter(({ statementKey, statementSort }) => {
        const [, shard] = keys.exec(String(statementKey ?? '')) ?? [];
        const sort = String(statementSort ?? '');
        return shard !== undefined && Number(shard) < shards && sort >= from && sort <= to;
      });
      yield* pages(sortedBy('statementSort', rows));
    },
    async *logPagesOfDay(wallet, day) {
      const rows = read().logs.filter(({ timeKey }) =>
        String(timeKey).startsWith(`${walletName(wallet)}#${day}#`),
      );
      // The index does not have this attribute.
      const listed = sortedBy('timeSort', rows).map(({ requestKey: _, ...row }) => row);
      yield* pages(listed);
    },
    logItems: async (wallet, requestId) =>
      read().logs.filter(({ requestKey }) => requestKey === `${walletName(wallet)}#${requestId}`),
    chargeItems: async (wallet, ids) =>
      ids.flatMap((id) =>
        read().wallets.filter(({ pk, sk }) => pk === `${walletName(wallet)}#${id}` && sk === 'CHARGE'),
      ),
    segmentPages: (table, segment, segments) =>
      pages(read()[table].filter((item) => segmentOf(item, segments) === segment)),
    shards: {
      listShards: async () => [],
      getShards: async () => [],
    },
  };
}
