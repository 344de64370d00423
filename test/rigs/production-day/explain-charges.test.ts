import { describe, expect, test } from '@jest/globals';
import { checkAlways } from './check-record.ts';
import { type Explanation, explainCharges, type LenderView, type LogEntry } from './explain-charges.ts';
import type { LenderFiles, SentCheck } from './lending.ts';
import { CUSTOMER } from './record-builder.ts';
import { sampleRecord } from './sample-record.ts';

/** Adds faults to what the API says of a lender's day, one at a time. The explanation must find each of them. */

/** A usual charge, one that a replay showed, one whose response was lost, an erased one, and a mistyped number. */
const SENT: readonly SentCheck[] = [
  sent('application-1', { requestId: 'req_1' }),
  sent('application-2', { requestId: 'req_2_replay' }),
  sent('application-3', { requestId: undefined }),
  sent('application-4', { requestId: undefined }),
  sent('application-5', { requestId: 'req_5', isMistyped: true, isCharged: false }),
];

function sent(applicant: string, more: Partial<SentCheck>): SentCheck {
  const idempotencyKey = `${applicant}-nin`;
  const usual = {
    applicant,
    route: 'nin-basic',
    idempotencyKey,
    isMistyped: false,
    isCharged: true,
  } as const;
  return { ...usual, requestId: undefined, ...more };
}

function files(): LenderFiles {
  return { sent: [...SENT], erased: new Set(['application-4']), unfinished: 0 };
}

const entry = (request_id: string, more: Partial<LogEntry> = {}): LogEntry => ({
  ...{ request_id, service: 'nin-basic', credits_charged: 1, is_replay: false, replay_of: null },
  ...{ reference: null, ...more },
});
const use = (request_id: string, key_state = 'charged') => [
  { route: 'nin-basic', key_state, request_id, credits_charged: key_state === 'charged' ? 1 : 0 },
];
const CHARGED = ['req_1', 'req_2', 'req_3', 'req_4'];
const VIEW: LenderView = {
  ...{ opening: 0, credited: 10, closing: 6, balance: 6 },
  debits: CHARGED.map((request_id) => ({ amount: -1, request_id, service: 'nin-basic' })),
  entries: [
    entry('req_1', { reference: 'application-1' }),
    entry('req_2'),
    entry('req_2_replay', { credits_charged: 0, is_replay: true, replay_of: 'req_2' }),
    entry('req_3', { reference: 'application-3' }),
    entry('req_4'),
    entry('req_5', { credits_charged: 0, reference: 'application-5' }),
  ],
  uses: new Map([
    ...CHARGED.map((id, index) => [`application-${index + 1}-nin`, use(id)] as const),
    ['application-5-nin', use('req_5', 'not_charged')],
  ]),
};

type Edit = (view: LenderView) => LenderView;
const ofKey =
  (key: string, uses: ReturnType<typeof use>): Edit =>
  (view) => ({ ...view, uses: new Map([...view.uses, [key, uses]]) });
const ofEntry =
  (id: string, change: Partial<LogEntry>): Edit =>
  (view) => ({
    ...view,
    entries: view.entries.map((one) => (one.request_id === id ? { ...one, ...change } : one)),
  });

const FAULTS: readonly (readonly [what: string, edit: Edit, problem: string])[] = [
  ['a charge that nothing explains', ofKey('application-4-nin', []), 'the charge req_4 belongs to 0 checks'],
  [
    'a charge of two checks',
    ofKey('application-5-nin', use('req_1')),
    'the charge req_1 belongs to 2 checks',
  ],
  [
    'a key that does not name its charge',
    ofKey('application-1-nin', []),
    'no idempotency key names the charge req_1',
  ],
  [
    'a key in progress',
    ofKey('application-5-nin', use('req_5', 'in_progress')),
    'application-5-nin is still in progress',
  ],
  [
    'a charge without a line',
    ofKey('application-3-nin', use('req_9')),
    'application-3-nin was charged 1 times, with 0 lines',
  ],
  [
    'a charged typing error',
    ofKey('application-5-nin', use('req_1')),
    'application-5-nin was charged without a record',
  ],
  [
    'a record without a charge',
    ofKey('application-3-nin', []),
    'application-3-nin returned a record without a charge',
  ],
  [
    'a replay without its charge',
    ofEntry('req_2_replay', { replay_of: null }),
    'the replay req_2_replay names no charge',
  ],
  [
    'a log entry without a charge',
    ofEntry('req_3', { credits_charged: 0 }),
    'req_3 is only in the log or only in the statement',
  ],
  [
    'a reference that was not erased',
    ofEntry('req_4', { reference: 'application-4' }),
    'req_4 has the reference of an erased applicant',
  ],
  [
    'a line of another price',
    (view) => ({ ...view, debits: view.debits.map((one) => ({ ...one, amount: -2 })) }),
    'application-1-nin has a line of another price or service',
  ],
  [
    'a second line',
    (view) => ({ ...view, debits: [...view.debits, ...view.debits.slice(0, 1)] }),
    'the statement has two lines of one request',
  ],
  [
    'another balance',
    (view) => ({ ...view, balance: 7 }),
    'the lines add up to 6, the statement closes with 6, the balance is 7',
  ],
];

describe('the explanation of charges', () => {
  test('names the check of each charge, and how it was found', () => {
    expect(explainCharges(files(), VIEW)).toEqual({
      ...{ applicants: 5, numbersSent: 5, mistyped: 1, unfinishedChecks: 0, charges: 4 },
      ...{ byRequestId: 1, byReplay: 1, byReference: 1, byKeyOnly: 1, unexplained: 0 },
      ...{ erasedApplicants: 1, erasedCharges: 1, erasedReplays: 0, problems: [] },
    });
  });

  test.each(FAULTS)('finds %s', (_, edit, problem) => {
    expect(explainCharges(files(), edit(VIEW)).problems).toContain(problem);
  });
});

test('a check that does not end, and a key held up by typing errors, are violations', () => {
  const explanation: Explanation = explainCharges({ ...files(), unfinished: 1 }, VIEW);
  const record = sampleRecord((builder) => {
    builder.phase = 'lending';
    const held = { idempotencyKey: 'held up', status: 429, wallet: CUSTOMER } as const;
    builder.request({ ...held, code: 'RATE_LIMITED', reason: 'miss_limit', retryAfterSeconds: 10 });
  });
  expect(checkAlways({ ...record, explanation })).toEqual([
    { rule: 'every check ends', detail: '1 did not' },
    { rule: 'typing errors hold up no key', detail: '1 requests waited' },
  ]);
});
