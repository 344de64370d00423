import { marshall } from '@aws-sdk/util-dynamodb';
import { newOperationId, newRequestId } from '../../../../shared/core/ids.ts';
import { shardKey } from '../../../../shared/core/keys.ts';
import { holdOf } from '../../../../shared/ledger/operation.ts';
import { MAX_HOLDS } from '../../../../shared/ledger/rows/wallet.ts';
import { seededRandom } from '../../../ledger/simulation/random.ts';
import { itemBytes } from '../cost/units.ts';

/** One wallet under a steady stream of requests, event by event, in simulated time: which rate its items still take. */

/** DynamoDB: one partition takes so many write units a second, and an item lies in one partition. */
const ITEM_UNITS_PER_SECOND = 1000;
const UNIT_BYTES = 1024;
/** A reserve that finds the item throttled is sent again so often (SDK and ledger), so far apart. */
const TRIES = 4;
const PAUSE_MS = 60;
/** Reads before the reserve, and the two writes after the registry. */
const BEFORE_MS = 15;
const AFTER_MS = 15;
const SPAN_MS = 40_000;
const WARM_UP_MS = 25_000;

const wallet = { env: 'live', organisationId: '7K2MPXQ4T9' } as const;

function emptyBytes(): number {
  const fields = { shard: 0, available: 123_456, credited: 1_000_000, holds: {}, walletsKey: 'WALLETS#live' };
  return itemBytes(marshall({ ...shardKey(wallet, 0), ...fields }));
}

function holdBytes(): number {
  const id = newOperationId();
  const operation = {
    ...({ id, wallet, requestId: newRequestId(), service: 'nin-basic', cost: 1 } as const),
    ...{ keyLabel: 'production', numberTag: '1.0123456789abcdef0123456789abcdef', requestedAtMs: Date.now() },
  };
  return itemBytes(marshall({ [`${id}.0`]: holdOf(operation) })) + 1;
}

export const ITEM = { emptyBytes: emptyBytes(), holdBytes: holdBytes() } as const;

export interface WalletLoad {
  readonly perSecond: number;
  readonly registryMs: number;
  readonly shards: number;
}

export interface WalletCarried {
  /** Part of the requests that were refused because the item was full or took no more writes. */
  readonly refused: number;
  /** Mean holds that a reserve met. */
  readonly holds: number;
  /** Function instances in use at most. */
  readonly instances: number;
}

interface Shard {
  holds: number;
  /** Write units left, filled up steadily. */
  units: number;
  filledAtMs: number;
}

interface Instance {
  readonly shard: number;
  /** Its last request's hold, still in the item: the next reserve of this instance removes it. */
  hasSpentHold: boolean;
}

/** Simulates requests at random instants. Instances keep to their shard and clear their own holds, as the ledger does. */
export function carryWallet(load: WalletLoad, seed = 1): WalletCarried {
  const random = seededRandom(seed);
  const shards = Array.from(
    { length: load.shards },
    (): Shard => ({ holds: 0, units: ITEM_UNITS_PER_SECOND, filledAtMs: 0 }),
  );
  const idle: Instance[] = [];
  const events = new Map<number, (() => void)[]>();
  const at = (ms: number, act: () => void) => {
    const instant = Math.ceil(ms);
    events.set(instant, [...(events.get(instant) ?? []), act]);
  };
  const count = { asked: 0, refused: 0, holds: 0, instances: 0 };

  function reserve(instance: Instance, nowMs: number, tries: number): void {
    const shard = shards[instance.shard];
    if (!shard) return;
    fill(shard, nowMs);
    const holds = shard.holds + 1 - (instance.hasSpentHold ? 1 : 0);
    const units = Math.ceil((ITEM.emptyBytes + holds * ITEM.holdBytes) / UNIT_BYTES);
    const isMeasured = nowMs >= WARM_UP_MS;
    if (holds <= MAX_HOLDS && shard.units >= units) {
      shard.units -= units;
      shard.holds = holds;
      count.holds += isMeasured ? holds : 0;
      instance.hasSpentHold = true;
      at(nowMs + load.registryMs + AFTER_MS, () => idle.push(instance));
    } else if (holds > MAX_HOLDS || tries === TRIES) {
      count.refused += isMeasured ? 1 : 0;
      idle.push(instance);
    } else at(nowMs + PAUSE_MS * (1 + random.next()), () => reserve(instance, nowMs + PAUSE_MS, tries + 1));
  }

  for (let ms = 0; ms < SPAN_MS; ms += -Math.log(1 - random.next()) * (1000 / load.perSecond)) {
    at(ms, () => {
      count.asked += ms >= WARM_UP_MS ? 1 : 0;
      const instance = idle.pop() ?? newInstance();
      at(ms + BEFORE_MS, () => reserve(instance, Math.ceil(ms + BEFORE_MS), 1));
    });
  }
  function newInstance(): Instance {
    count.instances += 1;
    return { shard: random.between(0, load.shards - 1), hasSpentHold: false };
  }
  for (let ms = 0; ms < SPAN_MS; ms += 1) {
    for (const act of events.get(ms) ?? []) act();
    events.delete(ms);
  }
  const served = Math.max(1, count.asked - count.refused);
  return { refused: count.refused / count.asked, holds: count.holds / served, instances: count.instances };
}

/** Whole seconds' worth of units and no more: bursts beyond that are DynamoDB's goodwill. */
function fill(shard: Shard, nowMs: number): void {
  const more = ((nowMs - shard.filledAtMs) / 1000) * ITEM_UNITS_PER_SECOND;
  shard.units = Math.min(ITEM_UNITS_PER_SECOND, shard.units + more);
  shard.filledAtMs = nowMs;
}

/** The highest rate at which fewer than one request in a hundred is refused. */
export function walletWall(
  registryMs: number,
  shards: number,
): WalletCarried & { readonly perSecond: number } {
  let [low, high] = [1, 2_000 * shards];
  while (high - low > Math.max(1, low / 50)) {
    const middle = Math.round((low + high) / 2);
    if (carryWallet({ perSecond: middle, registryMs, shards }).refused < 0.01) low = middle;
    else high = middle;
  }
  return { perSecond: low, ...carryWallet({ perSecond: low, registryMs, shards }) };
}
