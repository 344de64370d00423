import { describe, expect, test } from '@jest/globals';
import { createSlipToken, readSlipToken, type SlipFacts, slipCheckUrl } from '../../../shared/slips/token.ts';

const KEY = 'a-key-for-tests-only-1';
const FACTS: SlipFacts = {
  slipType: 'premium',
  issuedAt: new Date('2026-11-21T11:31:07Z'),
  expiresAt: new Date('2027-11-21T11:31:07Z'),
  reference: '0a1b2c3d4e5f',
  specimen: false,
};
const NOW = new Date('2026-12-01T00:00:00Z');
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

describe('slip tokens', () => {
  test.each([
    ['regular', false],
    ['improved', false],
    ['premium', false],
    ['regular', true],
    ['premium', true],
  ] as const)('return the signed details: %s, specimen %s', (slipType, specimen) => {
    const facts = { ...FACTS, slipType, specimen };
    expect(readSlipToken(createSlipToken(facts, KEY), [KEY], NOW)).toEqual({ kind: 'valid', facts });
  });

  test('are short and URL-safe', () => {
    expect(createSlipToken(FACTS, KEY)).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  test('expire at their expiry time, and still return their details', () => {
    const token = createSlipToken(FACTS, KEY);
    expect(readSlipToken(token, [KEY], new Date(FACTS.expiresAt.getTime() - 1)).kind).toBe('valid');
    expect(readSlipToken(token, [KEY], FACTS.expiresAt)).toEqual({ kind: 'expired', facts: FACTS });
  });

  test('are invalid with any one character changed', () => {
    const token = createSlipToken(FACTS, KEY);
    for (let at = 0; at < token.length; at += 1) {
      for (const character of BASE64URL) {
        if (character === token[at]) continue;
        const changed = token.slice(0, at) + character + token.slice(at + 1);
        expect(readSlipToken(changed, [KEY], NOW)).toEqual({ kind: 'invalid' });
      }
    }
  });

  test.each([
    '',
    ' ',
    'x',
    '../../etc/passwd',
    'é'.repeat(43),
    'A'.repeat(42),
    'A'.repeat(44),
    'A'.repeat(43),
  ])('are invalid in any other format: %p', (token) => {
    expect(readSlipToken(token, [KEY], NOW)).toEqual({ kind: 'invalid' });
  });

  test('stay valid after a rotation for as long as the old key is accepted', () => {
    const token = createSlipToken(FACTS, KEY);
    expect(readSlipToken(token, ['a-new-key', KEY], NOW).kind).toBe('valid');
    expect(readSlipToken(token, ['a-new-key'], NOW)).toEqual({ kind: 'invalid' });
    expect(readSlipToken(token, [], NOW)).toEqual({ kind: 'invalid' });
  });

  test('cannot contain a reference that is not hex, such as a number', () => {
    expect(() => createSlipToken({ ...FACTS, reference: '12345678901' }, KEY)).toThrow(/12 lower-case hex/);
  });

  test('are the last part of the address', () => {
    expect(slipCheckUrl('https://api.example.com/', 'abc')).toBe(
      'https://api.example.com/v1/slips/check/abc',
    );
  });
});
