import { expect, test } from '@jest/globals';
import { parseExactJson } from '../../../shared/core/exact-json.ts';

test.each([
  ['18446744073709551615', '18446744073709551615'],
  ['9007199254740993', '9007199254740993'],
  ['-9007199254740993', '-9007199254740993'],
  [' [9007199254740992 ]', ['9007199254740992']],
  ['{"data":{"id":10000000000000000001}}', { data: { id: '10000000000000000001' } }],
])('parseExactJson keeps every digit of %s', (text, expected) => {
  expect(parseExactJson(text)).toEqual(expected);
});

test.each(['9007199254740991', '-9007199254740991', '0', '1.5', '1e3', '0.1234567890123456789', '1e300'])(
  'parseExactJson returns %s as a number',
  (text) => {
    expect(parseExactJson(text)).toBe(Number(text));
  },
);

test('parseExactJson parses everything else as JSON.parse does', () => {
  const text = '{"a":["18446744073709551615",true,null,{}],"b":""}';
  expect(parseExactJson(text)).toEqual(JSON.parse(text));
  expect(() => parseExactJson('{')).toThrow(SyntaxError);
});
