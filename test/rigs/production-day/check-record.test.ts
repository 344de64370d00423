import { describe, expect, test } from '@jest/globals';
import type { JsonRow } from '../../ledger/checker/evidence.ts';
import { checkAlways, checkRecord } from './check-record.ts';
import { isStillOpen, pauseAfter } from './client.ts';
import { killEffects, type Line, type RequestLine, requestsOf } from './journal.ts';
import type { Account, SimulationRecord } from './record.ts';
import { CUSTOMER } from './record-builder.ts';
import { HOT, sampleRecord } from './sample-record.ts';
import { phaseTable } from './table.ts';

/** Adds faults to a record without faults, one at a time. The checks must find each of them. */

type Edit = (record: SimulationRecord) => SimulationRecord;

const lines =
  (edit: (line: Line) => readonly Line[]): Edit =>
  (record) => ({ ...record, lines: record.lines.flatMap(edit) });
const request = (key: string, code: string, change: Partial<RequestLine>) =>
  lines((line) =>
    line.kind === 'request' && line.idempotencyKey === key && line.code === code
      ? [{ ...line, ...change }]
      : [line],
  );
const withoutEvent = (name: string) =>
  lines((line) => (line.kind === 'event' && line.name === name ? [] : [line]));
const withoutRequest = (key: string, code: string) =>
  lines((line) =>
    line.kind === 'request' && line.idempotencyKey === key && line.code === code ? [] : [line],
  );
const rows =
  (table: 'wallets' | 'logs', edit: (row: JsonRow) => readonly JsonRow[]): Edit =>
  (record) => ({ ...record, rows: { ...record.rows, [table]: record.rows[table].flatMap(edit) } });
const isOf = (row: JsonRow, sk: string) => row['sk'] === sk;
const account =
  (change: (account: Account) => Partial<Account>): Edit =>
  (record) => ({ ...record, accounts: record.accounts.map((one) => ({ ...one, ...change(one) })) });
const log =
  (change: Partial<SimulationRecord['log']>): Edit =>
  (record) => ({ ...record, log: { ...record.log, ...change } });

const MONEY: readonly (readonly [what: string, edit: Edit, rule: string])[] = [
  [
    'a record that was not charged',
    (record) => {
      const [one] = record.lines.filter((line) => line.kind === 'request' && line.code === 'NIN_VERIFIED');
      return one
        ? {
            ...record,
            lines: [...record.lines, { ...one, idempotencyKey: 'added', requestId: 'req_added' } as Line],
          }
        : record;
    },
    'a paid record has one charge row',
  ],
  [
    'a charge row of a rejected request',
    (record) => {
      const refused = record.lines.find(
        (line) => line.kind === 'request' && line.code === 'SERVICE_UNAVAILABLE',
      );
      const requestId = refused?.kind === 'request' ? refused.requestId : '';
      return rows('wallets', (row) => (row['requestId'] === 'req_unseen' ? [{ ...row, requestId }] : [row]))(
        record,
      );
    },
    'a response without a new record is free',
  ],
  [
    'a second charge',
    rows('wallets', (row) => (isOf(row, 'CHARGE') ? [row, { ...row, pk: `${row['pk']}-2` }] : [row])),
    'one charge for each verification that was charged',
  ],
  [
    'a different price',
    rows('wallets', (row) => (isOf(row, 'CHARGE') ? [{ ...row, cost: 2 }] : [row])),
    'top-ups - charges = balance',
  ],
  [
    'a lost charge row',
    rows('wallets', (row) => (row['requestId'] === 'req_unseen' ? [] : [row])),
    'one charge for each verification that was charged',
  ],
  [
    'a lost log row',
    rows('logs', (row) => (row['creditsCharged'] === 1 ? [] : [row])),
    'a paid record has one log row',
  ],
  [
    'a different shard',
    rows('wallets', (row) => (isOf(row, 'WALLET') ? [{ ...row, available: 7 }] : [row])),
    'ledger: credited = available + held + spent',
  ],
  [
    'a different balance',
    account(({ available }) => ({ available: available + 1 })),
    'top-ups - charges = balance',
  ],
  ['a hold that remains', account(() => ({ held: 1 })), 'nothing is held at the end'],
  [
    'a statement without its last line',
    account(({ entries }) => ({ entries: entries.slice(0, -1) })),
    'the statement adds up',
  ],
  [
    'a statement of other requests',
    account(({ entries }) => ({ entries: entries.map((one) => ({ ...one, requestId: 'req_other' })) })),
    'the statement contains each charge once',
  ],
  [
    'a replay that claims to be a new record',
    request('cut late', 'BVN_VERIFIED', { isReplay: false, charged: '1' }),
    'a paid record has one charge row',
  ],
  [
    'a replay that costs',
    request('cut late', 'BVN_VERIFIED', { charged: '1' }),
    'X-Credits-Charged is the price of a new record, and otherwise 0',
  ],
  [
    'a difference',
    (record) => ({ ...record, reconciliation: { ...record.reconciliation, differences: 1 } }),
    'the reconciliation finds no difference',
  ],
  [
    'a difference that remains',
    (record) => ({ ...record, reconciliation: { ...record.reconciliation, differencesLater: 1 } }),
    'no difference remains once everything is settled',
  ],
  [
    'a wallet with a credit left',
    lines((line) => [line.kind === 'event' && line.name === 'empty' ? { ...line, available: 1 } : line]),
    'a wallet pays until its last credit is used',
  ],
  [
    'a top-up without effect',
    lines((line) =>
      line.kind === 'request' &&
      line.wallet === HOT &&
      line.idempotencyKey === 'too late' &&
      line.status === 200
        ? []
        : [line],
    ),
    'after a top-up the same verifications are paid for',
  ],
  [
    'a verification that is charged twice',
    request('fast', 'NIN_VERIFIED', { idempotencyKey: 'before' }),
    'a verification is charged at most once',
  ],
];

const RESPONSES: readonly (readonly [what: string, edit: Edit, rule: string])[] = [
  ['a request lost without a kill', withoutEvent('kill'), 'only a kill loses a request'],
  [
    'a request lost by a kill of another function',
    lines((line) => [line.kind === 'event' && line.name === 'kill' ? { ...line, route: 'nin-basic' } : line]),
    'only a kill loses a request',
  ],
  [
    'a 500',
    request('missing', 'NIN_NOT_FOUND', { code: 'SERVER_ERROR', status: 500 }),
    'no function responds with 500',
  ],
  [
    'an outage in the morning',
    request('missing', 'NIN_NOT_FOUND', { code: 'SERVICE_UNAVAILABLE', status: 503 }),
    'each response has a code of its phase',
  ],
  [
    'a 503 without Retry-After',
    request('no second provider', 'SERVICE_UNAVAILABLE', { retryAfterSeconds: null }),
    'a response that asks for a retry contains Retry-After',
  ],
  [
    'a cut request that is not retried',
    withoutRequest('cut late', 'BVN_VERIFIED'),
    'every verification ends',
  ],
  [
    'a revoked key that works',
    request('after', 'NIN_VERIFIED', { keyLabel: 'backend' }),
    'a revoked key is rejected',
  ],
  [
    'a key that is rejected too early',
    request('before', 'NIN_VERIFIED', { code: 'INVALID_API_KEY', status: 401, charged: '0' }),
    'a working key is not rejected',
  ],
  [
    'an old release that continues to serve',
    request('release 2', 'TIN_VERIFIED', { provider: 'Sandbox' }),
    'a release serves requests once it is deployed',
  ],
  ['a release that is not rolled back', withoutEvent('deployed'), 'a release is deployed and rolled back'],
  ['old functions that remain', log({ retiredVersions: 1 }), 'replaced functions end'],
  [
    'an outage that GET /v1/health does not report',
    withoutEvent('health'),
    'an outage is detected and bypassed, and ends',
  ],
  ['an outage without look-ups', log({ lookUps: {} }), 'an outage is detected and bypassed, and ends'],
  ['an outage without metrics', log({ failedLookUps: 0 }), 'an outage is detected and bypassed, and ends'],
  ['a 402 that is not in the log', log({ responses: {} }), 'the log shows each 402'],
  ['a fault in the metrics', log({ faults: 1 }), 'no fault is counted'],
  ['an unconfirmed charge', log({ unconfirmedCharges: 1 }), 'no charge is unconfirmed'],
  [
    'no sweep',
    log({ sweeps: { count: 0, released: 0, failed: 0, oldestHoldMs: 0 } }),
    'the sweeper runs without failures',
  ],
  [
    'a simulation without a kill',
    (record) => withoutRequest('cut early', 'cut')(withoutRequest('cut late', 'cut')(record)),
    'the simulation contains every kind of request',
  ],
];

test('kills are counted by what they cut off', () => {
  expect(killEffects(sampleRecord().lines)).toEqual({ kills: 2, beforeCharge: 1, afterCharge: 1 });
});

describe('the check of a record', () => {
  test('finds nothing in a record without faults', () => {
    expect(checkRecord(sampleRecord())).toEqual([]);
  });

  test('accepts a charge whose record and replays were all cut off, but no second charge', () => {
    const record = sampleRecord((builder) => {
      const lost = { idempotencyKey: 'cut with its replays', route: 'bvn-basic' };
      for (let attempt = 1; attempt <= 4; attempt += 1)
        builder.request({ ...lost, code: 'cut', status: 500 });
      builder.charge('req_lost', CUSTOMER);
      builder.request({ ...lost, code: 'REPLAY_EXHAUSTED', status: 409 });
    });
    expect(checkAlways(record)).toEqual([]);
    const twice = rows('wallets', (row) =>
      row['requestId'] === 'req_lost' && isOf(row, 'CHARGE')
        ? [row, { ...row, pk: `${row['pk']}-2` }]
        : [row],
    );
    expect(checkAlways(twice(record)).map(({ rule }) => rule)).toContain(
      'one charge for each verification that was charged',
    );
  });

  test('accepts a charge that no response shows, but only if the client gave up after a kill and an error', () => {
    const lostWith = (code: 'SERVER_ERROR' | 'BVN_NOT_FOUND') =>
      sampleRecord((builder) => {
        const lost = { idempotencyKey: 'cut and given up', route: 'bvn-basic' };
        builder.request({ ...lost, code: 'cut', status: 500 });
        builder.charge('req_lost', CUSTOMER);
        builder.request({ ...lost, code, status: code === 'SERVER_ERROR' ? 500 : 400 });
      });
    const rule = 'one charge for each verification that was charged';
    expect(checkRecord(lostWith('SERVER_ERROR')).map((violation) => violation.rule)).not.toContain(rule);
    expect(checkRecord(lostWith('BVN_NOT_FOUND')).map((violation) => violation.rule)).toContain(rule);
  });

  test('accepts a 500 only if a table did not respond in time', () => {
    const failed = request('missing', 'NIN_NOT_FOUND', { code: 'SERVER_ERROR', status: 500 })(sampleRecord());
    const requestId = requestsOf(failed.lines).find(({ code }) => code === 'SERVER_ERROR')?.requestId ?? '';
    expect(checkAlways(log({ ...failed.log, tableTimeouts: [requestId] })(failed))).toEqual([]);
    expect(checkAlways(log({ ...failed.log, tableTimeouts: ['req_other'] })(failed))).not.toEqual([]);
  });

  test.each([...MONEY, ...RESPONSES])('finds %s', (_, edit, rule) => {
    expect(checkRecord(edit(sampleRecord())).map((violation) => violation.rule)).toContain(rule);
  });
});

test('the table counts requests, responses, credits and losses by phase', () => {
  const morning = phaseTable(sampleRecord().lines)
    .split('\n')
    .find((line) => line.startsWith('| morning'));
  expect(morning).toBe(
    '| morning | 8 | 2 × 200 verified, 1 × 400 *_NOT_FOUND, 1 × 429 RATE_LIMITED, 1 × 409 REQUEST_IN_PROGRESS, 1 × 200 replayed | 2 | 2 | 1000 | 1000 |',
  );
});

test('the client waits for Retry-After, backs off exponentially, and gives up', () => {
  const response = (code: string, retryAfterSeconds: number | null = null) => ({ code, retryAfterSeconds });
  expect(pauseAfter(response('RATE_LIMITED', 7), 1, 0)).toBe(7_000);
  expect(pauseAfter(response('SERVICE_UNAVAILABLE', 1), 3, 1)).toBe(4_000);
  expect(pauseAfter(response('SERVICE_UNAVAILABLE', 1), 5, 0)).toBeUndefined();
  expect(pauseAfter(response('cut'), 5, 0)).toBe(4_000);
  expect(pauseAfter(response('TIMEOUT'), 1, 0)).toBe(500);
  expect(pauseAfter(response('TIMEOUT'), 2, 0)).toBeUndefined();
  expect(pauseAfter(response('NIN_NOT_FOUND'), 1, 0)).toBeUndefined();
});

test('the client continues until it knows whether it was charged', () => {
  const response = { code: 'RATE_LIMITED', retryAfterSeconds: 1 };
  expect(isStillOpen(false, 'cut')).toBe(true);
  expect(isStillOpen(true, 'RATE_LIMITED')).toBe(true);
  expect(isStillOpen(false, 'RATE_LIMITED')).toBe(false);
  expect(isStillOpen(true, 'NIN_VERIFICATION_FAILED')).toBe(false);
  expect(pauseAfter(response, 6, 0, false)).toBeUndefined();
  expect(pauseAfter(response, 6, 0, true)).toBe(4_000);
});
