import {
  apiKeysPk,
  chargePk,
  DAY_PARTITIONS,
  idempotencyKey,
  limiterKey,
  logPk,
  organisationKey,
  organisationLimiterKey,
  registryStateKey,
  requestIndexKey,
  shardPk,
  statementIndexKey,
  TEST_TRAFFIC_KEY,
  timeIndexKey,
} from '../../../../shared/core/keys.ts';

/** The partitions that a verification reads and writes. Their keys are built by the functions that the service uses. */

/** What the requests that share a partition have in common. */
export type Sharing =
  | 'organisation'
  | 'API key'
  | 'wallet shard'
  | 'part of a wallet’s day'
  | 'provider'
  | 'all test keys'
  | 'one number'
  | 'one request';

export interface Partition {
  readonly name: string;
  /** The table, and the index if the partition belongs to one. */
  readonly table: 'ApiKeys' | 'Wallets' | 'VerificationLogs';
  readonly index?: 'statement' | 'byRequest' | 'byTime';
  readonly keys: readonly string[];
  readonly sharing: Sharing;
}

const ORGANISATION = '<org>';
const live = { env: 'live', organisationId: ORGANISATION } as const;
/**
 * Requests with a test key use the same partitions for the organisation and its keys as requests with a live key. The
 * keys of most other partitions contain `test` instead of `live`.
 */
const test = { env: 'test', organisationId: ORGANISATION } as const;
const ofBoth = (keyOf: (wallet: typeof live | typeof test) => string) => [keyOf(live), keyOf(test)];
const providerOf = (env: 'live' | 'test') => registryStateKey({ provider: 'sandbox', env, idType: 'NIN' }).pk;
const days = Array.from({ length: DAY_PARTITIONS }, (_, part) => part);

export const PARTITIONS = [
  {
    name: 'organisation',
    table: 'ApiKeys',
    keys: [organisationKey(ORGANISATION).pk],
    sharing: 'organisation',
  },
  { name: 'API keys', table: 'ApiKeys', keys: [apiKeysPk(ORGANISATION)], sharing: 'organisation' },
  { name: 'limits of a key', table: 'ApiKeys', keys: [limiterKey('<hash>').pk], sharing: 'API key' },
  {
    ...{ name: 'limits of an organisation', table: 'ApiKeys', sharing: 'organisation' },
    keys: ofBoth((wallet) => organisationLimiterKey(wallet).pk),
  },
  {
    ...{ name: 'registry state', table: 'ApiKeys', sharing: 'provider' },
    keys: [providerOf('live'), providerOf('test')],
  },
  { name: 'test traffic', table: 'ApiKeys', keys: [TEST_TRAFFIC_KEY.pk], sharing: 'all test keys' },
  {
    ...{ name: 'wallet shard', table: 'Wallets', sharing: 'wallet shard' },
    keys: ofBoth((wallet) => shardPk(wallet, 0)),
  },
  {
    ...{ name: 'charge', table: 'Wallets', sharing: 'one request' },
    keys: ofBoth((wallet) => chargePk(wallet, '<operation>')),
  },
  {
    ...{ name: 'idempotency', table: 'Wallets', sharing: 'one request' },
    keys: ofBoth((wallet) => idempotencyKey(wallet, '<hash>').pk),
  },
  {
    ...{ name: 'statement', table: 'Wallets', index: 'statement', sharing: 'wallet shard' },
    keys: ofBoth((wallet) => statementIndexKey(wallet, '<month>', 0)),
  },
  {
    ...{ name: 'log row', table: 'VerificationLogs', sharing: 'one number' },
    keys: ofBoth((wallet) => logPk(wallet, '<tag>')),
  },
  {
    ...{ name: 'log row by request', table: 'VerificationLogs', index: 'byRequest', sharing: 'one request' },
    keys: ofBoth((wallet) => requestIndexKey(wallet, '<request>')),
  },
  {
    ...{ name: 'log row by time', table: 'VerificationLogs', index: 'byTime' },
    ...{ sharing: 'part of a wallet’s day' },
    keys: days.flatMap((part) => ofBoth((wallet) => timeIndexKey(wallet, '<day>', part))),
  },
] as const satisfies readonly Partition[];

export type PartitionName = (typeof PARTITIONS)[number]['name'];

const PARTS: readonly (readonly [RegExp, string])[] = [
  [/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/, '<day>'],
  [/^[0-9]{4}-[0-9]{2}$/, '<month>'],
  [/^req_[0-9a-f]{12}$/, '<request>'],
  [/^[0-9a-f]{4}\.[\w-]{22}$/, '<tag>'],
  [/^[0-9a-f]{64}$/, '<hash>'],
  [/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/, '<operation>'],
  [/^[0-9A-Za-z]{10}$/, ORGANISATION],
];

/** Returns the partition with this key in a table or one of its indexes. Throws if `PARTITIONS` has none. */
export function partitionOf(table: string, index: string | undefined, key: string): Partition {
  const general = key
    .split('#')
    .map((part) => PARTS.find(([form]) => form.test(part))?.[1] ?? part)
    .join('#');
  const found = PARTITIONS.find(
    (one: Partition) => one.table === table && one.index === index && one.keys.includes(general),
  );
  if (!found) throw new Error(`PARTITIONS has no ${table} ${index ?? ''} with the key ${general}. Add it.`);
  return found;
}
