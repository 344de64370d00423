import { MAX_WALLET_SHARDS } from '../../../../shared/accounts/organisation.ts';
import { DAY_SECONDS } from '../../../../shared/core/clock.ts';
import { DAY_PARTITIONS } from '../../../../shared/core/keys.ts';
import { USUAL } from '../cost/model.ts';
import { concurrencyOf, reserveUnits, walletRate } from '../walls.ts';
import { PARTITIONS, type Partition, type PartitionName } from './partitions.ts';
import { PARTITION_LIMIT } from './quotas.ts';
import type { RowUse } from './row-use.ts';

/**
 * The arithmetic behind docs/operate/scale.md. A rate is the number of verifications per second, counting only those that find
 * a record.
 */

export const MONTH = 100_000_000;
export const PEAK = 10_000;
const SECONDS_A_MONTH = 30 * DAY_SECONDS;
export const MEAN = MONTH / SECONDS_A_MONTH;
/** As in docs/operate/cost.md. */
export const REGISTRY_MS = USUAL.registryMs;
/** The shards of all wallets together at the peak. With this many, each shard has few holds. */
export const SHARDS = 500;
/** Bytes that DynamoDB adds to each row and copy for storage. */
const OVERHEAD_BYTES = 100;
const GIGABYTE = 1_000_000_000;

export const partitionNamed = (name: PartitionName): Partition =>
  PARTITIONS.find((one) => one.name === name) as Partition;

/** Returns how many requests a second one partition accepts. A request may use read units, write units or both. */
export function requestsOf({ readUnits, writeUnits }: Pick<RowUse, 'readUnits' | 'writeUnits'>): number {
  return Math.floor(1 / (readUnits / PARTITION_LIMIT.readUnits + writeUnits / PARTITION_LIMIT.writeUnits));
}

/** The units of a table or an index that are used each second. */
export interface TableLoad {
  readonly table: string;
  readonly readUnits: number;
  readonly writeUnits: number;
}

/**
 * Returns the units of each table and index that are used each second at a rate. `uses` must not contain the state of
 * providers, which an instance reads only once a second (`stateReads`). A reserve needs more units than an update of a
 * small row, because the holds are in the shard.
 */
export function tableLoads(uses: readonly RowUse[], rate: number): TableLoad[] {
  const unitsOfReserve = reserveUnits(REGISTRY_MS, rate / SHARDS);
  const named = uses.map((use) => {
    const { table, index } = partitionNamed(use.partition);
    const writeUnits = use.partition === 'wallet shard' ? unitsOfReserve : use.writeUnits;
    return { name: index ? `${table}, index ${index}` : table, readUnits: use.readUnits, writeUnits };
  });
  return [...new Set(named.map(({ name }) => name))].sort().map((table) => {
    const own = named.filter(({ name }) => name === table);
    const sum = (unit: 'readUnits' | 'writeUnits') => own.reduce((total, one) => total + one[unit], 0);
    return { table, readUnits: rate * sum('readUnits'), writeUnits: rate * sum('writeUnits') };
  });
}

/** Returns how often the state of one provider is read each second: once by each busy instance. */
export const stateReads = (rate: number) => Math.min(rate, concurrencyOf(rate, REGISTRY_MS));

export function customerNeeds(uses: readonly RowUse[], rate: number) {
  const shardsFor = (most: (shards: number) => boolean) =>
    Array.from({ length: MAX_WALLET_SHARDS }, (_, index) => index + 1).find(most);
  const limitOf = (name: PartitionName) =>
    requestsOf(uses.find(({ partition }) => partition === name) ?? { readUnits: 1, writeUnits: 0 });
  return {
    leastShards: shardsFor((shards) => walletRate(REGISTRY_MS, shards) >= rate),
    cheapShards: shardsFor((shards) => reserveUnits(REGISTRY_MS, rate / shards) <= 2),
    keys: Math.ceil(rate / limitOf('limits of a key')),
    organisations: Math.ceil(rate / limitOf('organisation')),
    ofDay: rate / (DAY_PARTITIONS * limitOf('log row by time')),
  };
}

/** Returns the rows that this number of verifications adds to tables and indexes, with their size. */
export function storageOf(uses: readonly RowUse[], verifications: number) {
  return uses
    .filter(({ readUnits, bytes }) => readUnits === 0 && bytes > 0)
    .map(({ partition, bytes }) => ({
      ...{ partition: partitionNamed(partition), bytes },
      gigabytes: (verifications * (bytes + OVERHEAD_BYTES)) / GIGABYTE,
    }));
}
