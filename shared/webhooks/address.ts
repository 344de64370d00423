import { lookup } from 'node:dns';
import { isIP } from 'node:net';
import {
  checkedLookup,
  isLoopbackHost,
  ONLY_IPV6,
  PRIVATE_ADDRESS,
  type Resolve,
} from '../core/public-address.ts';

/** Customers choose them, so internal addresses must be rejected. */

/** The dependencies of the rules. */
export interface AddressRules {
  /** Even over http: in the stage `local` and in tests only. */
  readonly allowLocal: boolean;
  /** @default the system's DNS look-up */
  readonly resolve?: Resolve;
}

/** A sentence that says what to do. */
type AddressProblem = string;

const MOST_CHARACTERS = 1_000;
const HTTPS_PORT = 443;
const LEAST_OTHER_PORT = 1024;

const NOT_AN_ADDRESS = 'Enter a complete address, such as https://example.com/webhooks.';
const NOT_HTTPS = 'The address must begin with https://.';
const HAS_USER = 'The address must not contain a user name, a password or a fragment (#).';
const IS_NUMBER = 'The address must contain a host name, not an IP address.';
const WRONG_PORT = 'The port must be 443, or from 1024 to 65535.';
const TOO_LONG = `The address must have at most ${MOST_CHARACTERS} characters.`;
const NOT_FOUND = 'The host name was not found. Check its spelling, and that its DNS record exists.';
const NOT_PUBLIC =
  'The host name resolves to an address that is not public. Use a server that the internet can reach.';
const NOT_IPV4 = 'The host name has only IPv6 addresses, and webhooks are sent over IPv4. Add an A record.';
/** Any other error means that the name was not found. */
const PROBLEMS: Readonly<Record<string, AddressProblem>> = {
  [PRIVATE_ADDRESS]: NOT_PUBLIC,
  [ONLY_IPV6]: NOT_IPV4,
};

/** Returns the URL, or a description of the fault. */
export function parseAddress(text: string, { allowLocal }: AddressRules): URL | AddressProblem {
  if (text.length > MOST_CHARACTERS) return TOO_LONG;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) return NOT_AN_ADDRESS;
  if (url.username || url.password || url.hash) return HAS_USER;
  if (allowLocal && isLoopbackHost(url.hostname)) return url;
  if (url.protocol !== 'https:') return NOT_HTTPS;
  // URL writes every form of IPv4, such as 0x7f.1, as four numbers.
  if (isIP(url.hostname) !== 0 || url.hostname.startsWith('[')) return IS_NUMBER;
  if (!url.hostname.includes('.') || url.hostname.endsWith('.')) return NOT_AN_ADDRESS;
  const port = url.port === '' ? HTTPS_PORT : Number(url.port);
  if (port !== HTTPS_PORT && port < LEAST_OTHER_PORT) return WRONG_PORT;
  return url;
}

/** Also checks the IP addresses of the host. Each delivery checks them again when it connects. */
export async function checkAddress(text: string, rules: AddressRules): Promise<URL | AddressProblem> {
  const url = parseAddress(text, rules);
  if (typeof url === 'string' || isLoopbackHost(url.hostname)) return url;
  const code = await new Promise<string | undefined>((resolve) =>
    checkedLookup(rules.resolve ?? lookup)(url.hostname, { all: true }, (error) => resolve(error?.code)),
  );
  return code === undefined ? url : (PROBLEMS[code] ?? NOT_FOUND);
}
