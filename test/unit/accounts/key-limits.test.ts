import { describe, expect, test } from '@jest/globals';
import { hasScope, isAddressIn, isAddressRange, scopeOf } from '../../../shared/accounts/key-limits.ts';

describe('scopes', () => {
  test.each([
    ['a key without scopes may do everything', undefined, 'verify:nin-basic', true],
    ['a key with none may do nothing', [], 'wallet:read', false],
    ['its own scope is enough', ['verify:nin-basic'], 'verify:nin-basic', true],
    ['another service is another scope', ['verify:nin-basic'], 'verify:nin-premium', false],
    ['verify:* is every look-up', ['verify:*'], 'verify:nuban-basic', true],
    ['but no slip', ['verify:*'], scopeOf('nin-slip'), false],
    ['and no wallet', ['verify:*'], 'wallet:read', false],
    ['reading the wallet is no look-up', ['wallet:read'], 'verify:nin-basic', false],
  ] as const)('%s', (_, scopes, wanted, allowed) => {
    expect(hasScope(scopes, wanted)).toBe(allowed);
  });

  test('a slip has a scope of its own', () => {
    expect(scopeOf('nin-slip')).toBe('slip:read');
    expect(scopeOf('bvn-premium')).toBe('verify:bvn-premium');
  });
});

describe('addresses', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7', true],
    ['203.0.113.7', '203.0.113.8', false],
    ['203.0.113.0/24', '203.0.113.255', true],
    ['203.0.113.0/24', '203.0.114.0', false],
    ['203.0.113.128/25', '203.0.113.127', false],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['2001:db8::1', '2001:db8::2', false],
    ['203.0.113.0/24', '2001:db8::1', false],
    ['203.0.113.0/24', '::ffff:203.0.113.9', true],
    ['203.0.113.0/24', 'no address', false],
    ['203.0.113.0/24', '', false],
  ])('%s lets %s in: %s', (range, address, allowed) => {
    expect(isAddressIn([range], address)).toBe(allowed);
  });

  test('a key without ranges is used from anywhere; one range of several is enough', () => {
    expect(isAddressIn(undefined, '198.51.100.1')).toBe(true);
    expect(isAddressIn(['203.0.113.0/24', '198.51.100.1'], '198.51.100.1')).toBe(true);
    expect(isAddressIn([], '198.51.100.1')).toBe(false);
  });

  test.each(['203.0.113.7', '203.0.113.0/24', '0.0.0.0/1', '2001:db8::', '2001:db8::/128', '::1/127'])(
    '%s is a range',
    (text) => {
      expect(isAddressRange(text)).toBe(true);
    },
  );

  test.each([
    ...['', '203.0.113', '203.0.113.0/33', '203.0.113.0/0', '203.0.113.0/', '203.0.113.0/024'],
    ...['203.0.113.0/24/1', '2001:db8::/129', 'example.com', ' 203.0.113.7', '203.0.113.0/-1', '::/1e1'],
  ])('%j is none', (text) => {
    expect(isAddressRange(text)).toBe(false);
  });
});
