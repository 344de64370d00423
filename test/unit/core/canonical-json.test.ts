import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson, canonicalSha256 } from '../../../shared/core/canonical-json.ts';

/** Returns the value with the attributes of all objects in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, part]) => [name, reversed(part)] as const)
      .reverse(),
  );
}

const data = fc.letrec((part) => ({
  value: fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
    fc.array(part('value'), { maxLength: 4 }),
    fc.dictionary(fc.string({ unit: 'grapheme' }), part('value'), { maxKeys: 4 }),
  ),
})).value;

describe('canonical JSON', () => {
  test('sorts attributes by UTF-16 code units, as the example in RFC 8785 does', () => {
    const names = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', '\u00f6'];
    const sorted = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\u{1f600}', '\ufb33'];
    const text = canonicalJson(Object.fromEntries(names.map((name) => [name, 1])));
    expect(text).toBe(`{${sorted.map((name) => `${JSON.stringify(name)}:1`).join()}}`);
  });

  test('does not depend on the order of attributes, and is as long as the JSON of the same data', () => {
    fc.assert(
      fc.property(data, (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(reversed(value))).toBe(text);
        // Dictionaries may have an attribute named __proto__, and JSON.parse preserves it.
        expect(JSON.stringify(JSON.parse(text))).toHaveLength(JSON.stringify(value).length);
      }),
      { numRuns: 300 },
    );
  });

  test('leaves out undefined values', () => {
    expect(canonicalJson({ b: undefined, a: [1, { c: undefined }] })).toBe('{"a":[1,{}]}');
  });

  test.each([0.5, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY])('rejects the number %d', (value) => {
    expect(() => canonicalJson({ value })).toThrow('must be whole');
  });

  test('has the SHA-256 that other programs compute', () => {
    // printf '{"a":1,"b":"Ọlá"}' | sha256sum
    expect(canonicalSha256({ b: 'Ọlá', a: 1 })).toBe(
      '2ef6f2b188a6ffdbb1b817c34e70b05f798095db58c01e9ab19e032d4795a376',
    );
  });
});
