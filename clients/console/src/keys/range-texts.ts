import { ipv4Network } from '../../../../shared/accounts/ipv4-network.ts';
import { formatNumber } from '../format.ts';

/** Returns "203.0.113.0/24 (256 addresses)", or the text itself if it is one address. */
export function rangeText(range: string): string {
  const { addresses = 1 } = ipv4Network(range) ?? {};
  return addresses === 1 ? range : `${range} (${formatNumber(addresses)} addresses)`;
}

/** Returns what a range that a person enters admits, if it is more than one address. */
export function rangeHint(range: string): string | undefined {
  const { first, addresses = 1 } = ipv4Network(range) ?? {};
  const [address, length] = range.split('/');
  if (addresses === 1) return undefined;
  const count = `${formatNumber(addresses)} addresses`;
  return first === address
    ? `${range} admits ${count}.`
    : `${range}: enter ${first}/${length} to admit ${count}, or ${address} to admit one.`;
}
