import { expect, test } from '@jest/globals';
import { ServiceError } from '../../../shared/core/errors.ts';
import { endOfLookUp } from '../../../shared/verifications/middleware/end-of-look-up.ts';

const provider = { name: 'scripted', displayName: 'Scripted' };

const found = (more: object) => ({ kind: 'found', content: { type: 'json', data: {}, ...more } });

const onlyMatch = (result: string, reasons: string[] = [], overall = 'strong') =>
  found({ isMatchOnly: true, match: { overall, fields: { middlename: { result, score: 0, reasons } } } });

test.each([
  ['a record', found({}), 'found'],
  ['a record that does not match', found({ match: { overall: 'none' } }), 'found'],
  ['a match without the record', onlyMatch('strong'), 'found'],
  ['a match with an initial without the record', onlyMatch('partial', ['INITIAL']), 'found'],
  ['a match with a name that nobody has', onlyMatch('not_in_record'), 'found'],
  ['one wrong detail of a match without the record', onlyMatch('none'), 'miss'],
  ['a changed surname without the record', onlyMatch('none', ['SURNAME_CHANGED']), 'miss'],
  ['one detail that is nearly right', onlyMatch('partial'), 'miss'],
  ['a detail that may be a guess', found({ ...onlyMatch('strong').content, mayBeGuess: true }), 'miss'],
  ['a partial match without the record', onlyMatch('exact', [], 'partial'), 'miss'],
  ['no match without the record', onlyMatch('exact', [], 'none'), 'miss'],
  ['no record', { kind: 'not-found', detail: '' }, 'miss'],
  ['a record without a photo', { kind: 'failed', detail: 'no-usable-photo', maybeBilled: true }, 'miss'],
  ['an account that no bank has', { kind: 'failed', detail: 'no-bank' }, 'miss'],
  ['names that differ at the provider', { kind: 'failed', detail: 'no-record' }, 'miss'],
  [
    'names that differ at a provider before an outage of the next',
    { kind: 'unreachable', detail: 'http-503', failedProviders: [{ detail: 'no-record' }] },
    'miss',
  ],
  ['a bank that does not respond', { kind: 'failed', detail: 'bank-not-responding' }, 'other'],
  ['a response that cannot be read', { kind: 'failed', detail: 'not-json' }, 'other'],
  ['a timeout that may be billed', { kind: 'timeout', detail: 'http-504', maybeBilled: true }, 'other'],
  ['a status of 500', { kind: 'unreachable', detail: 'http-500', maybeBilled: true }, 'other'],
  ['no provider that could be called', { kind: 'unreachable', detail: 'not-asked' }, 'other'],
])('%s: %o counts as %s', (_, result, end) => {
  expect(endOfLookUp({ ...result, provider }, undefined)).toBe(end);
});

test('only a slip of a number that was never verified is a miss among the errors', () => {
  const endOf = (error: unknown) => endOfLookUp(undefined, error);

  expect(endOf(new ServiceError('VERIFICATION_LOG_NOT_FOUND'))).toBe('miss');
  expect(endOf(new ServiceError('INSUFFICIENT_FUNDS'))).toBe('other');
  expect(endOf(new Error('a fault'))).toBe('other');
});
