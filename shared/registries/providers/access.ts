import * as v from 'valibot';
import type { Secret } from '../../core/secrets.ts';
import { failure } from '../mapping/results.ts';
import type { RegistryQuery, RegistryResult } from '../port.ts';
import { checkBaseUrl } from '../transport/address.ts';

/** What every live provider is made with. */
export interface ProviderConfig {
  /** The provider's secret, read for each look-up, so that a rotation needs no deploy. */
  readonly credentials: () => Promise<Secret>;
  /** The local stage and tests: stand-ins on loopback addresses are welcome. */
  readonly allowLocal: boolean;
}

/** Where a provider lives. The secret's key `baseUrl` may choose another of its hosts, such as its sandbox. */
export interface ProviderAddress {
  readonly baseUrl: string;
  readonly hosts: readonly string[];
}

export interface ProviderAccess<C> {
  readonly credentials: C;
  /** The address of a path below the base address, with query parameters. */
  at(path: string, parameters?: Readonly<Record<string, string>>): URL;
}

/**
 * A look-up that starts with the provider's credentials. An account that is missing, malformed or points elsewhere
 * is our own outage: nothing is sent, and the router may ask another provider.
 */
export function lookUpWith<S extends v.GenericSchema>(
  config: ProviderConfig,
  address: ProviderAddress,
  credentialShape: S,
  ask: (query: RegistryQuery, access: ProviderAccess<v.InferOutput<S>>) => Promise<RegistryResult>,
): (query: RegistryQuery) => Promise<RegistryResult> {
  return async (query) => {
    const access = await openAccess(config, address, credentialShape);
    return access ? ask(query, access) : failure('unreachable', 'not-configured');
  };
}

async function openAccess<S extends v.GenericSchema>(
  config: ProviderConfig,
  address: ProviderAddress,
  credentialShape: S,
): Promise<ProviderAccess<v.InferOutput<S>> | undefined> {
  const secret = await config.credentials().catch(() => undefined);
  const parsed = v.safeParse(credentialShape, secret);
  if (!secret || !parsed.success) return undefined;
  const text = secret['baseUrl'] ?? address.baseUrl;
  try {
    const base = checkBaseUrl(text, { hosts: address.hosts, allowLocal: config.allowLocal });
    return { credentials: parsed.output, at: (path, parameters) => below(base, path, parameters) };
  } catch {
    return undefined;
  }
}

function below(base: URL, path: string, parameters: Readonly<Record<string, string>> = {}): URL {
  const url = new URL(base);
  url.pathname = `${base.pathname.replace(/\/$/, '')}${path}`;
  url.search = new URLSearchParams(parameters).toString();
  return url;
}
