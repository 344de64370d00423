import { describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { OUTCOMES } from '../../../shared/core/outcome.ts';
import { readQuery } from '../../../shared/http/query.ts';
import { transactionsQuery } from '../../../shared/ledger/routes/statement-query.ts';
import { verificationsQuery } from '../../../shared/verifications/routes/verifications-query.ts';

function queryOf(parameters: Readonly<Record<string, string>>): APIGatewayProxyEvent {
  const values = Object.entries(parameters).map(([name, value]) => [name, [value]]);
  return { multiValueQueryStringParameters: Object.fromEntries(values) } as APIGatewayProxyEvent;
}

const read = (parameters: Readonly<Record<string, string>>) =>
  readQuery(queryOf(parameters), verificationsQuery);

const TIME =
  'Send a date such as 2026-01-15, or a time such as 2026-01-15T09:30:00Z or 2026-01-15T10:30:00%2B01:00.';
const LIMIT = 'Send a whole number from 1 to 100.';
const REFERENCE = 'Send 1 to 100 characters, or leave the parameter out.';
const CURSOR = 'Send the next_cursor of the previous page, with the same other parameters.';

describe('the error for an invalid query parameter says what to send:', () => {
  test.each([
    ['from', 'yesterday', TIME],
    ['from', '2026-02-03T10:00:00', TIME],
    ['from', '2026-02-03T10:00:00+1', TIME],
    ['from', '2026-02-30T10:00:00+01:00', 'Send a date or time that exists.'],
    ['from', '2026-02-03T10:00:00+25:00', 'Send a date or time that exists.'],
    ['to', '2026-02-03 10:00', TIME],
    ['to', '', TIME],
    ['from', '2026-02-30', 'Send a date or time that exists.'],
    ['to', '2026-02-03T24:00:00Z', 'Send a date or time that exists.'],
    ['limit', '1000', LIMIT],
    ['limit', '101', LIMIT],
    ['limit', '0', LIMIT],
    ['limit', '1.5', LIMIT],
    ['limit', 'all', LIMIT],
    ['reference', '', REFERENCE],
    ['cursor', '', CURSOR],
    ['cursor', 'AAAA', CURSOR],
  ])('%s=%s', (field, value, hint) => {
    const rejected = expect.objectContaining({
      code: 'INVALID_SCHEMA',
      message: `The query parameter ${field} is not valid. ${hint}`,
      details: { reason: 'wrong_format', field, hint },
    });
    expect(() => read({ [field]: value })).toThrow(rejected);
  });

  test.each([
    ['reference', 'x'.repeat(101), REFERENCE],
    ['cursor', 'x'.repeat(401), CURSOR],
  ])('a long %s', (field, value, hint) => {
    const details = { reason: 'too_long', field, hint };
    expect(() => read({ [field]: value })).toThrow(expect.objectContaining({ details }));
  });
});

test.each([
  ['2026-02-03', '2026-02-03T00:00:00.000Z'],
  ['2026-02-03T10:00:00.5Z', '2026-02-03T10:00:00.500Z'],
  ['2026-02-03T00:30:00+01:00', '2026-02-02T23:30:00.000Z'],
  ['2026-02-03T00:30:00 01:00', '2026-02-02T23:30:00.000Z'],
  ['2026-12-31T20:00:00.123456-08:00', '2027-01-01T04:00:00.123Z'],
])('the time %s is %s', (value, expected) => {
  expect(read({ from: value, to: value })).toMatchObject({ from: expected, to: expected });
});

describe('the error for a value that a parameter does not accept:', () => {
  const services = /^The query parameter service must be "nin-basic", .* or "nin-slip"\. Send one of the/;

  test.each([
    [
      'outcome',
      'found',
      /^The query parameter outcome must be "FOUND", .* or "REJECTED"\. Did you mean "FOUND"\?$/,
    ],
    ['outcome', 'LOST', /"REJECTED"\. Send one of the documented values\.$/],
    ['service', 'nin', services],
    ['service', '', services],
    ['service', 'NIN-BASIC', /Did you mean "nin-basic"\?$/],
  ])('%s=%s: it lists the values', (field, value, message) => {
    const details = expect.objectContaining({ reason: 'wrong_value', field });
    expect(() => read({ [field]: value })).toThrow(
      expect.objectContaining({ message: expect.stringMatching(message), details }),
    );
  });

  test('type=Debit: it suggests a value', () => {
    expect(() => readQuery(queryOf({ type: 'Debit' }), transactionsQuery)).toThrow(
      'The query parameter type must be "debit" or "credit". Did you mean "debit"?',
    );
  });
});

test.each([...OUTCOMES, 'REJECTED'])('the outcome %s is accepted', (outcome) => {
  expect(read({ outcome })).toMatchObject({ outcome });
});

test('valid parameters are converted', () => {
  const query = { from: '2026-02-28', to: '2026-03-01T09:30:00Z', limit: '100', reference: 'x'.repeat(100) };
  expect(read(query)).toEqual({
    from: '2026-02-28T00:00:00.000Z',
    to: '2026-03-01T09:30:00.000Z',
    limit: 100,
    reference: query.reference,
  });
});
