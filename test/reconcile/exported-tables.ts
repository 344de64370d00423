import * as v from 'valibot';
import { organisation } from '../../shared/accounts/organisation.ts';
import { shardPk } from '../../shared/core/keys.ts';
import type { ReconciliationSource } from '../../shared/ledger/reconcile/reconcile.ts';
import { charge } from '../../shared/ledger/rows/charge.ts';
import { walletShard } from '../../shared/ledger/rows/wallet.ts';

/** The items of the three tables in an export. */
export interface ExportedTables {
  readonly apiKeys: readonly Item[];
  readonly wallets: readonly Item[];
  readonly logs: readonly Item[];
}

export type Item = Readonly<Record<string, unknown>>;

const PAGE = 3;

/** Yields items in small pages, as DynamoDB does. */
export async function* pages(items: readonly Item[]): AsyncGenerator<readonly Item[]> {
  for (let first = 0; first < items.length; first += PAGE) yield items.slice(first, first + PAGE);
}

/** Returns a source for the reconciliation that reads exported items. `readAtMs` is the time of the export. */
export function exportedSource(tables: ExportedTables, readAtMs: number): ReconciliationSource {
  const find = (pk: string, sk: string) =>
    tables.wallets.find((item) => item['pk'] === pk && item['sk'] === sk);
  return {
    listOrganisations: async () =>
      tables.apiKeys.filter(({ sk }) => sk === 'ORG').map((item) => v.parse(organisation, item)),
    async readShards(wallet, shardCount) {
      const items = Array.from({ length: shardCount }, (_, shard) => find(shardPk(wallet, shard), 'WALLET'));
      const shards = items.flatMap((item) => (item ? [v.parse(walletShard, item)] : []));
      return { fromMs: readAtMs, toMs: readAtMs, shards };
    },
    walletsPages: () => pages(tables.wallets),
    logPages: () => pages(tables.logs),
    async findCharges({ env, organisationId }, operationIds) {
      const items = operationIds.map((id) => find(`${env}#${organisationId}#${id}`, 'CHARGE'));
      return items.flatMap((item) => (item ? [v.parse(charge, item)] : []));
    },
  };
}
