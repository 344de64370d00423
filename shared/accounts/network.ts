import { isIP } from 'node:net';

/**
 * Returns the network of an address: the first 24 bits of an IPv4 address, or the first 48 of an IPv6 address. It shows
 * whether a key is used from somewhere new, without storing the address itself. Undefined if the address is not valid.
 */
export function networkOf(address: string): string | undefined {
  const text = address.toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(text)?.[1] ?? text;
  const family = isIP(mapped);
  if (family === 4) return `${mapped.split('.').slice(0, 3).join('.')}.0/24`;
  if (family !== 6) return undefined;
  const [head = '', tail] = mapped.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail ? tail.split(':') : [];
  // Zeros replace `::`. If the text ends with an IPv4 address, there is one zero too many, but only the first groups
  // are used.
  const groups =
    tail === undefined ? first : [...first, ...Array(8 - first.length - last.length).fill('0'), ...last];
  const network = groups.slice(0, 3).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/48`;
}
