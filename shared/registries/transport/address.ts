import { isLoopbackHost } from '../../core/public-address.ts';

/**
 * The addresses of registries and Paystack that the service may call. Wrong ones must be rejected before use, so that
 * no one can reach internal addresses through the service (OWASP API7, server-side request forgery).
 */
interface AddressRules {
  readonly hosts: readonly string[];
  /** Permits loopback addresses, even over plain http, for test doubles and the stage `local`. */
  readonly allowLocal: boolean;
}

/**
 * Parses a registry's base address. It must use https, a listed host and the standard port, without user information,
 * query or fragment. Otherwise, throws an error whose message contains the reason but not the address.
 */
export function checkBaseUrl(text: string, rules: AddressRules): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw new Error('A registry base address is not a valid URL.');
  if (url.username || url.password || url.search || url.hash) {
    throw new Error('A registry base address must not contain user information, a query or a fragment.');
  }
  if (rules.allowLocal && isLoopbackHost(url.hostname) && ['http:', 'https:'].includes(url.protocol))
    return url;
  if (url.protocol !== 'https:') throw new Error('A registry base address must use https.');
  const allowed = rules.hosts.some((host) =>
    host.startsWith('.') ? url.hostname.endsWith(host) : url.hostname === host,
  );
  if (!allowed) throw new Error('A registry base address must be one of the known hosts of its provider.');
  if (url.port) throw new Error('A registry base address must use the standard port.');
  return url;
}
