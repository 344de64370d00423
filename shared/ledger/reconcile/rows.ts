import { decodeTime } from 'ulid';
import * as v from 'valibot';
import type { Row } from '../../core/database.ts';
import { chargePk, creditPk, requestIndexKey, type WalletId, walletOfPk } from '../../core/keys.ts';
import { OUTCOMES } from '../../core/outcome.ts';
import { charge } from '../rows/charge.ts';
import { credit } from '../rows/credit.ts';
import { idempotency } from '../rows/idempotency.ts';
import { operationIdOf, walletShard } from '../rows/wallet.ts';
import { statementKeys } from '../statement/statement.ts';
import {
  type Difference,
  type DifferenceKind,
  type DifferenceSubject,
  dayOf,
  difference,
} from './difference.ts';

/** The rows of Wallets and VerificationLogs as the reconciler reads them: whole, and each checked by itself. */

const operationId = v.pipe(v.string(), v.ulid());
const isoTime = v.pipe(v.string(), v.isoTimestamp());
const keys = {
  pk: v.string(),
  statementKey: v.optional(v.string()),
  statementSort: v.optional(v.string()),
  expiresAt: v.optional(v.number()),
};

const walletsRow = v.variant('sk', [
  v.object({ sk: v.literal('CHARGE'), ...keys, ...charge.entries, operationId, decidedAt: isoTime }),
  v.object({ sk: v.literal('CREDIT'), ...keys, ...credit.entries, createdAt: isoTime }),
  v.object({ sk: v.literal('WALLET'), pk: v.string(), walletsKey: v.string(), ...walletShard.entries }),
  v.object({ sk: v.literal('IDEMPOTENCY'), pk: v.string(), ...idempotency.entries, operationId }),
]);

const logsRow = v.object({
  pk: v.string(),
  sk: v.string(),
  requestKey: v.string(),
  operationId,
  requestId: v.string(),
  outcome: v.picklist(OUTCOMES),
  creditsCharged: v.number(),
  replayOf: v.optional(operationId),
  expiresAt: v.number(),
});

type Placed<T> = T & { readonly wallet: WalletId };
export type WalletsRow = Placed<v.InferOutput<typeof walletsRow>>;
export type ChargeRow = Extract<WalletsRow, { sk: 'CHARGE' }>;
export type CreditRow = Extract<WalletsRow, { sk: 'CREDIT' }>;
export type ShardRow = Extract<WalletsRow, { sk: 'WALLET' }>;
export type LogRow = Placed<v.InferOutput<typeof logsRow>>;

/** The wallet of a key `<env>#<org>#...`; undefined for any other key. */
export function walletOf(item: Row): WalletId | undefined {
  return walletOfPk(String(item['pk']));
}

/** A row of Wallets; undefined where it does not have the documented shape. */
export function readWalletsRow(item: Row): WalletsRow | undefined {
  const wallet = walletOf(item);
  const parsed = v.safeParse(walletsRow, item);
  return wallet && parsed.success ? { ...parsed.output, wallet } : undefined;
}

/** A row of VerificationLogs; undefined where it does not have the documented shape. */
export function readLogRow(item: Row): LogRow | undefined {
  const wallet = walletOf(item);
  const parsed = v.safeParse(logsRow, item);
  return wallet && parsed.success ? { ...parsed.output, wallet } : undefined;
}

/** The difference that an unreadable row is. Only its key's first parts are told: the rest may be a number's tag. */
export function unreadable(item: Row, day: string): Difference {
  const { env = '', organisationId = '' } = walletOf(item) ?? {};
  const requestId = typeof item['requestId'] === 'string' ? { requestId: item['requestId'] } : {};
  return {
    ...{ kind: 'unreadable', env, organisation: organisationId, day, ...requestId },
    expected: 'a documented row',
    found: kindOf(item),
  };
}

const SORT_KEYS = new Set(['CHARGE', 'CREDIT', 'WALLET', 'IDEMPOTENCY']);
function kindOf({ sk }: Row): string {
  return typeof sk === 'string' && SORT_KEYS.has(sk) ? `a malformed ${sk} row` : 'another row';
}

/** When an operation began, by the clock in its ULID: the same for all its rows. */
export function operationTimeMs({ operationId: id }: { readonly operationId: string }): number {
  return decodeTime(id);
}

export function operationSubject(row: {
  readonly operationId: string;
  readonly requestId: string;
}): DifferenceSubject {
  return { day: dayOf(operationTimeMs(row)), requestId: row.requestId, operationId: row.operationId };
}

/** What of a row of Wallets does not agree with the row's own keys. */
export function walletsRowProblems(row: WalletsRow): Difference[] {
  if (row.sk === 'CHARGE') return chargeProblems(row);
  if (row.sk === 'CREDIT') return creditProblems(row);
  return [];
}

function chargeProblems(row: ChargeRow): Difference[] {
  const { wallet, shard = -1, holdId = '', state, decidedAt } = row;
  const subject = operationSubject(row);
  const isCharged = state === 'CHARGED';
  const index = isCharged
    ? statementKeys(wallet, shard, decidedAt, row.operationId)
    : { statementKey: undefined, statementSort: undefined };
  const wanted: Wanted[] = [
    [row.pk, chargePk(wallet, row.operationId)],
    [row.statementKey, index.statementKey],
    [row.statementSort, index.statementSort],
    // Money rows never expire; the others do, long after their idempotency row.
    [row.expiresAt === undefined ? 'kept' : 'expiring', isCharged ? 'kept' : 'expiring'],
  ];
  if (isCharged) wanted.push([operationIdOf(holdId), row.operationId]);
  return mismatches('row-keys', wallet, subject, wanted);
}

function creditProblems(row: CreditRow): Difference[] {
  const { wallet, reference, createdAt } = row;
  const index = statementKeys(wallet, row.shard, createdAt, reference);
  return mismatches('row-keys', wallet, { day: createdAt.slice(0, 10), reference }, [
    [row.pk, creditPk(wallet, reference)],
    [row.statementKey, index.statementKey],
    [row.statementSort, index.statementSort],
    [row.expiresAt === undefined ? 'kept' : 'expiring', 'kept'],
  ]);
}

/** What of a log row does not agree with its own keys. */
export function logRowProblems(row: LogRow): Difference[] {
  const { wallet, requestId } = row;
  return mismatches('row-keys', wallet, operationSubject(row), [
    [row.sk, row.operationId],
    [row.requestKey, requestIndexKey(wallet, requestId)],
  ]);
}

type Wanted = readonly [found: string | undefined, expected: string | undefined];

function mismatches(
  kind: DifferenceKind,
  wallet: WalletId,
  subject: DifferenceSubject,
  pairs: readonly Wanted[],
): Difference[] {
  return pairs
    .filter(([found, expected]) => found !== expected)
    .map(([found = 'none', expected = 'none']) => difference(kind, wallet, subject, expected, found));
}
