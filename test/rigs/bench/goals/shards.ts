import { marshall } from '@aws-sdk/util-dynamodb';
import { REAL_CLOCK } from '../../../../shared/core/clock.ts';
import { connect } from '../../../../shared/core/database.ts';
import { newOperationId, newRequestId } from '../../../../shared/core/ids.ts';
import { shardKey, type WalletId } from '../../../../shared/core/keys.ts';
import { instanceMemory } from '../../../../shared/ledger/dependencies.ts';
import { reserveCredit } from '../../../../shared/ledger/reserve.ts';
import type { ShardTable } from '../../../../shared/ledger/tables/shard-table.ts';
import { realTables } from '../../../ledger/storage/database.ts';
import { itemBytes } from '../cost/units.ts';
import { inTurn, ratioOf } from '../measure.ts';
import { topUp } from '../stage/stage.ts';
import { exact, type Line, timesOf } from './goal.ts';

const MANY_SHARDS = 8;
const IN_FLIGHT = 150;
/** Few enough requests for one shard to accept. */
const COUNTED = 90;
/** The credits that each shard except the first gets. */
const PART = 10_000;
const UNIT_BYTES = 1_024;

interface HotWallet {
  /** Write units of the busiest shard, for the first `COUNTED` accepted requests. */
  readonly busiestUnits: number;
  /** Requests that no shard accepted. */
  readonly rejected: number;
}

/**
 * Measures goal 18: eight shards compared with one, in a wallet with many requests in flight. Counts write units,
 * because DynamoDB Local does not limit them: each write of a shard costs one unit for each KB of the shard, with all
 * its holds.
 */
export async function shardGoals(rounds: number): Promise<Line[]> {
  let wallets = 0;
  const taken = await inTurn(['many', 'one'], rounds, (which) => {
    wallets += 1;
    const wallet = { env: 'live', organisationId: `hot-${process.pid}-${wallets}` } as const;
    return reserveAll(wallet, which === 'many' ? MANY_SHARDS : 1);
  });
  const units = (of: readonly HotWallet[]) => of.map(({ busiestUnits }) => busiestUnits);
  const rejected = (of: readonly HotWallet[]) => of.reduce((sum, one) => sum + one.rejected, 0) / of.length;
  return [
    timesOf('the same with 1 shard', {
      ...{ goal: '18a', what: `write units of the busiest shard of ${MANY_SHARDS}, ${COUNTED} in flight` },
      measured: ratioOf(units(taken.many), units(taken.one)),
      // An eighth or less, because each write is also smaller.
      ...{ goalValue: 0.125, failsAt: 0.25 },
    }),
    {
      ...{ goal: '18b', what: `requests rejected of ${IN_FLIGHT} in flight, ${MANY_SHARDS} shards` },
      ...{ reference: `counted; with 1 shard: ${rejected(taken.one)}`, unit: 'requests' },
      ...{ measured: exact(rejected(taken.many)), goalValue: 0, failsAt: 0 },
    },
  ];
}

/** Reserves one credit for each request, as many function instances do, and settles none. */
async function reserveAll(wallet: WalletId, shards: number): Promise<HotWallet> {
  await topUp(wallet);
  const tables = realTables(connect(), connect(1));
  await spread(wallet, shards, tables.shards);
  const units = new Array<number>(shards).fill(0);
  let accepted = 0;
  let rejected = 0;
  for (let request = 0; request < IN_FLIGHT; request += 1) {
    const operation = {
      ...{ id: newOperationId(), wallet, requestId: newRequestId(), service: 'nin-basic', cost: 1 },
      ...{ keyLabel: 'production', numberTag: '1.0123456789abcdef0123456789abcdef' },
      requestedAtMs: Date.now(),
    };
    const reservation = await reserveCredit(operation, shards, tables, instanceMemory(), REAL_CLOCK);
    if (reservation.kind === 'held') {
      accepted += 1;
      const { shard } = reservation.hold;
      if (accepted <= COUNTED) units[shard] = (units[shard] ?? 0) + (await writeUnits(wallet, shard, tables));
    } else if (reservation.kind === 'full') rejected += 1;
    else throw new Error(`A reserve of the hot wallet was ${reservation.kind}.`);
  }
  return { busiestUnits: Math.max(...units), rejected };
}

/** Creates the other shards, and moves an equal part of the credits to each. */
async function spread(wallet: WalletId, count: number, shards: ShardTable): Promise<void> {
  const others = Array.from({ length: count - 1 }, (_, index) => index + 1);
  for (const shard of others) await shards.createShard(wallet, shard);
  const moves = others.map((shard) => ({ shard, amount: PART }));
  if (count > 1 && !(await shards.transfer(wallet, [{ shard: 0, amount: -PART * others.length }, ...moves])))
    throw new Error('The credits were not moved.');
}

async function writeUnits(
  wallet: WalletId,
  shard: number,
  { shards }: Pick<ReturnType<typeof realTables>, 'shards'>,
): Promise<number> {
  const [found] = await shards.getShards([{ wallet, shard }]);
  if (!found) throw new Error('The shard does not exist.');
  const item = marshall({ ...shardKey(wallet, shard), ...found.row }, { removeUndefinedValues: true });
  return Math.ceil(itemBytes(item) / UNIT_BYTES);
}
