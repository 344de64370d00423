import { describe, expect, test } from '@jest/globals';
import type { IdType } from '../../../shared/core/id-types.ts';
import {
  fingerprints,
  numberTags,
  pepperVersion,
  tagsOfAllTypes,
} from '../../../shared/verifications/number-tag.ts';

const PEPPER = { current: 'a pepper of this test, long enough to be valid' };
const SCOPE = { env: 'live', organisationId: 'Ab3dEf6hIj' } as const;
const NIN = '70123456789';

const tagOf = (
  scope: typeof SCOPE | { env: 'test' | 'live'; organisationId: string },
  idType: IdType = 'NIN',
  number = NIN,
) => numberTags(PEPPER, scope, idType, number)[0];

describe('the tag of an ID number', () => {
  test('is always the same for one number, organisation and environment', () => {
    expect(tagOf(SCOPE)).toBe(tagOf(SCOPE));
    expect(tagOf(SCOPE)).toMatch(/^[0-9a-f]{4}\.[A-Za-z0-9_-]{22}$/);
  });

  test('differs by organisation, environment, ID type and number', () => {
    const tags = [
      tagOf(SCOPE),
      tagOf({ ...SCOPE, organisationId: 'Zz3dEf6hIj' }),
      tagOf({ ...SCOPE, env: 'test' }),
      tagOf(SCOPE, 'BVN'),
      tagOf(SCOPE, 'NIN', '70123456788'),
    ];

    expect(new Set(tags).size).toBe(tags.length);
  });

  test('of a virtual NIN is of a type of its own, so that it permits no slip', () => {
    const virtual = 'AB012345678910YZ';
    // The type in the tag does not depend on the route.
    expect(tagOf(SCOPE, 'NIN', virtual)).toBe(tagOf(SCOPE, 'BVN', virtual));
    expect(tagOf(SCOPE, 'NIN', virtual)).not.toBe(tagOf(SCOPE, 'NIN', NIN));
  });

  test.each<[IdType, string, IdType[]]>([
    ['NIN', NIN, ['NIN', 'TIN']],
    ['TIN', NIN, ['NIN', 'TIN']],
    ['CAC', 'RC7000', ['CAC', 'TIN']],
    ['TIN', 'RC7000', ['CAC', 'TIN']],
    ['CAC', 'BN7000', ['CAC']],
    ['CAC', 'LLP12345678', ['CAC']],
    ['BVN', NIN, ['BVN']],
    ['TIN', '1234567890123', ['TIN']],
    ['NUBAN', '0123456789', ['NUBAN']],
    ['NIN', 'AB012345678910YZ', ['NIN']],
    ['NIN', 'RC012345678910YZ', ['NIN']],
  ])('the %s %s has tags of all its types: %j', (idType, number, types) => {
    expect(tagsOfAllTypes(PEPPER, SCOPE, idType, number)).toEqual(
      types.map((type) => tagOf(SCOPE, type, number)),
    );
  });

  test('does not contain the number', () => {
    expect(tagOf(SCOPE)).not.toContain(NIN);
  });

  test('is returned for the current and the previous pepper after a rotation', () => {
    const rotated = {
      current: 'the next pepper of this test, as long as the last',
      previous: PEPPER.current,
    };
    const [current, previous, ...more] = numberTags(rotated, SCOPE, 'NIN', NIN);

    expect(previous).toBe(tagOf(SCOPE));
    expect(current).not.toBe(previous);
    expect(more).toEqual([]);
  });

  test('cannot be computed without a pepper', () => {
    expect(() => numberTags({}, SCOPE, 'NIN', NIN)).toThrow('PEPPER');
  });
});

describe('the fingerprint of a request', () => {
  test('is always the same for one request and differs from the number tag', () => {
    expect(fingerprints(PEPPER, SCOPE, 'x')).toEqual(fingerprints(PEPPER, SCOPE, 'x'));
    expect(fingerprints(PEPPER, SCOPE, `NIN:${NIN}`)).not.toContain(tagOf(SCOPE));
  });

  test("is returned for both peppers after a rotation, each with its pepper's version", () => {
    const rotated = {
      current: 'the next pepper of this test, as long as the last',
      previous: PEPPER.current,
    };
    const prints = fingerprints(rotated, SCOPE, 'x');
    expect(prints[1]).toBe(fingerprints(PEPPER, SCOPE, 'x')[0]);
    expect(prints.map(pepperVersion)).toEqual(numberTags(rotated, SCOPE, 'NIN', NIN).map(pepperVersion));
    expect(new Set(prints.map(pepperVersion)).size).toBe(2);
  });
});
