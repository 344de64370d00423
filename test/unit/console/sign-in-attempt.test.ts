import { describe, expect, test } from '@jest/globals';
import {
  newSignInAttempt,
  pathAfterSignIn,
  readSignInAttempt,
  signInAttemptText,
} from '../../../shared/members/sign-in-attempt.ts';

describe('the path after the sign-in:', () => {
  test.each([
    '/',
    '/keys',
    '/keys?env=test',
    '/invitation#secret',
    '/team?a=%2F%2Fb',
    '/console',
    '/audit?from=2026-01-01',
  ])('%s is a page of this site', (path) => expect(pathAfterSignIn(path)).toBe(path));

  test.each([
    undefined,
    '',
    'keys',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '/\\/evil.example',
    '\\\\evil.example',
    '/./\\evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    '/%2e%2e//evil.example',
    'https://evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r\nSet-Cookie: a=b',
    ' /keys',
    '/keys\u0000',
    '/\u2028/evil.example',
    '/é',
    '@evil.example',
    '/console/api/session/end',
    '/console/api',
    '/a/../console/api/keys',
    '/console/%61pi/../api/keys',
    `/${'a'.repeat(500)}`,
  ])('%j leads to the start page', (path) => expect(pathAfterSignIn(path)).toBe('/'));

  test('no result leads a browser to another site', () => {
    const parts = [
      '/',
      '//',
      '\\',
      '.',
      '..',
      '%2e',
      '@',
      ':',
      'evil.example',
      'a',
      '?',
      '#',
      '\t',
      'https:',
    ];
    const paths = parts.flatMap((a) => parts.flatMap((b) => parts.map((c) => `/${a}${b}${c}evil.example`)));
    const outside = paths.map(pathAfterSignIn).filter((path) => {
      const { origin, pathname } = new URL(path, 'https://console.example.com');
      return origin !== 'https://console.example.com' || pathname.startsWith('//');
    });
    expect(outside).toEqual([]);
  });
});

describe('the cookie of a sign-in attempt', () => {
  const T = 1_700_000_000_000;
  const attempt = newSignInAttempt({ to: '/keys', startedAtMs: T, isAgain: false, previous: undefined });

  test('holds the attempt for ten minutes', () => {
    const text = signInAttemptText(attempt);
    expect(readSignInAttempt(text, T + 599_999)).toEqual(JSON.parse(JSON.stringify(attempt)));
    expect(readSignInAttempt(text, T + 600_000)).toBeUndefined();
  });

  test('has three unique secrets', () => {
    const other = newSignInAttempt({ to: '/', startedAtMs: T, isAgain: false, previous: undefined });
    const secrets = [attempt, other].flatMap(({ state, nonce, verifier }) => [state, nonce, verifier]);
    expect(new Set(secrets).size).toBe(6);
    for (const secret of secrets) expect(secret).toMatch(/^[\w-]{43}$/);
  });

  test.each([
    '',
    'x',
    '{}',
    Buffer.from('{}').toString('base64url'),
    Buffer.from('[]').toString('base64url'),
  ])('with the text %j holds no attempt', (text) => expect(readSignInAttempt(text, T)).toBeUndefined());

  test('without a secret holds no attempt', () => {
    for (const name of ['state', 'nonce', 'verifier']) {
      const text = signInAttemptText({ ...attempt, [name]: '' });
      expect([name, readSignInAttempt(text, T)]).toEqual([name, undefined]);
    }
  });
});
