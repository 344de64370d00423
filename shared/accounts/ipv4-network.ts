/** An IPv4 address, or a network such as `203.0.113.0/24`. Pages use this too, so it imports nothing. */
const IPV4_RANGE = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?:\/(\d{1,2}))?$/;

const BITS = 32;

/** Returns the first address of an IPv4 range and how many addresses it has. Undefined if the text is not such a range. */
export function ipv4Network(
  range: string,
): { readonly first: string; readonly addresses: number } | undefined {
  const [, a, b, c, d, length = BITS] = IPV4_RANGE.exec(range) ?? [];
  const parts = [a, b, c, d].map(Number);
  if (!parts.every((part) => part <= 255) || Number(length) < 1 || Number(length) > BITS) return undefined;
  const addresses = 2 ** (BITS - Number(length));
  const address = parts.reduce((sum, part) => sum * 256 + part, 0);
  const firstAddress = address - (address % addresses);
  const first = [24, 16, 8, 0].map((shift) => Math.floor(firstAddress / 2 ** shift) % 256).join('.');
  return { first, addresses };
}
