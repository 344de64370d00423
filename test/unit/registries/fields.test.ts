import { describe, expect, jest, test } from '@jest/globals';
import * as v from 'valibot';
import * as fields from '../../../shared/registries/mapping/fields.ts';
import { readResult } from '../../../shared/registries/mapping/results.ts';
import type { RegistryResult } from '../../../shared/registries/port.ts';
import { PORTRAITS } from '../../../shared/registries/sandbox/pictures.ts';
import { charactersNormalised } from '../../support/registries/normalised.ts';

const { amountField, imageField, listOf, messageField, percentageField, textField, tokenField } = fields;

/** Every field whose text may have up to 600 characters. */
const TEXTS = Object.entries(fields).flatMap(([name, field]) =>
  typeof field === 'object' && 'kind' in field && field !== imageField && field !== tokenField
    ? [[name, field] as const]
    : [],
);

/** Returns the detail of the failure if a response has this value in the field, or undefined if it is accepted. */
function detailFor(field: v.GenericSchema, value: unknown): string | undefined {
  const read = jest.fn(() => ({ kind: 'not-found', detail: '' }) as const);
  const result = readResult(v.object({ entry: v.object({ field }) }), { entry: { field: value } }, read);
  return read.mock.calls.length > 0 || result.kind === 'found' ? undefined : result.detail;
}

test('the characters that a field normalises are counted', async () => {
  expect(await charactersNormalised(() => v.parse(textField, 'ABC'))).toBe(3);
});

test('the tested fields are those with a limit of 600 characters', () => {
  expect(TEXTS.map(([name]) => name).sort()).toEqual([
    'amountField',
    'dateField',
    'flagField',
    'genderField',
    'messageField',
    'percentageField',
    'phoneField',
    'textField',
  ]);
});

describe.each(TEXTS)('%s', (_, field) => {
  test.each([
    ['600 characters', 'A'.repeat(600)],
    ['600 characters outside the basic plane', '𞤀'.repeat(600)],
    [
      '600 characters with 5,400 control characters',
      `${'A\u0000\u0001'.repeat(600)}${'\u0000'.repeat(4_200)}`,
    ],
  ])('accepts %s', (_kind, value) => {
    expect(detailFor(field, value)).toBeUndefined();
  });

  test.each([
    ['601 characters', 'A'.repeat(601)],
    ['601 spaces', ' '.repeat(601)],
    ['601 characters outside the basic plane', '𞤀'.repeat(601)],
    ['601 characters with control characters', 'A\u0001'.repeat(601)],
    ['more than 6,000 control characters', '\u0000'.repeat(6_001)],
  ])('rejects %s, and the detail does not contain the value', (_kind, value) => {
    expect(detailFor(field, value)).toBe('text-over-600:entry.field');
  });

  test('checks the length before it normalises the text', async () => {
    const marks = '\u0301\u0323'.repeat(500_000);
    expect(await charactersNormalised(() => detailFor(field, marks))).toBe(0);
    expect(detailFor(field, marks)).toBe('text-over-600:entry.field');
  });
});

test('a message is required, and keeps strings that mean a missing value in other fields', () => {
  expect(detailFor(messageField, undefined)).toBe('unexpected-shape:entry.field');
  expect(v.parse(messageField, 'not found')).toBe('not found');
});

test('the detail names the length limit even if the field may also be an object', () => {
  const field = v.nullish(v.union([textField, v.object({ name: textField })]));
  expect(detailFor(field, 'A'.repeat(601))).toBe('text-over-600:entry.field');
  expect(detailFor(field, { name: 'A'.repeat(601) })).toBe('text-over-600:entry.field');
});

test.each([
  ['1,000,000', 1_000_000],
  ['₦1,000,000.00', 1_000_000],
  ['NGN 1,000,000', 1_000_000],
  ['=N=2 500 000.50', 2_500_000.5],
  ['&#8358;1,000,000 naira', 1_000_000],
  ['1,000,000 shares', 0],
  [2.5, 2.5],
  ['-1', 0],
  ['unknown', 0],
  [null, 0],
])('the amount %j becomes %j', (given, expected) => {
  expect(v.parse(amountField, given)).toBe(expected);
});

test.each([
  ['33.336 %', 33.34],
  ['100', 100],
  ['0', 0],
  ['100.01', null],
  ['-1', null],
  ['', null],
])('the percentage %j becomes %j', (given, expected) => {
  expect(v.parse(percentageField, given)).toBe(expected);
});

test('an image has at most 1,500,000 characters, checked before it is decoded', () => {
  const from = jest.spyOn(Buffer, 'from');
  expect(detailFor(imageField, 'A'.repeat(1_500_001))).toBe('image-over-1500000:entry.field');
  expect(from).not.toHaveBeenCalled();
  from.mockRestore();
  expect(v.parse(imageField, PORTRAITS.yoruba.f)).toBe(PORTRAITS.yoruba.f);
  expect(v.parse(imageField, 'A'.repeat(1_500_000))).toBe('');
});

test('a picture is read from any of its names, and a record without one says why', () => {
  const schema = v.object(fields.pictureFields);
  const found = { kind: 'found', record: {} } as unknown as RegistryResult;
  for (const name of Object.keys(fields.pictureFields)) {
    const picture = (json: unknown) => fields.pictureIn(v.parse(schema, json));
    expect([name, picture({ [name]: PORTRAITS.yoruba.f })]).toEqual([name, PORTRAITS.yoruba.f]);
    expect(readResult(schema, { [name]: PORTRAITS.yoruba.f }, () => found)).toEqual(found);
    const cut = PORTRAITS.yoruba.f.slice(0, 400);
    expect(readResult(schema, { [name]: cut }, () => found)).toEqual({
      ...found,
      pictureProblem: 'picture-incomplete',
    });
  }
});

test('a list has at most 500 entries, checked before the entries are parsed', () => {
  const parse = jest.fn(String);
  const list = listOf(v.pipe(v.unknown(), v.transform(parse)));
  expect(detailFor(list, Array(501).fill('A'))).toBe('list-over-500:entry.field');
  expect(parse).not.toHaveBeenCalled();
  expect(detailFor(list, Array(500).fill('A'))).toBeUndefined();
  expect(parse).toHaveBeenCalledTimes(500);
  expect(detailFor(list, { length: 1 })).toBe('unexpected-shape:entry.field');
});

test('a token has at most 8,000 visible ASCII characters', () => {
  expect(v.parse(tokenField, 'A'.repeat(8_000))).toHaveLength(8_000);
  expect(detailFor(tokenField, 'A'.repeat(8_001))).toBe('token-over-8000:entry.field');
  expect(v.is(tokenField, 'A\nB')).toBe(false);
});
