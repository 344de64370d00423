import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseJsonStrictly } from '../../../shared/http/strict-json.ts';

const parse = (text: string) => parseJsonStrictly(Buffer.from(text));

describe('strict JSON', () => {
  test('is JSON: whatever JavaScript writes is read back', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!/"(__proto__|constructor|prototype)":/.test(text));
        expect(parse(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test.each([
    ['twice', '{"nin":"1","nin":"2"}'],
    ['twice, the same value', '{"nin":"1","nin":"1"}'],
    ['twice, one spelled with an escape', '{"nin":"1","n\\u0069n":"2"}'],
    ['twice, nested', '{"params":{"id_number":"1","id_number":"2"}}'],
    ['twice, in an array', '[{"a":1,"a":2}]'],
    ['__proto__', '{"__proto__":{}}'],
    ['an escaped __proto__', '{"__pr\\u006fto__":{}}'],
    ['constructor, nested', '{"a":{"constructor":{}}}'],
    ['prototype', '{"prototype":1}'],
    ['a comment', '{} // no'],
    ['a trailing comma', '{"a":1,}'],
    ['single quotes', "{'a':1}"],
    ['NaN', '{"a":NaN}'],
    ['nothing', ''],
  ])('refuses %s', (_, text) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'INVALID_SCHEMA' }));
  });

  test('the same name in two objects is no duplicate', () => {
    expect(parse('{"a":{"x":1},"b":{"x":2},"x":3}')).toEqual({ a: { x: 1 }, b: { x: 2 }, x: 3 });
  });
});
