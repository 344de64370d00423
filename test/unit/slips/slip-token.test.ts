import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createSlipToken, readSlipToken, type SlipFacts, slipCheckUrl } from '../../../shared/slips/token.ts';

const KEY = 'a-key-for-tests-only-1';
const DETAILS = {
  nin: '12345678901',
  surname: 'Adébáyọ̀',
  givenNames: 'Ọláńrewájú, Chịọma',
  birthDate: '12 MAR 1990',
};
/** A token of version 1 with FACTS, signed with KEY by the last release that made such tokens. */
const OLD_TOKEN = 'DQJrAYD7bOK0ewobLD1OX9PK6qYennmX62sP1VMwL_Y';
/** A specimen's token of version 2, made before tokens said whether details were confirmed. */
// cspell:disable-next-line
const TOKEN_WITHOUT_CONFIRMATION = 'DYJrAYD7bOK0ewobLD1OX_6GGcqZNpNUUjzVpBkiaqyiS4n342ZGJ1Evai6PciVi';
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
  ] as const)('return the signed facts: %s, specimen %s', (slipType, specimen) => {
    const facts = { ...FACTS, slipType, specimen };
    expect(readSlipToken(createSlipToken(facts, DETAILS, KEY), [KEY], NOW)).toMatchObject({
      kind: 'valid',
      facts,
    });
  });

  test.each([true, false, undefined])('say whether the slip confirms details: %s', (detailsConfirmed) => {
    for (const specimen of [true, false]) {
      const facts = { ...FACTS, specimen, ...(detailsConfirmed !== undefined && { detailsConfirmed }) };
      expect(readSlipToken(createSlipToken(facts, DETAILS, KEY), [KEY], NOW)).toMatchObject({
        kind: 'valid',
        facts,
      });
    }
  });

  test('of version 2 made before that say nothing about it', () => {
    const read = readSlipToken(TOKEN_WITHOUT_CONFIRMATION, [KEY], NOW);
    expect(read).toMatchObject({ kind: 'valid', facts: { slipType: 'premium', specimen: true } });
    expect(read).not.toHaveProperty('facts.detailsConfirmed');
  });

  test('are short and URL-safe', () => {
    expect(createSlipToken(FACTS, DETAILS, KEY)).toMatch(/^[A-Za-z0-9_-]{64}$/);
  });

  test('expire at their expiry time and still return their facts', () => {
    const token = createSlipToken(FACTS, DETAILS, KEY);
    expect(readSlipToken(token, [KEY], new Date(FACTS.expiresAt.getTime() - 1)).kind).toBe('valid');
    expect(readSlipToken(token, [KEY], FACTS.expiresAt)).toMatchObject({ kind: 'expired', facts: FACTS });
  });

  test('S88: a code with the details of another code, or without them', () => {
    const [own, other] = [DETAILS, { ...DETAILS, surname: 'Ogunmola' }].map((details) =>
      Buffer.from(createSlipToken(FACTS, details, KEY), 'base64url'),
    );
    if (!own || !other) throw new Error('There are no tokens.');
    const mixed = Buffer.concat([own.subarray(0, 16), other.subarray(16, 32), own.subarray(32)]);
    const without = Buffer.concat([own.subarray(0, 16), own.subarray(32)]);
    for (const changed of [mixed, without])
      expect(readSlipToken(changed.toString('base64url'), [KEY], NOW)).toEqual({ kind: 'invalid' });
  });

  test('are invalid if any character is changed', () => {
    const token = createSlipToken(FACTS, DETAILS, KEY);
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
    'A'.repeat(63),
    'A'.repeat(64),
    'A'.repeat(65),
    OLD_TOKEN + 'A'.repeat(21),
  ])('are invalid in any other format: %p', (token) => {
    expect(readSlipToken(token, [KEY], NOW)).toEqual({ kind: 'invalid' });
  });

  test('stay valid after a rotation as long as the old key is accepted', () => {
    const token = createSlipToken(FACTS, DETAILS, KEY);
    expect(readSlipToken(token, ['a-new-key', KEY], NOW).kind).toBe('valid');
    expect(readSlipToken(token, ['a-new-key'], NOW)).toEqual({ kind: 'invalid' });
    expect(readSlipToken(token, [], NOW)).toEqual({ kind: 'invalid' });
  });

  test('cannot contain a reference other than 12 hexadecimal digits, such as an ID number', () => {
    expect(() => createSlipToken({ ...FACTS, reference: '12345678901' }, DETAILS, KEY)).toThrow(
      /12 lower-case hex/,
    );
  });

  test('of version 1 are accepted until they expire, and prove no details', () => {
    const read = { facts: FACTS, withdrawalName: expect.any(String) };
    expect(readSlipToken(OLD_TOKEN, [KEY], NOW)).toEqual({ kind: 'valid', ...read });
    expect(readSlipToken(OLD_TOKEN, [KEY], FACTS.expiresAt)).toEqual({ kind: 'expired', ...read });
    expect(readSlipToken(OLD_TOKEN, ['another-key'], NOW)).toEqual({ kind: 'invalid' });
  });

  test('contain no details of the slip in a form that can be read without the key', () => {
    const bytes = Buffer.from(createSlipToken(FACTS, DETAILS, KEY), 'base64url');
    for (const detail of [DETAILS.nin, 'ADEBAYO', DETAILS.surname, '1990']) {
      expect(bytes.includes(detail)).toBe(false);
      const hash = createHash('sha256').update(detail).digest();
      expect(bytes.includes(hash.subarray(0, 4))).toBe(false);
    }
  });

  test('are the last part of the URL', () => {
    expect(slipCheckUrl('https://api.example.com/', 'abc')).toBe(
      'https://api.example.com/v1/slips/check/abc',
    );
  });
});
