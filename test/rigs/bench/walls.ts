import { marshall } from '@aws-sdk/util-dynamodb';
import { newOperationId, newRequestId } from '../../../shared/core/ids.ts';
import { shardKey } from '../../../shared/core/keys.ts';
import { holdOf } from '../../../shared/ledger/operation.ts';
import { MAX_HOLDS } from '../../../shared/ledger/rows/wallet.ts';
import { itemBytes } from './cost/units.ts';

/** The rates that DynamoDB and Lambda allow, calculated. docs/design/performance.md, "Limits", lists them. */

/** An item is in one partition, which accepts this number of write units a second. */
const ITEM_UNITS_PER_SECOND = 1_000;
const UNIT_BYTES = 1_024;
/** The time from the reserve to the charge, excluding the registry. */
const HOLD_MS = 15;
/** The time of a whole verification, excluding the registry. */
const REQUEST_MS = 50;

const wallet = { env: 'live', organisationId: '7K2MPXQ4T9' } as const;

/** Returns the bytes of a wallet's shard without holds. */
export function shardBytes(): number {
  const fields = { shard: 0, available: 123_456, credited: 1_000_000, holds: {}, walletsKey: 'WALLETS#live' };
  return itemBytes(marshall({ ...shardKey(wallet, 0), ...fields }));
}

/** Returns the bytes that each hold adds to its shard. */
export function holdBytes(): number {
  const id = newOperationId();
  const hold = holdOf({
    id,
    wallet,
    requestId: newRequestId(),
    service: 'nin-basic',
    cost: 1,
    keyLabel: 'production',
    numberTag: '1.0123456789abcdef0123456789abcdef',
    requestedAtMs: Date.parse('2026-11-21T12:00:00.123Z'),
  });
  return itemBytes(marshall({ [`${id}.0`]: hold })) + 1;
}

/**
 * Returns how many verifications a second a wallet allows. Holds in flight grow with the rate r, and the units of each
 * write with the holds: r × (shard + r × seconds × hold + half a unit) / 1024 = 1000 units. A shard also has at most
 * 100 holds.
 */
export function walletRate(registryMs: number, shards: number): number {
  const seconds = (registryMs + HOLD_MS) / 1_000;
  const a = seconds * holdBytes();
  const b = shardBytes() + UNIT_BYTES / 2;
  const byUnits = (-b + Math.sqrt(b * b + 4 * a * ITEM_UNITS_PER_SECOND * UNIT_BYTES)) / (2 * a);
  return Math.floor(shards * Math.min(byUnits, MAX_HOLDS / seconds));
}

/**
 * Returns the mean write units of a reserve on a shard with this rate: its bytes with the holds in flight, and half a
 * unit for rounding up.
 */
export function reserveUnits(registryMs: number, rate: number): number {
  const holds = (rate * (registryMs + HOLD_MS)) / 1_000;
  return Math.max(1, (shardBytes() + holds * holdBytes()) / UNIT_BYTES + 0.5);
}

/** Returns how many concurrent executions this number of verifications a second needs. */
export function concurrencyOf(rate: number, registryMs: number): number {
  return Math.ceil((rate * (registryMs + REQUEST_MS)) / 1_000);
}

/**
 * Returns how many verifications a second an AWS account allows. Lambda runs one request per function instance at a
 * time.
 */
export function accountRate(registryMs: number, concurrency: number): number {
  return Math.floor((concurrency * 1_000) / (registryMs + REQUEST_MS));
}

const REGISTRY_MS = [300, 1_000, 3_000, 20_000];

/** Returns the table in docs/design/performance.md, "Limits". */
export function wallsTable(): string {
  const rows = REGISTRY_MS.map((ms) => {
    const rates = [walletRate(ms, 1), walletRate(ms, 8), accountRate(ms, 1_000), accountRate(ms, 10_000)].map(
      (rate) => rate.toLocaleString('en'),
    );
    return `| ${ms / 1_000} s | ${rates.join(' | ')} |`;
  });
  return [
    '| registry takes | wallet with 1 shard | wallet with 8 shards | account concurrency 1,000 | account concurrency 10,000 |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}
