import { describe, expect, test } from '@jest/globals';
import {
  hasScope,
  isAddressIn,
  isAddressRange,
  PAY_SCOPE,
  READ_SCOPES,
  scopeOf,
} from '../../../shared/accounts/key-limits.ts';

describe('key scopes:', () => {
  test.each([
    ['a key without a scope list may verify', undefined, 'verify:nin-basic', true],
    ['a key with an empty scope list may do nothing', [], 'wallet:read', false],
    ['the scope of a service allows that service', ['verify:nin-basic'], 'verify:nin-basic', true],
    [
      'the scope of a service does not allow another service',
      ['verify:nin-basic'],
      'verify:nin-premium',
      false,
    ],
    ['verify:* allows every look-up', ['verify:*'], 'verify:nuban-basic', true],
    ['verify:* does not allow slips', ['verify:*'], scopeOf('nin-slip'), false],
    ['verify:* does not allow the wallet', ['verify:*'], 'wallet:read', false],
    ['a key without a scope list may not start payments', undefined, PAY_SCOPE, false],
    ['a key may start payments if its list names it', ['wallet:pay'], PAY_SCOPE, true],
    ['no other scope allows payments', ['verify:*', ...READ_SCOPES], PAY_SCOPE, false],
    ['wallet:pay does not allow reads', ['wallet:pay'], 'wallet:read', false],
    ['match:* allows every match', ['match:*'], 'match:bvn-basic', true],
    ['match:* allows no look-up that returns the record', ['match:*'], 'verify:bvn-basic', false],
    ['match:* does not allow slips', ['match:*'], scopeOf('nin-slip'), false],
    ['the scope of a match does not allow another one', ['match:nin-basic'], 'match:nin-premium', false],
    ['wallet:read does not allow look-ups', ['wallet:read'], 'verify:nin-basic', false],
  ] as const)('%s', (_, scopes, wanted, allowed) => {
    expect(hasScope(scopes, wanted)).toBe(allowed);
  });

  test('slips and look-ups have different scopes', () => {
    expect(scopeOf('nin-slip')).toBe('slip:read');
    expect(scopeOf('bvn-premium')).toBe('verify:bvn-premium');
  });
});

describe('key addresses:', () => {
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
    ['203.0.113.0/24', 'not an address', false],
    ['203.0.113.0/24', '', false],
  ])('the range %s allows %s: %s', (range, address, allowed) => {
    expect(isAddressIn([range], address)).toBe(allowed);
  });

  test('a key without ranges can be used from any address, and a key with ranges only from addresses in one of them', () => {
    expect(isAddressIn(undefined, '198.51.100.1')).toBe(true);
    expect(isAddressIn(['203.0.113.0/24', '198.51.100.1'], '198.51.100.1')).toBe(true);
    expect(isAddressIn([], '198.51.100.1')).toBe(false);
  });

  test.each([
    '203.0.113.7',
    '203.0.113.7/32',
    '203.0.113.0/24',
    '0.0.0.0/1',
    '2001:db8::',
    '2001:db8::/128',
    '::1/127',
  ])('%s is a valid range', (text) => {
    expect(isAddressRange(text)).toBe(true);
  });

  test.each([
    '',
    '203.0.113',
    '203.0.113.0/33',
    '203.0.113.0/0',
    '203.0.113.0/',
    '203.0.113.0/024',
    '203.0.113.0/24/1',
    '203.0.113.7/24',
    '203.0.113.64/25',
    '2001:db8::/129',
    'example.com',
    ' 203.0.113.7',
    '203.0.113.0/-1',
    '::/1e1',
    'fe80::1%eth0',
    'fe80::1%a/64',
  ])('%j is not a valid range', (text) => {
    expect(isAddressRange(text)).toBe(false);
  });
});
