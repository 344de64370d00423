import { describe, expect, test } from '@jest/globals';
import { restResponse } from '../../infra/local/rest-response.ts';

const body = Buffer.from('{}');

describe('what a function returns becomes an HTTP answer', () => {
  test('with every value of every header, and JSON as the type where none is said', () => {
    const result = { statusCode: 200, headers: { 'X-A': 1 }, multiValueHeaders: { 'X-B': ['1', '2'] } };
    expect(restResponse(result, body)).toEqual({
      status: 200,
      headers: ['X-A', '1', 'X-B', '1', 'X-B', '2', 'Content-Type', 'application/json'],
      body,
    });
  });

  test('a list of values goes before the single value of the same header', () => {
    const result = { statusCode: 200, headers: { Vary: 'a' }, multiValueHeaders: { Vary: ['b'] } };
    expect(restResponse(result, body)?.headers).toEqual(['Vary', 'b', 'Content-Type', 'application/json']);
  });

  test('headers that API Gateway keeps for itself come back under another name', () => {
    const result = {
      statusCode: 401,
      headers: { 'WWW-Authenticate': 'Bearer', 'Content-Type': 'text/plain' },
    };
    expect(restResponse(result, body)?.headers).toEqual([
      'x-amzn-Remapped-WWW-Authenticate',
      'Bearer',
      'Content-Type',
      'text/plain',
    ]);
  });

  test.each<[string, unknown]>([
    ['nothing', null],
    ['a text', 'ok'],
    ['no status', { headers: {} }],
    ['a status that is none', { statusCode: 'fine' }],
    ['a status out of range', { statusCode: 99 }],
    ['a body that is no text', { statusCode: 200, body: { a: 1 } }],
    ['a header that is no text', { statusCode: 200, headers: { 'X-A': {} } }],
    ['a list of headers', { statusCode: 200, headers: ['X-A'] }],
    ['a single value among the lists', { statusCode: 200, multiValueHeaders: { 'X-A': '1' } }],
  ])('%s is no answer', (_what, result) => {
    expect(restResponse(result, undefined)).toBeUndefined();
  });
});
