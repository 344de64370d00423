import { describe, expect, test } from '@jest/globals';
import { compareWithSamples, differenceCount } from '../../../clients/operator/conformance/compare.ts';
import { fieldsOf } from '../../../shared/operators/json-structure.ts';

const sampleOf = (body: unknown, changes: { product?: string; complete?: boolean } = {}) => ({
  provider: 'kubra',
  product: 'nin',
  source: 'docs.kubra.example',
  path: '/v3/nin/{nin}',
  complete: true,
  fields: fieldsOf(body),
  ...changes,
});
const PUBLISHED = {
  status: true,
  person: { nin: '12345678901', phone: null, address: { town: 'Ikeja' } },
  relatives: [{ surname: 'Specimen', age: 7 }],
};
/** Returns the differences between a response and `PUBLISHED`. */
const differences = (response: unknown) => {
  const found = compareWithSamples(fieldsOf(response), [sampleOf(PUBLISHED)]);
  if (!found) throw new Error('There is no comparison.');
  const { missing, added, retyped } = found;
  return { missing, added, retyped, count: differenceCount(found) };
};
const NONE = { missing: [], added: [], retyped: [], count: 0 };

describe('the structure of a body', () => {
  test('has the type of each field by its path', () => {
    expect(fieldsOf(PUBLISHED)).toEqual({
      status: 'boolean',
      person: 'object',
      'person.nin': 'string',
      'person.phone': 'null',
      'person.address': 'object',
      'person.address.town': 'string',
      relatives: 'list',
      'relatives[]': 'object',
      'relatives[].surname': 'string',
      'relatives[].age': 'number',
    });
  });

  test('merges the entries of a list', () => {
    expect(fieldsOf({ list: [{ a: 1 }, { a: 'x', b: null }] })).toMatchObject({
      'list[].a': 'number or string',
      'list[].b': 'null',
    });
  });

  test('contains no values, not even those used as keys', () => {
    const fields = fieldsOf({ '12345678901': { 'person 12345678901': 'x' }, [`k${'x'.repeat(80)}`]: 1 });
    expect(fields).toEqual({ '<key>': expect.any(String), '<key>.<key>': 'string' });
  });

  test('is limited in depth, even if the body is hostile', () => {
    expect(Object.keys(fieldsOf(JSON.parse(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`)))).toHaveLength(
      12,
    );
  });

  test.each([null, 'text', 7, undefined])('is empty if the body is %j', (body) => {
    expect(fieldsOf(body)).toEqual({});
  });
});

describe('a response in the comparison', () => {
  test('with the published fields but different values does not differ', () => {
    const person = { nin: '', phone: '08012345678', address: { town: '' } };
    expect(differences({ ...PUBLISHED, person })).toEqual(NONE);
  });

  test('that has null, or an empty list, instead of a value does not differ', () => {
    const person = { nin: null, phone: null, address: null };
    expect(differences({ status: true, person, relatives: [] })).toEqual(NONE);
  });

  test('that lacks a field is reported with its path', () => {
    const person = { nin: '12345678901', phone: null };
    expect(differences({ ...PUBLISHED, person })).toEqual({ ...NONE, missing: ['person.address'], count: 1 });
    expect(differences({ ...PUBLISHED, relatives: [{ surname: 'x' }] }).missing).toEqual(['relatives[].age']);
  });

  test('that has an additional field is reported with its path', () => {
    const person = { ...PUBLISHED.person, address: { town: '', street: { name: 'x', number: 1 } } };
    expect(differences({ ...PUBLISHED, person })).toEqual({
      ...NONE,
      added: ['person.address.street'],
      count: 1,
    });
  });

  test('that has a value of a different type is reported with both types', () => {
    expect(differences({ ...PUBLISHED, person: { ...PUBLISHED.person, nin: 12345678901 } })).toEqual({
      ...NONE,
      retyped: [{ path: 'person.nin', sample: 'string', response: 'number' }],
      count: 1,
    });
  });

  test('is compared with the closest of several variants', () => {
    const variants = [
      sampleOf({ a: 1, b: 1, c: 1 }, { product: 'one' }),
      sampleOf({ a: 1 }, { product: 'two' }),
    ];
    expect(compareWithSamples(fieldsOf({ a: 1, b: 1 }), variants)).toMatchObject({ missing: ['c'] });
    expect(compareWithSamples(fieldsOf({ a: 1 }), variants)).toMatchObject({ product: 'two', missing: [] });
    expect(compareWithSamples(fieldsOf({ a: 1 }), [])).toBeUndefined();
  });

  test('is not compared with a variant in which a value of a different type hides differences', () => {
    const variants = [
      sampleOf({ data: [{ a: 1, b: 1, c: 1 }] }, { product: 'list' }),
      sampleOf({ data: { a: 1, b: 1, c: 1 } }, { product: 'object' }),
    ];
    expect(compareWithSamples(fieldsOf({ data: { a: 1, x: 1 } }), variants)).toMatchObject({
      product: 'object',
      missing: ['data.b', 'data.c'],
      added: ['data.x'],
    });
  });

  test('may have additional fields if the sample is incomplete', () => {
    const found = compareWithSamples(fieldsOf({ a: 1, b: 1 }), [sampleOf({ a: 1 }, { complete: false })]);
    expect(found).toMatchObject({ added: ['b'], complete: false });
    expect(found && differenceCount(found)).toBe(0);
  });
});
