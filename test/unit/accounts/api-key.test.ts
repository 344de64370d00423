import { crc32 } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type ApiKey,
  hashOf,
  isUsable,
  newApiKeyText,
  readApiKeyText,
} from '../../../shared/accounts/api-key.ts';

const ORGANISATION = 'Ab3dEf6hIj';

describe('an API key', () => {
  test('consists of a prefix, the organisation, 32 random characters and a checksum, as documented', () => {
    expect(newApiKeyText('live', ORGANISATION)).toMatch(/^idv_live_Ab3dEf6hIj[0-9A-Za-z]{38}$/);
    expect(newApiKeyText('test', ORGANISATION)).toMatch(/^idv_test_Ab3dEf6hIj[0-9A-Za-z]{38}$/);
  });

  test('contains its environment and organisation, and is identified by its hash', () => {
    const text = newApiKeyText('test', ORGANISATION);

    expect(readApiKeyText(text)).toEqual({ env: 'test', organisationId: ORGANISATION, hash: hashOf(text) });
  });

  test('ends with the CRC-32 of all preceding characters, in base62', () => {
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    for (let count = 0; count < 200; count += 1) {
      const text = newApiKeyText('live', ORGANISATION);
      const checksum = [...text.slice(-6)].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
      expect(checksum).toBe(crc32(text.slice(0, -6)));
    }
  });

  test('is different each time', () => {
    const keys = new Set(Array.from({ length: 1000 }, () => newApiKeyText('live', ORGANISATION)));

    expect(keys.size).toBe(1000);
  });

  test('is recognised as invalid without a database read if one character is changed', () => {
    const text = newApiKeyText('live', ORGANISATION);
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom(...'0aZ_-é '), (position, character) => {
        fc.pre(text[position] !== character);
        const changed = text.slice(0, position) + character + text.slice(position + 1);
        expect(readApiKeyText(changed)).toBeUndefined();
      }),
    );
  });

  test('is never read from arbitrary text', () => {
    fc.assert(fc.property(fc.string(), (text) => expect(readApiKeyText(text)).toBeUndefined()));
  });
});

describe('an API key is usable', () => {
  const row: ApiKey = {
    organisationId: ORGANISATION,
    hash: 'h',
    env: 'live',
    status: 'ACTIVE',
    label: 'backend',
    lastFour: 'abcd',
    createdAt: '2026-01-01T00:00:00.000Z',
  };
  const end = Date.parse('2026-06-01T00:00:00.000Z');
  const expiring: ApiKey = { ...row, notAfter: '2026-06-01T00:00:00.000Z' };

  test.each([
    ['without an expiry', row, end, true],
    ['a millisecond before its expiry', expiring, end - 1, true],
    ['but not at its expiry', expiring, end, false],
    ['but not after it was revoked', { ...row, status: 'REVOKED' } as ApiKey, end, false],
  ])('%s', (_, key, nowMs, usable) => {
    expect(isUsable(key, nowMs)).toBe(usable);
  });
});
