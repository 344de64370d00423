import { describe, expect, test } from '@jest/globals';
import { networkOf } from '../../../shared/accounts/network.ts';

describe('the network of an address:', () => {
  test.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['2001:DB8:0012:3456::1', '2001:db8:12::/48'],
    ['2001:db8:12:3456:7:8:9:a', '2001:db8:12::/48'],
    ['2001:db8::1', '2001:db8:0::/48'],
    ['::1', '0:0:0::/48'],
    ['not an address', undefined],
    ['', undefined],
  ])('%s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
