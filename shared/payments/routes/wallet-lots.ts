import { caller } from '../../accounts/middleware/caller.ts';
import { type Clock, REAL_CLOCK } from '../../core/clock.ts';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import type { Run } from '../../http/public-route.ts';
import { readQuery } from '../../http/query.ts';
import { type BalanceTable, readBalance } from '../../ledger/read-balance.ts';
import { walletBusy } from '../../ledger/routes/wallet-busy.ts';
import { shardTable } from '../../ledger/tables/shard-table.ts';
import { estimateLots, type LotNow } from '../lots/estimate-lots.ts';
import { type LotTable, lotTable } from '../lots/lot-table.ts';
import { lotCursorText, lotsQuery } from './payment-query.ts';

export interface LotDependencies {
  readonly lots: Pick<LotTable, 'listLots'>;
  readonly shards: BalanceTable;
  readonly clock: Clock;
}

function realDependencies(): LotDependencies {
  return {
    lots: lotTable(database(), setting('PAYMENTS_TABLE')),
    shards: shardTable(database(), setting('WALLETS_TABLE')),
    clock: REAL_CLOCK,
  };
}

/**
 * GET /v1/wallet/lots, oldest first. The remaining credits of a lot are an estimate until the month is closed. Their
 * sum is exact, apart from concurrent changes.
 */
export function listLots(deps: LotDependencies = realDependencies()): Run {
  return async (requestContext, event) => {
    const { env, organisation } = caller.of(requestContext);
    const { cursor, limit } = readQuery(event, lotsQuery);
    const wallet = { env, organisationId: organisation.id };
    const lots = await deps.lots.listLots(wallet);
    const balance = await readBalance(wallet, organisation.walletShards, deps.shards, deps.clock);
    if (!balance) throw walletBusy();
    const following = estimateLots(lots, balance.available + balance.held).filter(
      ({ lot }) => cursor === undefined || lot.id > cursor,
    );
    const page = following.slice(0, limit);
    const last = following.length > limit ? page.at(-1) : undefined;
    return {
      kind: 'information',
      code: 'WALLET_LOTS',
      message: 'Credit lots.',
      data: {
        environment: env,
        lots: page.map(lotView),
        next_cursor: last ? lotCursorText(last.lot.id) : null,
      },
    };
  };
}

function lotView({ lot, left }: LotNow) {
  return {
    id: lot.id,
    kind: lot.kind,
    credits: lot.credits,
    remaining: left,
    kobo_per_credit: lot.koboPerCredit,
    net_kobo: lot.netKobo,
    vat_kobo: lot.vatKobo,
    reference: lot.reference,
    invoice: lot.invoice ?? null,
    created_at: lot.createdAt,
    expires_at: lot.expiresAt ?? null,
  };
}
