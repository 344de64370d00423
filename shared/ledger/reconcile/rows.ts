import { decodeTime } from 'ulid';
import * as v from 'valibot';
import type { Row } from '../../core/database.ts';
import type { Environment } from '../../core/environment.ts';
import {
  chargePk,
  creditPk,
  dayPartition,
  erasureMarkerKey,
  referenceKey,
  requestIndexKey,
  sortByTime,
  timeIndexKey,
  type WalletId,
  walletOfPk,
} from '../../core/keys.ts';
import { OUTCOMES } from '../../core/outcome.ts';
import { charge } from '../rows/charge.ts';
import { credit } from '../rows/credit.ts';
import { idempotency } from '../rows/idempotency.ts';
import { operationIdOf, walletShard } from '../rows/wallet.ts';
import { statementKeys } from '../statement/statement.ts';

/** Each with the rule that the rows break. docs/finance/differences.md lists them for finance. */
export const DIFFERENCE_KINDS = {
  balance:
    'the credited amount equals the sum of available credits, holds, and charges whose hold has been removed, and shards moved as many credits in as out',
  credits:
    'the credited amount equals the sum of the credit rows, and each reference of a top-up has its credit',
  'negative-balance': 'the number of available credits is never below zero',
  'missing-shard': 'if a wallet was ever credited, all its shards exist',
  'unreachable-shard': 'shards that the organisation does not use are empty',
  'old-hold': 'each hold is of whole credits, at most 5 minutes old, and not of a later time',
  'charge-without-log':
    'until its log row expires, every charge row of a request that reserved credits has a log row',
  'log-without-charge':
    'every log row except that of a free replay has a charge row, for 60 days if nothing was charged',
  'several-logs': 'an operation has only one log row',
  'log-disagrees':
    'the charge row and the log row of an operation have the same operation ID, request ID, service, API key, provider, status, times, outcome and cost',
  'day-totals': 'for each day, charge rows and log rows agree in number, total cost and content',
  replay: 'a free replay costs nothing and repeats a charged operation',
  idempotency: 'an idempotency row has the same request ID as the charge row that it refers to',
  'row-keys':
    'the keys, index attributes, times and expiry of a row match its other attributes, and its wallet has its day and shard',
  unreadable: 'every row has the documented structure, possible amounts, and times in their order',
  'unknown-wallet': 'every row belongs to a wallet of an existing organisation',
  'late-credit': 'no credit is booked into a month after the month was closed',
  'late-charge': 'every charge of a month is decided before the month is closed',
  'closed-month': 'a closed month can be computed again from its rows, with the same figures',
  document: 'a document is as it was issued, and its order, refund or closing names it',
  'document-number': 'the numbers of a series have no gap, none is used twice, and its counter is the last',
  order:
    'an order has the price and VAT of its day, a credited one, its payment, lot and documents agree, a paid lot has one, and an order that needs work is due',
  lot: 'a lot has one credit of its size, each withdrawal has one too, the rest of the lot is what they leave, and none is left after its expiry',
  refund:
    'each refunded part of a lot has one refund and one credit note of its amounts, and no other amount was paid back',
  closing:
    'a closed month begins with the balance of the month before, its figures are those of the lots, and the audit trail states how often it was reopened',
  'sealed-day':
    'the rows of a sealed day and its seal are as they were, and the head is that of the last seal',
  'trail-money':
    'the audit trail has the hash of each money row, and states openings of orders, prices, reversals, paid refunds and what people decided',
  'usage-differs': 'usage in the console equals the credits charged for each day, service and key',
  'trail-removed': 'every row in the archive of the audit trail is still in the table',
  'trail-changed':
    'every row of the audit trail is the same as its copy in the archive, which has one version',
  'trail-not-copied': 'every row of the audit trail that is older than an hour has a copy in the archive',
  'trail-event': 'no row of the audit trail was changed or deleted at any time',
} as const;
type DifferenceKind = keyof typeof DIFFERENCE_KINDS;

/** Contains no identity data. */
export interface Difference {
  readonly kind: DifferenceKind;
  /** Empty for rows that belong to no wallet. */
  readonly env: Environment | '';
  /** Empty for rows of the audit trail that concern the whole stage. */
  readonly organisation: string;
  /** If a whole wallet differs, the day of the run. If a month differs, its first day. */
  readonly day: string;
  readonly requestId?: string;
  readonly operationId?: string;
  readonly reference?: string;
  readonly expected: string | number;
  readonly found: string | number;
}

export type DifferenceSubject = Pick<Difference, 'day' | 'requestId' | 'operationId' | 'reference'>;

export function difference(
  kind: DifferenceKind,
  { env, organisationId }: WalletId,
  subject: DifferenceSubject,
  expected: string | number,
  found: string | number,
): Difference {
  return { kind, env, organisation: organisationId, ...subject, expected, found };
}

/**
 * How far the times of an operation's ID, request and decision (at most 26 s) may be apart. The clocks of functions
 * differ by seconds.
 */
export const MARGIN_MS = 5 * 60_000;

/** A stored time may be impossible. */
const LATEST_MS = Date.parse('9999-12-31T00:00:00.000Z');

/** Returns the UTC day, such as `2026-11-21`. */
export function dayOf(timeMs: number): string {
  return new Date(Math.min(timeMs, LATEST_MS)).toISOString().slice(0, 10);
}

const operationId = v.pipe(v.string(), v.ulid());
const isoTime = v.pipe(v.string(), v.isoTimestamp());
/** Whole credits. */
const cost = v.pipe(v.number(), v.integer(), v.minValue(1));
const keys = {
  pk: v.string(),
  statementKey: v.optional(v.string()),
  statementSort: v.optional(v.string()),
  expiresAt: v.optional(v.number()),
};

const walletsRow = v.variant('sk', [
  v.object({ sk: v.literal('CHARGE'), ...keys, ...charge.entries, operationId, cost, decidedAt: isoTime }),
  v.object({ sk: v.literal('CREDIT'), ...keys, ...credit.entries, createdAt: isoTime }),
  v.object({ sk: v.literal('WALLET'), pk: v.string(), walletsKey: v.string(), ...walletShard.entries }),
  v.object({ sk: v.literal('IDEMPOTENCY'), pk: v.string(), ...idempotency.entries, operationId }),
]);

const listedLogRow = v.object({
  pk: v.string(),
  sk: operationId,
  timeKey: v.string(),
  timeSort: v.string(),
  requestId: v.string(),
  service: v.string(),
  outcome: v.picklist(OUTCOMES),
  creditsCharged: v.number(),
  provider: v.string(),
  keyLabel: v.string(),
  httpStatus: v.number(),
  latencyMs: v.number(),
  requestedAt: isoTime,
  replayOf: v.optional(operationId),
  expiresAt: v.number(),
});

const logsRow = v.object({ ...listedLogRow.entries, requestKey: v.string(), operationId });

export const erasureMarker = v.object({
  pk: v.string(),
  sk: v.string(),
  erasedAtMs: v.number(),
  expiresAt: v.number(),
});

/** Whether the item of VerificationLogs is the marker of an erasure, which is not a log row. */
export function isErasureMarker(item: Row): boolean {
  const wallet = walletOf(item);
  const { success } = v.safeParse(erasureMarker, item);
  return success && wallet !== undefined && item['pk'] === erasureMarkerKey(wallet, '').pk;
}

type InWallet<T> = T & { readonly wallet: WalletId };
export type WalletsRow = InWallet<v.InferOutput<typeof walletsRow>>;
export type ChargeRow = Extract<WalletsRow, { sk: 'CHARGE' }>;
export type CreditRow = Extract<WalletsRow, { sk: 'CREDIT' }>;
/** If it is from the index `byTime`, its sort key is the operation ID, and some attributes are absent. */
export type LogRow = InWallet<v.InferOutput<typeof listedLogRow>> &
  Partial<v.InferOutput<typeof logsRow>> & { readonly operationId: string };

const referenceRow = v.object({
  pk: v.string(),
  sk: v.literal('REFERENCE'),
  reference: v.string(),
  organisationId: v.string(),
});

/** A row of a payment's reference belongs to no wallet. */
export function isReferenceRow(item: Row): boolean {
  const parsed = v.safeParse(referenceRow, item);
  const wallet = walletOf(item);
  if (!parsed.success || !wallet) return false;
  return parsed.output.pk === referenceKey(wallet.env, parsed.output.reference).pk;
}

export function walletOf(item: Row): WalletId | undefined {
  return walletOfPk(String(item['pk']));
}

/** Returns undefined if it does not have the documented shape. */
export function readWalletsRow(item: Row): WalletsRow | undefined {
  const wallet = walletOf(item);
  const parsed = v.safeParse(walletsRow, item);
  return wallet && parsed.success ? { ...parsed.output, wallet } : undefined;
}

/** Returns undefined if it does not have the documented shape. */
export function readLogRow(item: Row): LogRow | undefined {
  const wallet = walletOf(item);
  const parsed = v.safeParse(logsRow, item);
  return wallet && parsed.success ? { ...parsed.output, wallet } : undefined;
}

/** Returns undefined if it does not have the documented shape. */
export function readListedLog(item: Row): LogRow | undefined {
  const wallet = walletOf(item);
  const parsed = v.safeParse(listedLogRow, item);
  return wallet && parsed.success ? { ...parsed.output, operationId: parsed.output.sk, wallet } : undefined;
}

/** Contains only the first parts of the key, because the rest may be a number tag. */
export function unreadable(item: Row, day: string): Difference {
  const { env = '' as const, organisationId = '' } = walletOf(item) ?? {};
  return {
    kind: 'unreadable',
    env,
    organisation: organisationId,
    day,
    ...(typeof item['requestId'] === 'string' && { requestId: item['requestId'] }),
    expected: 'a documented row',
    found: kindOf(item),
  };
}

const SORT_KEYS = new Set(['CHARGE', 'CREDIT', 'WALLET', 'IDEMPOTENCY']);
function kindOf({ sk }: Row): string {
  return typeof sk === 'string' && SORT_KEYS.has(sk) ? `a malformed ${sk} row` : 'another row';
}

/** From its ULID, so it is the same for all its rows. */
export function operationTimeMs({ operationId: id }: { readonly operationId: string }): number {
  return decodeTime(id);
}

/** Returns the part of a difference that names an operation. */
export function operationSubject(row: {
  readonly operationId: string;
  readonly requestId: string;
}): DifferenceSubject {
  return { day: dayOf(operationTimeMs(row)), requestId: row.requestId, operationId: row.operationId };
}

/** Compares the keys of a charge row or credit row with its other attributes. */
export function walletsRowProblems(row: WalletsRow): Difference[] {
  if (row.sk === 'CHARGE') return chargeProblems(row);
  if (row.sk === 'CREDIT') return creditProblems(row);
  return [];
}

function chargeProblems(row: ChargeRow): Difference[] {
  const { wallet, shard = -1, holdId = '', state, decidedAt } = row;
  const isCharged = state === 'CHARGED';
  const index = isCharged
    ? statementKeys(wallet, shard, decidedAt, row.operationId)
    : { statementKey: undefined, statementSort: undefined };
  const pairs: Pair[] = [
    [row.pk, chargePk(wallet, row.operationId)],
    [row.statementKey, index.statementKey],
    [row.statementSort, index.statementSort],
    // Money rows never expire; VOID rows do, long after their idempotency row.
    [row.expiresAt === undefined ? 'kept' : 'expiring', isCharged ? 'kept' : 'expiring'],
  ];
  if (isCharged) pairs.push([operationIdOf(holdId), row.operationId]);
  const beganAtMs = operationTimeMs(row);
  for (const time of isCharged ? [row.requestedAt, decidedAt] : [])
    if (Math.abs(Date.parse(time) - beganAtMs) >= MARGIN_MS)
      pairs.push([time, new Date(beganAtMs).toISOString()]);
  return keyProblems(wallet, operationSubject(row), pairs);
}

function creditProblems(row: CreditRow): Difference[] {
  const { wallet, reference, createdAt } = row;
  const index = statementKeys(wallet, row.shard, createdAt, reference);
  return keyProblems(wallet, { day: createdAt.slice(0, 10), reference }, [
    [row.pk, creditPk(wallet, reference)],
    [row.statementKey, index.statementKey],
    [row.statementSort, index.statementSort],
    [row.expiresAt === undefined ? 'kept' : 'expiring', 'kept'],
  ]);
}

/** Compares the keys and the time of a log row with its other attributes. */
export function logRowProblems(row: LogRow): Difference[] {
  const { wallet, requestId, requestedAt, requestKey, operationId: id } = row;
  const beganAtMs = operationTimeMs(row);
  const isNear = Math.abs(Date.parse(requestedAt) - beganAtMs) < MARGIN_MS;
  return keyProblems(wallet, operationSubject(row), [
    [row.sk, id],
    [row.timeKey, timeIndexKey(wallet, requestedAt.slice(0, 10), dayPartition(id))],
    [row.timeSort, sortByTime(requestedAt, id)],
    [requestedAt, isNear ? requestedAt : new Date(beganAtMs).toISOString()],
    [requestKey, requestKey && requestIndexKey(wallet, requestId)],
  ]);
}

type Pair = readonly [found: string | undefined, expected: string | undefined];

function keyProblems(wallet: WalletId, subject: DifferenceSubject, pairs: readonly Pair[]): Difference[] {
  return pairs
    .filter(([found, expected]) => found !== expected)
    .map(([found = 'none', expected = 'none']) => difference('row-keys', wallet, subject, expected, found));
}
