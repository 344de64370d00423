import { describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { readForm } from '../../../shared/http/read-form.ts';

const FORM = 'application/x-www-form-urlencoded';

function read(body: string | null, type: readonly string[] = [FORM], isBase64Encoded = true) {
  const event = {
    multiValueHeaders: { 'Content-Type': [...type] },
    body: body !== null && isBase64Encoded ? Buffer.from(body).toString('base64') : body,
    isBase64Encoded,
  };
  return readForm(event as unknown as APIGatewayProxyEvent, ['nin', 'surname'], 100);
}

describe('a form', () => {
  test.each([
    ['nin=1&surname=a+b', { nin: '1', surname: 'a b' }],
    ['surname=%E1%BB%8C%CC%80', { surname: 'Ọ̀' }],
    ['nin=+1+&surname=', { nin: '1' }],
    ['', {}],
    ['nin=a%26surname%3Db', { nin: 'a&surname=b' }],
  ])('with the content %s is read', (body, values) => {
    expect(read(body)).toEqual({ kind: 'form', values });
    expect(read(body, [FORM], false)).toEqual({ kind: 'form', values });
  });

  test('without a body has no fields', () => {
    expect(read(null)).toEqual({ kind: 'form', values: {} });
  });

  test.each([
    'nin=1&nin=2',
    'nin=&nin=',
    'other=1',
    '__proto__=1',
    'constructor=1',
    'nin',
    'nin=1=2',
    'nin=1&',
    '&',
    'nin=%',
    'nin=%ff',
    'nin=%ED%A0%80',
    'nin=1 2',
    'nin=ọ',
    'nin=1\n',
    '{"nin":"1"}',
  ])('with the content %j is malformed', (body) => {
    expect(read(body)).toEqual({ kind: 'malformed' });
  });

  test('that is too large is not read', () => {
    expect(read(`nin=${'1'.repeat(96)}`).kind).toBe('form');
    expect(read(`nin=${'1'.repeat(97)}`)).toEqual({ kind: 'too-large' });
  });

  test.each([[[]], [['application/json']], [[FORM, FORM]], [[`${FORM}; charset=utf-16`]], [['']]])(
    'with the content types %j is rejected',
    (type) => {
      expect(read('nin=1', type)).toEqual({ kind: 'wrong-content-type' });
    },
  );

  test.each([`${FORM};charset=UTF-8`, `${FORM}; charset="utf-8"`, FORM.toUpperCase()])(
    'with the content type %s is read',
    (type) => {
      expect(read('nin=1', [type]).kind).toBe('form');
    },
  );
});
