import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseJsonStrictly } from '../../../shared/http/strict-json.ts';

const parse = (text: string) => parseJsonStrictly(Buffer.from(text));

/** Returns a name as a JSON string, with every character escaped if `escaped` is true. */
function encode(name: string, escaped: boolean): string {
  if (!escaped) return JSON.stringify(name);
  const units = Array.from({ length: name.length }, (_, index) => name.charCodeAt(index));
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`;
}

describe('strict JSON', () => {
  test('reads every value that JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!/"(__proto__|constructor|prototype)":/.test(text));
        expect(parse(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test.each([
    ['a repeated name', '{"nin":"1","nin":"2"}'],
    ['a repeated name with the same value', '{"nin":"1","nin":"1"}'],
    ['a repeated name with an escape', '{"nin":"1","n\\u0069n":"2"}'],
    ['a repeated name in a nested object', '{"params":{"id_number":"1","id_number":"2"}}'],
    ['a repeated name in an array', '[{"a":1,"a":2}]'],
    ['__proto__', '{"__proto__":{}}'],
    ['an escaped __proto__', '{"__pr\\u006fto__":{}}'],
    ['a nested constructor', '{"a":{"constructor":{}}}'],
    ['prototype', '{"prototype":1}'],
    ['a comment', '{} // no'],
    ['a trailing comma', '{"a":1,}'],
    ['single quotes', "{'a':1}"],
    ['NaN', '{"a":NaN}'],
    ['an empty body', ''],
  ])('rejects %s', (_, text) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'INVALID_SCHEMA' }));
  });

  test.each([
    ['{"nin":"1","n\\u0069n":"2"}', 'duplicate_field', 'nin'],
    ['{"params":{"id_number":"1","id_number":"2"}}', 'duplicate_field', 'id_number'],
    ['{"params":{"id_number":"1"},"id_number":"2","params":{}}', 'duplicate_field', 'params'],
    ['{"12345678901":1,"12345678901":2}', 'duplicate_field', '****'],
    ['{"a":{"constructor":{}}}', 'unknown_field', 'constructor'],
    ['{"a":', 'not_json', ''],
    ['', 'not_json', ''],
  ])('rejects %s as %s with the field %j', (text, reason, field) => {
    const details = { reason, field, hint: expect.stringMatching(/\.$/) };
    expect(() => parse(text)).toThrow(expect.objectContaining({ details }));
  });

  test.each([
    ['a byte-order mark', Buffer.from('\ufeff{}'), /begins with a byte-order mark/],
    ['Latin-1', Buffer.from('{"reason":"Ikẹjà café"}', 'latin1'), /perhaps in Latin-1/],
    ['UTF-16', Buffer.from('{}', 'utf16le'), /UTF-16/],
    ['UTF-16 with a byte-order mark', Buffer.from('\ufeff{}', 'utf16le'), /UTF-16/],
    ['UTF-16 in network order', Buffer.from('{}', 'utf16le').swap16(), /UTF-16/],
  ])('says that a body is in %s', (_, bytes, message) => {
    const rejected = expect.objectContaining({
      message: expect.stringMatching(message),
      details: expect.objectContaining({ reason: 'not_json' }),
    });
    expect(() => parseJsonStrictly(bytes)).toThrow(rejected);
  });

  test('rejects an empty body with its own message', () => {
    expect(() => parse('')).toThrow('The body is empty. Send a JSON object with the documented fields.');
  });

  test.each([
    ['a name that is also a value', '{"a":"b","b":"a"}'],
    ['a colon in a value', '{"a":"b\\":","c":"\\\\"}'],
    ['white space before the colon', '{"a" \t\r\n: 1, "b"\n:"a"}'],
    ['an empty name', '{"":1,"a":""}'],
  ])('accepts %s', (_, text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  test('rejects a repeated name at any position and with any escapes', () => {
    const name = fc.string().filter((text) => !['__proto__', 'constructor', 'prototype'].includes(text));
    const encoded = fc.tuple(name, fc.boolean()).map(([text, escaped]) => [text, encode(text, escaped)]);
    fc.assert(
      fc.property(fc.array(encoded, { maxLength: 6 }), (fields) => {
        const text = `[{"a":{${fields.map(([, written]) => `${written}:"\\":"`).join()}}}]`;
        const isRepeated = new Set(fields.map(([plain]) => plain)).size < fields.length;
        if (isRepeated)
          expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'INVALID_SCHEMA' }));
        else expect(parse(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test('accepts the same name in two objects', () => {
    expect(parse('{"a":{"x":1},"b":{"x":2},"x":3}')).toEqual({ a: { x: 1 }, b: { x: 2 }, x: 3 });
  });
});
