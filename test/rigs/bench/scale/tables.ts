import type { OperationsConfig, StageConfig } from '../../../../infra/config.ts';
import { MOST_TEST_TRAFFIC } from '../../../../infra/stages/check-capacity.ts';
import { prod } from '../../../../infra/stages/prod.ts';
import { DAY_SECONDS } from '../../../../shared/core/clock.ts';
import { DAY_PARTITIONS } from '../../../../shared/core/keys.ts';
import { IDEMPOTENCY_LIFE_SECONDS } from '../../../../shared/ledger/rows/idempotency.ts';
import { concurrencyOf, reserveUnits, walletRate } from '../walls.ts';
import { PARTITIONS, type Partition, type Sharing } from './partitions.ts';
import {
  customerNeeds,
  MEAN,
  MONTH,
  PEAK,
  REGISTRY_MS,
  requestsOf,
  SHARDS,
  stateReads,
  storageOf,
  tableLoads,
} from './peak.ts';
import { NEW_INSTANCES_IN_TEN_SECONDS, NEW_TABLE, PARTITION_LIMIT, QUOTAS, type Quota } from './quotas.ts';
import type { Recorded } from './record.ts';

/** The tables in docs/operate/scale.md. */

/** Above this share of a quota, the quota must be raised. */
const HEADROOM = 0.8;
/** The pepper, and the secrets of the sandbox and two providers. */
const SECRETS_OF_AN_INSTANCE = 4;

const text = (value: number) => Math.ceil(value).toLocaleString('en');
const row = (...cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
/** Returns the text for a setting. Its name is typed, so that the page cannot name one that does not exist. */
const setting = (name: keyof StageConfig | `operations.${keyof OperationsConfig}`) => `setting \`${name}\``;
const quota = ({ name, code, isFixed }: Quota) =>
  `quota "${name}" (${code ?? (isFixed ? 'AWS does not raise it' : 'by request to AWS')})`;

function table(head: readonly string[], rows: readonly string[]): string {
  return [row(...head), row(...head.map(() => '---')), ...rows].join('\n');
}

/** What to do when a partition reaches its limit. */
const HOW_TO_RAISE: Readonly<Record<Sharing, string>> = {
  organisation: 'a second organisation for the customer',
  'API key': 'more keys, and `admin org set-rate` for the rate of each',
  'wallet shard': '`admin wallet set-shards`',
  'part of a wallet’s day': `\`DAY_PARTITIONS\` in the code: ${DAY_PARTITIONS} partitions for each wallet and day`,
  provider: `nothing to do: if a read is throttled, the instance uses its copy`,
  'all test keys': `${setting('testTraffic')}, at most ${MOST_TEST_TRAFFIC} a second`,
  'one number': 'nothing to do: a number is not verified that often',
  'one request': 'nothing to do',
};

export function partitionTable({ withIdempotencyKey, found, withTestKey }: Recorded): string {
  const uses = [...withIdempotencyKey, ...found, ...withTestKey];
  const rows = PARTITIONS.map((partition: Partition) => {
    const use = uses.find((one) => one.partition === partition.name);
    if (!use) throw new Error(`No recorded request uses the partition "${partition.name}".`);
    const { name, table: tableName, index, keys, sharing } = partition;
    const key = `\`${keys[0]}\``;
    const tableAndIndex = index ? `${tableName}, index ${index}` : tableName;
    const limit =
      sharing === 'wallet shard' && !index ? text(walletRate(REGISTRY_MS, 1)) : text(requestsOf(use));
    return row(
      name,
      tableAndIndex,
      key,
      use.readUnits,
      use.writeUnits,
      sharing,
      limit,
      HOW_TO_RAISE[sharing],
    );
  });
  return table(
    [
      'row',
      'table',
      'partition',
      'read units',
      'write units',
      'shared by',
      'requests a second',
      'how to raise it',
    ],
    rows,
  );
}

export function tableTable({ withIdempotencyKey }: Recorded): string {
  const rows = tableLoads(withIdempotencyKey, PEAK).map(({ table: name, readUnits, writeUnits }) => {
    const reads = readUnits + (name === 'ApiKeys' ? stateReads(PEAK) : 0);
    const toRaise = [
      ...(reads > HEADROOM * QUOTAS.tableReads.value ? [quota(QUOTAS.tableReads)] : []),
      ...(writeUnits > HEADROOM * QUOTAS.tableWrites.value ? [quota(QUOTAS.tableWrites)] : []),
      ...(reads > NEW_TABLE.readUnits || writeUnits > NEW_TABLE.writeUnits ? ['warm throughput'] : []),
    ];
    const parts = Math.max(reads / PARTITION_LIMIT.readUnits, writeUnits / PARTITION_LIMIT.writeUnits);
    return row(name, text(reads), text(writeUnits), text(parts), toRaise.join(', '));
  });
  return table(
    [
      'table or index',
      'read units a second',
      'write units a second',
      'DynamoDB’s partitions, at least',
      'to raise first',
    ],
    rows,
  );
}

/** Returns how much of a quota the peak uses, and how to raise the quota. */
function limitRow(name: string, value: number, used: number, howToRaise: string): string {
  return row(name, text(value), text(used), used < HEADROOM * value ? 'enough' : howToRaise);
}

export function quotaTable(): string {
  const instances = concurrencyOf(PEAK, REGISTRY_MS);
  const starts = NEW_INSTANCES_IN_TEN_SECONDS / 10;
  const { operations, throttling } = prod;
  const perAddress = (operations?.firewall?.requestsPerAddressPerMinute ?? 0) / 60;
  const rows = [
    limitRow(
      'API Gateway: requests a second in the account',
      QUOTAS.gatewayRate.value,
      PEAK,
      `${quota(QUOTAS.gatewayRate)}, then ${setting('operations.accountThrottling')}`,
    ),
    limitRow(
      'API Gateway: requests a second to one route in prod',
      throttling.rateLimit,
      PEAK,
      setting('throttling'),
    ),
    limitRow(
      'firewall: requests a second to the API',
      QUOTAS.firewallRate.value,
      PEAK,
      quota(QUOTAS.firewallRate),
    ),
    limitRow(
      'firewall: requests a second from one address in prod',
      perAddress,
      1_000,
      setting('operations.firewall'),
    ),
    limitRow(
      'Lambda: concurrent executions',
      QUOTAS.concurrency.value,
      instances,
      `${quota(QUOTAS.concurrency)}, then ${setting('operations.accountConcurrency')}`,
    ),
    limitRow(
      'Secrets Manager: reads a second',
      QUOTAS.secretReads.value,
      SECRETS_OF_AN_INSTANCE * starts,
      quota(QUOTAS.secretReads),
    ),
    limitRow(
      'KMS: operations a second',
      QUOTAS.keyOperations.value,
      SECRETS_OF_AN_INSTANCE * starts,
      quota(QUOTAS.keyOperations),
    ),
    limitRow('CloudWatch Logs: calls a second', QUOTAS.logCalls.value, PEAK, quota(QUOTAS.logCalls)),
  ];
  return table(['limit', 'value', 'needed at the peak', 'how to raise it'], rows);
}

export function customerTable({ withIdempotencyKey }: Recorded): string {
  const perAddress = (prod.operations?.firewall?.requestsPerAddressPerMinute ?? 0) / 60;
  const rows = [100, 500, 1_000, 2_000, 3_000].map((rate) => {
    const needs = customerNeeds(withIdempotencyKey, rate);
    return row(
      ...[text(rate), needs.leastShards ?? 'more than 100', needs.cheapShards ?? 'more than 100', needs.keys],
      ...[needs.organisations, `${Math.round(100 * needs.ofDay)}%`, Math.ceil(rate / perAddress)],
    );
  });
  const head = [
    'requests a second',
    'shards, at least',
    'shards for at most 2 units per reserve',
    'API keys',
  ];
  return table(
    [...head, 'organisations', 'share of a wallet’s day', 'IP addresses with the firewall of prod'],
    rows,
  );
}

export function storageTable({ withIdempotencyKey }: Recorded): string {
  const retention = prod.verificationLogRetentionDays;
  const idempotencyDays = IDEMPOTENCY_LIFE_SECONDS / DAY_SECONDS;
  const keptFor = ({ table: name, name: kind }: Partition) =>
    name === 'VerificationLogs'
      ? `${retention} days`
      : kind === 'idempotency'
        ? `${idempotencyDays} days`
        : 'indefinitely';
  const rows = storageOf(withIdempotencyKey, MONTH).map(({ partition, bytes, gigabytes }) => {
    const place = partition.index ? `${partition.table}, index ${partition.index}` : partition.table;
    return row(partition.name, place, bytes, text(gigabytes), keptFor(partition));
  });
  return table(['row', 'table', 'bytes', 'GB a month', 'kept'], rows);
}

/** Returns the numbers in the introduction. */
export function summary(): string {
  const instances = concurrencyOf(PEAK, REGISTRY_MS);
  const seconds = Math.ceil((10 * instances) / NEW_INSTANCES_IN_TEN_SECONDS);
  const unitsOfReserve = reserveUnits(REGISTRY_MS, PEAK / SHARDS).toFixed(2);
  return [
    `- ${text(MONTH)} verifications a month are ${text(MEAN)} a second on average. The peak of ${text(PEAK)} a second is ${text(PEAK / MEAN)} times that.`,
    `- A provider responds after ${REGISTRY_MS} ms, as on the [cost](cost.md) page. At the peak, ${text(instances)} executions run at once. If none is running beforehand, one function needs ${seconds} s to start them.`,
    `- Each request has an \`Idempotency-Key\`, and a record is found for it. The wallets of all customers together have ${SHARDS} shards in use, so that a reserve needs ${unitsOfReserve} write units on average.`,
  ].join('\n');
}
