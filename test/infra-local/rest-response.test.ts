import { describe, expect, test } from '@jest/globals';
import { restResponse } from '../../infra/local/gateway/rest-response.ts';

const body = Buffer.from('{}');

describe('the result of a function becomes an HTTP response', () => {
  test('with every value of every header, and with JSON as the default content type', () => {
    const result = { statusCode: 200, headers: { 'X-A': 1 }, multiValueHeaders: { 'X-B': ['1', '2'] } };
    expect(restResponse(result, body)).toEqual({
      status: 200,
      headers: ['X-A', '1', 'X-B', '1', 'X-B', '2', 'Content-Type', 'application/json'],
      body,
    });
  });

  test('multiple values replace the single value of the same header', () => {
    const result = { statusCode: 200, headers: { Vary: 'a' }, multiValueHeaders: { Vary: ['b'] } };
    expect(restResponse(result, body)?.headers).toEqual(['Vary', 'b', 'Content-Type', 'application/json']);
  });

  test('headers that API Gateway reserves are renamed', () => {
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
    ['a string', 'ok'],
    ['no status', { headers: {} }],
    ['a status that is not a number', { statusCode: 'fine' }],
    ['a status out of range', { statusCode: 99 }],
    ['a body that is not a string', { statusCode: 200, body: { a: 1 } }],
    ['a header that is not a string', { statusCode: 200, headers: { 'X-A': {} } }],
    ['headers as an array', { statusCode: 200, headers: ['X-A'] }],
    ['a single value among the multiple values', { statusCode: 200, multiValueHeaders: { 'X-A': '1' } }],
  ])('%s is not a valid result', (_case, payload) => {
    expect(restResponse(payload, undefined)).toBeUndefined();
  });
});
