import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/**
 * The IP addresses to which the service must not connect. A name that someone else controls, or a wrong setting, must
 * not lead to internal addresses (OWASP API7, server-side request forgery).
 */

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
  // IPv4 addresses that are written as IPv6 addresses: compatible (with :: and ::1), mapped, translated (SIIT and
  // NAT64), Teredo and 6to4.
  ['::', 96, 'ipv6'],
  ['::ffff:0:0', 96, 'ipv6'],
  ['::ffff:0:0:0', 96, 'ipv6'],
  ['64:ff9b::', 96, 'ipv6'],
  ['64:ff9b:1::', 48, 'ipv6'],
  ['2001::', 32, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['fec0::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
];

// One list for each family: BlockList applies the rules of ::ffff:0:0/96 to every IPv4 address.
const blocked = { ipv4: new BlockList(), ipv6: new BlockList() } as const;
for (const [network, prefix, family] of PRIVATE_RANGES) blocked[family].addSubnet(network, prefix, family);

/** Whether an IP address is loopback, private, link-local (cloud metadata), multicast or otherwise not public. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  return blocked[family].check(address, family);
}

/** The error code of `publicLookup` for a name with a private address. */
export const PRIVATE_ADDRESS = 'EPRIVATEADDRESS';
/** For a name with only IPv6 addresses, which Lambda cannot reach outside a VPC. */
export const ONLY_IPV6 = 'E_ONLY_IPV6';

export type Resolve = (
  hostname: string,
  options: Parameters<LookupFunction>[1] & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: { address: string; family: number }[]) => void,
) => void;

/**
 * Returns a look-up that resolves a name to its IPv4 addresses through `resolve`, but fails if any of its addresses is
 * private. A connection that uses it connects to an address that was checked, so that DNS rebinding has no effect.
 */
export function checkedLookup(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const fail = (code: string) => callback(Object.assign(new Error('address'), { code }), '', 0);
      if (addresses.length === 0 || addresses.some(({ address }) => isPrivateAddress(address)))
        return fail(PRIVATE_ADDRESS);
      const usable = addresses.filter(({ family }) => family === 4);
      const [first] = usable;
      if (!first) return fail(ONLY_IPV6);
      if (options.all) return callback(null, usable);
      return callback(null, first.address, first.family);
    });
  };
}

/** Resolves a name through the system, but fails for private addresses. */
export const publicLookup: LookupFunction = checkedLookup(lookup);

/** Whether the host of a URL is this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === '127.0.0.1' || hostname === '[::1]' || hostname === 'localhost';
}
