import { BlockList, isIP } from 'node:net';
import { ipv4Network } from './ipv4-network.ts';

/**
 * Limits of an API key: what it may do (scopes) and which addresses it may be used from. A key without a list has no
 * such limit, except that it may not start payments (docs/design/decisions/0004-narrowed-keys.md).
 */

/**
 * The scopes for reading. Look-ups have their own: `verify:<service>`, or `verify:*` for all except the slip. With
 * `match:<service>` or `match:*`, a key may look up only with `match_only`, so it receives no record.
 */
export const READ_SCOPES = ['slip:read', 'wallet:read', 'verification:read'] as const;
/** Not part of `slip:read`, because a withdrawal cannot be undone. */
export const WITHDRAW_SCOPE = 'slip:revoke';
export type ReadScope = (typeof READ_SCOPES)[number];

/**
 * Allows a key to start payments. A key has this scope only if its list names it, so keys that are older than this
 * feature cannot start payments.
 */
export const PAY_SCOPE = 'wallet:pay';

export const ALL_SCOPES: readonly string[] = ['verify:*', ...READ_SCOPES, WITHDRAW_SCOPE, PAY_SCOPE];

/** Returns the scope that a charged service needs. A slip shows a whole record, so `verify:*` does not include it. */
export function scopeOf(service: string): string {
  return service === 'nin-slip' ? 'slip:read' : `verify:${service}`;
}

export const matchScopeOf = (service: string) => `match:${service}`;

export function hasScope(scopes: readonly string[] | undefined, wanted: string): boolean {
  if (!scopes) return wanted !== PAY_SCOPE;
  return scopes.includes(wanted) || scopes.includes(wanted.replace(/^(verify|match):.*$/, '$1:*'));
}

export const ADDRESS_RULE =
  'Use an IP address such as 203.0.113.7, or a network such as 203.0.113.0/24, which begins with its first address. A prefix length of 0 is not accepted.';

/**
 * Whether this is an IPv4 or IPv6 address or network (`203.0.113.0/24`, `2001:db8::/32`). `203.0.113.7/24` is neither:
 * whoever enters it may mean one address or all 256.
 */
export function isAddressRange(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/');
  const family = isIP(address);
  // The zone of an IPv6 address says nothing about a caller, and may have any length.
  if (family === 0 || address.includes('%') || rest.length > 0) return false;
  if (length === undefined) return true;
  // A prefix length of 0 is rejected: to allow every address, a key needs no list.
  if (!/^[1-9][0-9]{0,2}$/.test(length) || Number(length) > longest(family)) return false;
  return family === 6 || ipv4Network(text)?.first === address;
}

export const IPV4_RULE =
  'Add an IPv4 address or network: the API is not reachable over IPv6, so nobody could use this key.';

/** Whether a key with this list could be used: the domains of the API have no AAAA record. */
export function hasIpv4Range(ranges: readonly string[]): boolean {
  return ranges.some((range) => !range.includes(':'));
}

/**
 * Whether the address is in one of the ranges. An invalid address is in none. Without ranges, every address is allowed.
 */
export function isAddressIn(ranges: readonly string[] | undefined, address: string): boolean {
  if (!ranges) return true;
  const family = isIP(address);
  if (family === 0) return false;
  const allowed = new BlockList();
  for (const range of ranges) {
    const [network = '', length] = range.split('/');
    const kind = isIP(network);
    allowed.addSubnet(network, length === undefined ? longest(kind) : Number(length), nameOf(kind));
  }
  return allowed.check(address, nameOf(family));
}

const longest = (family: number) => (family === 6 ? 128 : 32);
const nameOf = (family: number) => (family === 6 ? 'ipv6' : 'ipv4');
