import * as v from 'valibot';
import { organisation } from '../../shared/accounts/organisation.ts';
import {
  creditPk,
  shardKey,
  shardPk,
  shardRefOf,
  type WalletId,
  walletName,
  walletsIndexKey,
} from '../../shared/core/keys.ts';
import { reconcileWallets } from '../../shared/ledger/reconcile/reconcile.ts';
import type { DailySource } from '../../shared/ledger/reconcile/reconcile-day.ts';
import type { ReconciliationRun, Seal, SealHead } from '../../shared/ledger/reconcile/seal.ts';
import type { SealTable } from '../../shared/ledger/reconcile/seal-table.ts';
import { walletShard } from '../../shared/ledger/rows/wallet.ts';

export interface ExportedTables {
  readonly apiKeys: readonly Item[];
  readonly wallets: readonly Item[];
  readonly logs: readonly Item[];
}

export type Item = Readonly<Record<string, unknown>>;

const PAGE = 3;

async function* pages(items: readonly Item[]): AsyncGenerator<readonly Item[]> {
  for (let first = 0; first < items.length; first += PAGE) yield items.slice(first, first + PAGE);
}

export class MemorySeals implements SealTable {
  readonly heads = new Map<string, SealHead>();
  readonly days = new Map<string, Seal>();
  run: ReconciliationRun | undefined;
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
    const [from, to] = [first, last].map((day) => `${walletName(wallet)} ${day}`);
    const keys = [...this.days.keys()].filter((key) => key >= String(from) && key <= String(to));
    for (const key of keys.sort()) {
      const row = this.days.get(key);
      this.reads += 1;
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

/** Returns a source that reads the tables that `read` returns, which may differ in each read. */
export function exportedSource(
  read: () => ExportedTables,
  nowMs: () => number,
  seals: SealTable = new MemorySeals(),
): DailySource {
  const find = (pk: string, sk: string) =>
    read().wallets.filter((item) => item['pk'] === pk && item['sk'] === sk);
  const segmentOf = ({ pk }: Item, segments: number) =>
    [...String(pk)].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 1_000_003, 7) %
    segments;
  return {
    seals,
    listOrganisations: async () =>
      read()
        .apiKeys.filter(({ sk }) => sk === 'ORG')
        .map((item) => v.parse(organisation, item)),
    async readShards(wallet, shardCount) {
      const items = Array.from({ length: shardCount }, (_, shard) => find(shardPk(wallet, shard), 'WALLET'));
      const shards = items.flat().map((item) => v.parse(walletShard, item));
      return { fromMs: nowMs(), toMs: nowMs(), shards };
    },
    async *linePages(wallet, shards, { from, to }) {
      const keys = new RegExp(`^${walletName(wallet)}#(\\d{4}-\\d\\d)#(\\d\\d)$`);
      const rows = read().wallets.filter(({ statementKey, statementSort }) => {
        const [, month = '', shard] = keys.exec(String(statementKey ?? '')) ?? [];
        const isMonth = month >= from.slice(0, 7) && month <= to.slice(0, 7);
        const sort = String(statementSort ?? '');
        return isMonth && Number(shard) < shards && sort >= from && sort <= to;
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
    creditItems: async (credits) =>
      credits.flatMap(({ wallet, reference }) => find(creditPk(wallet, reference), 'CREDIT')),
    chargeItems: async (wallet, ids) => ids.flatMap((id) => find(`${walletName(wallet)}#${id}`, 'CHARGE')),
    segmentPages: (table, segment, segments) =>
      pages(read()[table].filter((item) => segmentOf(item, segments) === segment)),
    shards: {
      listShards: async (env) =>
        read()
          .wallets.filter(({ walletsKey }) => walletsKey === walletsIndexKey(env))
          .map(({ pk }) => shardRefOf(String(pk))),
      getShards: async (places) =>
        places.flatMap(({ wallet, shard }) => {
          const { pk } = shardKey(wallet, shard);
          const item = read().wallets.find((one) => one['pk'] === pk && one['sk'] === 'WALLET');
          return item ? [{ wallet, row: v.parse(walletShard, item) }] : [];
        }),
    },
  };
}

/** Returns what the complete reconciliation of an export finds. `change` replaces parts of its source. */
export function reconcileExport(
  tables: ExportedTables,
  nowMs: number,
  change: (source: DailySource) => Partial<DailySource> = () => ({}),
  organisationId?: string,
) {
  const source = exportedSource(
    () => tables,
    () => nowMs,
  );
  const clock = { nowMs: () => nowMs, pause: async () => undefined, random: () => 0 };
  const settings = { logRetentionDays: 365, organisationId };
  return reconcileWallets({ ...source, ...change(source) }, settings, clock);
}
