import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/**
 * The addresses that the service may call. Base addresses come from configuration. A wrong one must be rejected before
 * use, so that no one can reach internal addresses through the service (OWASP API7, server-side request forgery).
 */
export interface AddressRules {
  /** Exact host names. A name that starts with a dot matches every name below it. */
  readonly hosts: readonly string[];
  /** Permits loopback addresses over plain http, for test doubles and the stage `local`. */
  readonly allowLocal: boolean;
}

const PRIVATE_RANGES: readonly (readonly [string, number, 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 127, 'ipv6'],
  ['64:ff9b::', 96, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
];

const blocked = new BlockList();
for (const [network, prefix, family] of PRIVATE_RANGES) blocked.addSubnet(network, prefix, family);

/** Whether an IP address is loopback, private, link-local (cloud metadata), multicast or otherwise not public. */
export function isPrivateAddress(address: string): boolean {
  return blocked.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/**
 * Parses a registry's base address. It must use https and a listed host, without user information, query or fragment.
 * Throws otherwise. The message names the reason but does not quote the address.
 */
export function checkBaseUrl(text: string, rules: AddressRules): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw new Error('A registry base address is not a valid URL.');
  if (url.username || url.password || url.search || url.hash) {
    throw new Error('A registry base address must not have user information, a query or a fragment.');
  }
  if (rules.allowLocal && isLoopback(url.hostname) && ['http:', 'https:'].includes(url.protocol)) return url;
  if (url.protocol !== 'https:') throw new Error('A registry base address must use https.');
  const allowed = rules.hosts.some((host) =>
    host.startsWith('.') ? url.hostname.endsWith(host) : url.hostname === host,
  );
  if (!allowed) throw new Error('A registry base address must be one of the known hosts of its provider.');
  if (url.port) throw new Error('A registry base address must use the standard port.');
  return url;
}

function isLoopback(hostname: string): boolean {
  return hostname === '127.0.0.1' || hostname === '[::1]' || hostname === 'localhost';
}

/** Resolves a name through the system, but fails for private addresses, so that DNS rebinding has no effect. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '', 0);
    const first = addresses[0];
    if (!first || addresses.some(({ address }) => isPrivateAddress(address))) {
      return callback(Object.assign(new Error('private address'), { code: 'EPRIVATEADDRESS' }), '', 0);
    }
    if (options.all) return callback(null, addresses);
    return callback(null, first.address, first.family);
  });
};
