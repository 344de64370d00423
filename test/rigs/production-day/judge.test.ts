import { describe, expect, test } from '@jest/globals';
import type { JsonRow } from '../../ledger/checker/evidence.ts';
import { pauseAfter } from './client.ts';
import { HOT, inventedDay } from './invented-day.ts';
import type { Line, RequestLine } from './journal.ts';
import { judge } from './judge.ts';
import type { Account, DayRecord } from './record.ts';
import { dayTable } from './table.ts';

/** A judgement is worth what it finds: each thing that may go wrong in a day is put into a good one, and is found. */

type Spoil = (day: DayRecord) => DayRecord;

const lines =
  (edit: (line: Line) => readonly Line[]): Spoil =>
  (day) => ({ ...day, lines: day.lines.flatMap(edit) });
/** Changes the requests of a wish that were answered so. */
const request = (wish: string, code: string, change: Partial<RequestLine>) =>
  lines((line) =>
    line.kind === 'request' && line.wish === wish && line.code === code ? [{ ...line, ...change }] : [line],
  );
const withoutEvent = (name: string) =>
  lines((line) => (line.kind === 'event' && line.name === name ? [] : [line]));
const withoutRequest = (wish: string, code: string) =>
  lines((line) => (line.kind === 'request' && line.wish === wish && line.code === code ? [] : [line]));
const rows =
  (table: 'wallets' | 'logs', edit: (row: JsonRow) => readonly JsonRow[]): Spoil =>
  (day) => ({ ...day, rows: { ...day.rows, [table]: day.rows[table].flatMap(edit) } });
const isOf = (row: JsonRow, sk: string) => row['sk'] === sk;
const account =
  (change: (account: Account) => Partial<Account>): Spoil =>
  (day) => ({ ...day, accounts: day.accounts.map((one) => ({ ...one, ...change(one) })) });
const log =
  (change: Partial<DayRecord['log']>): Spoil =>
  (day) => ({ ...day, log: { ...day.log, ...change } });

const MONEY: readonly (readonly [what: string, spoil: Spoil, rule: string])[] = [
  [
    'an answer with data that nobody charged',
    (day) => {
      const [one] = day.lines.filter((line) => line.kind === 'request' && line.code === 'NIN_VERIFIED');
      return one
        ? { ...day, lines: [...day.lines, { ...one, wish: 'added', requestId: 'req_added' } as Line] }
        : day;
    },
    'charged data has one charge row',
  ],
  [
    'a charge row for a refused request',
    (day) => {
      const refused = day.lines.find(
        (line) => line.kind === 'request' && line.code === 'SERVICE_UNAVAILABLE',
      );
      const requestId = refused?.kind === 'request' ? refused.requestId : '';
      return rows('wallets', (row) => (row['requestId'] === 'req_unseen' ? [{ ...row, requestId }] : [row]))(
        day,
      );
    },
    'what is not data is free',
  ],
  [
    'a second charge',
    rows('wallets', (row) => (isOf(row, 'CHARGE') ? [row, { ...row, pk: `${row['pk']}-2` }] : [row])),
    'one charge for each wish that got its data',
  ],
  [
    'another cost',
    rows('wallets', (row) => (isOf(row, 'CHARGE') ? [{ ...row, cost: 2 }] : [row])),
    'bought - charged = balance',
  ],
  [
    'a lost charge row',
    rows('wallets', (row) => (row['requestId'] === 'req_unseen' ? [] : [row])),
    'one charge for each wish that got its data',
  ],
  [
    'a lost log row',
    rows('logs', (row) => (row['creditsCharged'] === 1 ? [] : [row])),
    'charged data has one log row',
  ],
  [
    'a lost shard',
    rows('wallets', (row) => (isOf(row, 'WALLET') ? [{ ...row, available: 7 }] : [row])),
    'ledger: credited = available + holds + spent',
  ],
  [
    'another balance',
    account(({ available }) => ({ available: available + 1 })),
    'bought - charged = balance',
  ],
  ['a hold that stays', account(() => ({ held: 1 })), 'nothing is held in the evening'],
  [
    'a statement that lost a line',
    account(({ entries }) => ({ entries: entries.slice(0, -1) })),
    'the statement adds up',
  ],
  [
    'a statement of other requests',
    account(({ entries }) => ({ entries: entries.map((one) => ({ ...one, requestId: 'req_other' })) })),
    'the statement has each charge once',
  ],
  [
    'a replay that says it was charged',
    request('cut late', 'BVN_VERIFIED', { isReplay: false, charged: '1' }),
    'charged data has one charge row',
  ],
  [
    'a replay that costs',
    request('cut late', 'BVN_VERIFIED', { charged: '1' }),
    'X-Credits-Charged is the price of data, and else 0',
  ],
  [
    'books that differ',
    (day) => ({ ...day, reconciliation: { words: 'They do not.', differencesLater: 0 } }),
    'reconcile says that the books agree',
  ],
  [
    'books that differ later',
    (day) => ({ ...day, reconciliation: { ...day.reconciliation, differencesLater: 1 } }),
    'the books agree once all is settled',
  ],
  [
    'a wallet that keeps a credit',
    lines((line) => [line.kind === 'event' && line.name === 'empty' ? { ...line, available: 1 } : line]),
    'a wallet pays to its last credit',
  ],
  [
    'a top-up that does not help',
    lines((line) =>
      line.kind === 'request' && line.wallet === HOT && line.wish === 'too late' && line.status === 200
        ? []
        : [line],
    ),
    'after a top-up the same wishes are paid for',
  ],
  [
    'a wish that is charged twice',
    request('fast', 'NIN_VERIFIED', { wish: 'old key' }),
    'a wish is charged at most once',
  ],
];

const ANSWERS: readonly (readonly [what: string, spoil: Spoil, rule: string])[] = [
  ['a request lost without a kill', withoutEvent('kill'), 'only a kill loses a request'],
  [
    'a loss that another kill explains',
    lines((line) => [line.kind === 'event' && line.name === 'kill' ? { ...line, route: 'nin-basic' } : line]),
    'only a kill loses a request',
  ],
  [
    'a 500',
    request('missing', 'NIN_NOT_FOUND', { code: 'SERVER_ERROR', status: 500 }),
    'no function answers 500',
  ],
  [
    'an outage in the morning',
    request('missing', 'NIN_NOT_FOUND', { code: 'SERVICE_UNAVAILABLE', status: 503 }),
    'answers are those of their hour',
  ],
  [
    'a 503 that does not say when',
    request('no second provider', 'SERVICE_UNAVAILABLE', { retryAfterSeconds: null }),
    'who must wait is told for how long',
  ],
  ['data that was never fetched again', withoutRequest('cut late', 'BVN_VERIFIED'), 'every wish has an end'],
  [
    'a revoked key that works',
    request('forgetful', 'NIN_VERIFIED', { keyLabel: 'backend' }),
    'a revoked key is refused from then on',
  ],
  [
    'a key that is refused too early',
    request('old key', 'NIN_VERIFIED', { code: 'INVALID_API_KEY', status: 401, charged: '0' }),
    'a working key is not refused',
  ],
  [
    'an old version that goes on serving',
    request('version 2', 'TIN_VERIFIED', { provider: 'Sandbox' }),
    'a version serves from its deployment on',
  ],
  ['a version that is not taken back', withoutEvent('deployed'), 'a version is deployed and taken back'],
  ['old processes that stay', log({ retiredVersions: 1 }), 'replaced versions end'],
  ['an outage that health does not show', withoutEvent('health'), 'an outage is seen, passed by and over'],
  ['an outage without metrics', log({ lookUps: {} }), 'an outage is seen, passed by and over'],
  ['a 402 that no metric counts', log({ answers: {} }), 'metrics count each 402'],
  ['a fault in the metrics', log({ faults: 1 }), 'no fault is counted'],
  ['a charge in doubt', log({ unconfirmedCharges: 1 }), 'no charge is unconfirmed'],
  [
    'no sweep',
    log({ sweeps: { count: 0, returned: 0, failed: 0, oldestHoldMs: 0 } }),
    'the sweeper runs and does not fail',
  ],
  [
    'a day without a kill',
    (day) => withoutRequest('cut early', 'cut')(withoutRequest('cut late', 'cut')(day)),
    'the day had what it was for',
  ],
];

describe('the judgement of a day', () => {
  test('finds nothing in a good one', () => {
    expect(judge(inventedDay())).toEqual([]);
  });

  test.each([...MONEY, ...ANSWERS])('finds %s', (_, spoil, rule) => {
    expect(judge(spoil(inventedDay())).map((violation) => violation.rule)).toContain(rule);
  });
});

test('the table counts requests, answers, credits and losses by phase', () => {
  const morning = dayTable(inventedDay().lines)
    .split('\n')
    .find((line) => line.startsWith('| morning'));
  expect(morning).toBe(
    '| morning | 8 | 2 × 200 verified, 1 × 400 *_NOT_FOUND, 1 × 429 RATE_LIMITED, 1 × 409 REQUEST_IN_PROGRESS, 1 × 200 replayed | 2 | 2 | 1000 | 1000 |',
  );
});

test('a good client waits for Retry-After, doubles its pauses, and knows when to stop', () => {
  const seen = (code: string, retryAfterSeconds: number | null = null) => ({ code, retryAfterSeconds });
  expect(pauseAfter(seen('RATE_LIMITED', 7), 1, 0)).toBe(7_000);
  expect(pauseAfter(seen('SERVICE_UNAVAILABLE', 1), 3, 1)).toBe(4_000);
  expect(pauseAfter(seen('SERVICE_UNAVAILABLE', 1), 5, 0)).toBeUndefined();
  expect(pauseAfter(seen('cut'), 5, 0)).toBe(4_000);
  expect(pauseAfter(seen('TIMEOUT'), 1, 0)).toBe(500);
  expect(pauseAfter(seen('TIMEOUT'), 2, 0)).toBeUndefined();
  expect(pauseAfter(seen('NIN_NOT_FOUND'), 1, 0)).toBeUndefined();
});
