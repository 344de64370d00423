import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseJsonStrictly } from '../../../shared/http/strict-json.ts';

const parse = (text: string) => parseJsonStrictly(Buffer.from(text));

/** A name as JSON writes it, or with every letter escaped. */
function spell(name: string, escaped: boolean): string {
  if (!escaped) return JSON.stringify(name);
  const units = Array.from({ length: name.length }, (_, at) => name.charCodeAt(at));
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`;
}

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

  test.each([
    ['a name among values', '{"a":"b","b":"a"}'],
    ['a colon in a value', '{"a":"b\\":","c":"\\\\"}'],
    ['space before the colon', '{"a" \t\r\n: 1, "b"\n:"a"}'],
    ['an empty name', '{"":1,"a":""}'],
  ])('accepts %s', (_, text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  test('finds a repeated name wherever it stands and however it is spelled', () => {
    const name = fc.string().filter((text) => !['__proto__', 'constructor', 'prototype'].includes(text));
    const spelled = fc.tuple(name, fc.boolean()).map(([text, escaped]) => [text, spell(text, escaped)]);
    fc.assert(
      fc.property(fc.array(spelled, { maxLength: 6 }), (fields) => {
        const text = `[{"a":{${fields.map(([, written]) => `${written}:"\\":"`).join()}}}]`;
        const isRepeated = new Set(fields.map(([plain]) => plain)).size < fields.length;
        if (isRepeated)
          expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'INVALID_SCHEMA' }));
        else expect(parse(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test('the same name in two objects is no duplicate', () => {
    expect(parse('{"a":{"x":1},"b":{"x":2},"x":3}')).toEqual({ a: { x: 1 }, b: { x: 2 }, x: 3 });
  });
});
