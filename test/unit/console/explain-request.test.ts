import { describe, expect, test } from '@jest/globals';
import { CATALOGUE, type ErrorCode } from '../../../shared/core/errors.ts';
import { OUTCOMES, type Outcome } from '../../../shared/core/outcome.ts';
import { explainRejected, explainRequest } from '../../../shared/verifications/console/explain-request.ts';

/** The console's explanation of a request. Every code and outcome has an explanation. */

const CODES = Object.keys(CATALOGUE) as ErrorCode[];
const SENTENCES = /^[A-Z][^?!]*[.](?: [A-Z"][^?!]*[.])*$/;
const HELPS = { no: 'no', once: 'yes', later: 'later' } as const;

function texts({ meaning, charge, retry }: ReturnType<typeof explainRequest>): readonly string[] {
  return [meaning, charge, retry.text];
}

const request = (outcome: Outcome, more: object = {}) =>
  explainRequest({ outcome, httpStatus: 200, creditsCharged: 0, ...more });

describe.each(CODES)('the code %s', (code) => {
  test('of a rejected request is explained with its charge and whether to retry, as the catalogue says', () => {
    const { status, message, retry, charged } = CATALOGUE[code];
    const explained = explainRejected(code);

    expect(explained.meaning).toBe(message);
    for (const text of texts(explained)) expect(text).toMatch(SENTENCES);
    expect(explained.retry.helps).toBe(HELPS[retry]);
    expect(explained.charge.startsWith('Not charged')).toBe(charged === 'no');
    const rejected = request('REFUSED', { httpStatus: status, code });
    expect([rejected.meaning, rejected.retry]).toEqual([message, explained.retry]);
  });
});

describe.each(OUTCOMES)('the outcome %s', (outcome) => {
  test('is explained without a code, and with an unknown code', () => {
    for (const code of [undefined, 'CODE_OF_A_LATER_VERSION']) {
      const explained = request(outcome, { code });
      for (const text of texts(explained)) expect(text).toMatch(SENTENCES);
      expect(explained.charge).toMatch(/^Not charged/);
    }
  });
});

test.each([
  ['FOUND', 'no'],
  ['NOT_FOUND', 'no'],
  ['FAILED', 'yes'],
  ['UNREACHABLE', 'later'],
  ['TIMEOUT', 'yes'],
  ['ERROR', 'yes'],
  ['ABANDONED', 'later'],
] as const)('a retry after %s helps: %s', (outcome, helps) => {
  expect(request(outcome).retry.helps).toBe(helps);
});

test.each([
  [503, 'later'],
  [429, 'later'],
  [400, 'no'],
])('a request that was rejected with %i and an unknown code may be retried: %s', (httpStatus, helps) => {
  expect(request('REFUSED', { httpStatus }).retry.helps).toBe(helps);
});

test.each([
  [
    'NIN_NOT_FOUND',
    { reason: 'wrong_format', field: 'id_number' },
    /^id_number must be exactly 11 digits, .* The registry was not asked\.$/,
    'no',
  ],
  [
    'INVALID_SCHEMA',
    { reason: 'missing_field', field: 'consent' },
    /^A required field is missing, .* Rejected field: consent\.$/,
    'no',
  ],
  ['INVALID_SCHEMA', { reason: 'unknown_field' }, /The response named the field\. It is not stored/, 'no'],
  ['INSUFFICIENT_FUNDS', { reason: 'held' }, /^Other requests hold the credits/, 'later'],
  ['RATE_LIMITED', { reason: 'reason_of_a_later_version' }, /^Too many requests\./, 'later'],
] as const)('%s is explained by its reason: %j', (code, details, meaning, helps) => {
  const explained = explainRejected(code, details);
  expect(explained.meaning).toMatch(meaning);
  expect(explained.meaning).not.toContain('no record');
  expect(explained.retry.helps).toBe(helps);
});

test('the charge for a record that was found is explained, and so are a replay and a price of 0', () => {
  expect(request('FOUND', { creditsCharged: 1 }).charge).toMatch(/^Charged 1 credit,/);
  expect(request('FOUND', { creditsCharged: 2 }).charge).toMatch(/^Charged 2 credits,/);
  expect(request('FOUND', { replayOf: '01K' }).charge).toContain('Idempotency-Key');
  expect(request('NOT_FOUND', { replayOf: '01K' }).charge).toContain('Idempotency-Key');
  expect(request('FOUND').charge).toContain('0 credits');
});

test('a slip that was made is explained as such, and one that was not like other requests', () => {
  const slip = request('FOUND', { service: 'nin-slip', creditsCharged: 1 });
  expect(slip.meaning).toBe('The slip was made from the record of this number.');
  expect(slip.charge).toBe('Charged 1 credit, because the slip was made.');
  expect(request('NOT_FOUND', { service: 'nin-slip' })).toEqual(request('NOT_FOUND'));
});
