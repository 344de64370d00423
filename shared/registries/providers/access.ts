import * as v from 'valibot';
import type { Secret } from '../../core/secrets.ts';
import { failure } from '../mapping/results.ts';
import type { RegistryProvider, RegistryQuery, RegistryResult } from '../port.ts';
import { checkBaseUrl } from '../transport/address.ts';

/** What every live provider is made with. */
export interface ProviderConfig {
  /** Reads the provider's secret. Called for each look-up, so that a rotation needs no deployment. */
  readonly credentials: () => Promise<Secret>;
  /** Permits loopback addresses, for test doubles. True on the stage `local` and in tests only. */
  readonly allowLocal: boolean;
}

/** Turns a configuration into the look-up function of one provider. */
export type ProviderAdapter = (config: ProviderConfig) => RegistryProvider['lookUp'];

/** The hosts of a provider. The key `baseUrl` of its secret may select another of them, such as its sandbox. */
export interface ProviderAddress {
  readonly baseUrl: string;
  readonly hosts: readonly string[];
}

/** What a look-up needs to send requests: the checked credentials and the checked address. */
export interface ProviderAccess<C> {
  readonly credentials: C;
  /** The URL of a path below the base address, with query parameters. */
  urlOf(path: string, parameters?: Readonly<Record<string, string>>): URL;
}

/**
 * Makes a look-up function that first reads and checks the provider's credentials. If they are missing, malformed or
 * point to an unknown host, nothing is sent and the look-up ends as `not-configured`, so that the router may ask
 * another provider.
 */
export function lookUpWithCredentials<S extends v.GenericSchema>(
  config: ProviderConfig,
  address: ProviderAddress,
  credentialSchema: S,
  lookUp: (query: RegistryQuery, access: ProviderAccess<v.InferOutput<S>>) => Promise<RegistryResult>,
): RegistryProvider['lookUp'] {
  return async (query) => {
    const access = await openAccess(config, address, credentialSchema);
    return access ? lookUp(query, access) : failure('unreachable', 'not-configured');
  };
}

async function openAccess<S extends v.GenericSchema>(
  config: ProviderConfig,
  address: ProviderAddress,
  credentialSchema: S,
): Promise<ProviderAccess<v.InferOutput<S>> | undefined> {
  const secret = await config.credentials().catch(() => undefined);
  const parsed = v.safeParse(credentialSchema, secret);
  if (!secret || !parsed.success) return undefined;
  try {
    const base = checkBaseUrl(secret['baseUrl'] ?? address.baseUrl, {
      hosts: address.hosts,
      allowLocal: config.allowLocal,
    });
    return { credentials: parsed.output, urlOf: (path, parameters) => below(base, path, parameters) };
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
