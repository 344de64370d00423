import * as v from 'valibot';
import type { Secret } from '../../core/secrets.ts';
import { failure } from '../mapping/results.ts';
import type { RegistryProvider, RegistryQuery, RegistryResult } from '../port.ts';
import { checkBaseUrl } from '../transport/address.ts';

export interface ProviderConfig {
  /** Reads the provider's secret. Called for each look-up, so that a rotation needs no deployment. */
  readonly credentials: () => Promise<Secret>;
  /** Permits loopback addresses, for test doubles. */
  readonly allowLocal: boolean;
}

export type ProviderAdapter = (config: ProviderConfig) => RegistryProvider['lookUp'];

export interface ProviderEndpoint<S extends v.GenericSchema = v.GenericSchema> {
  readonly baseUrl: string;
  /** The key `baseUrl` of the provider's secret may select another of these hosts, such as its sandbox. */
  readonly hosts: readonly string[];
  readonly credentialSchema: S;
}

interface ProviderAccess<C> {
  readonly credentials: C;
  urlOf(path: string, parameters?: Readonly<Record<string, string>>): URL;
}

/**
 * Creates a look-up function that first reads and checks the provider's credentials. If they are missing or malformed,
 * or point to an unknown host, nothing is sent and the look-up ends as `not-configured`, so that the router may ask
 * another provider.
 */
export function lookUpWithCredentials<S extends v.GenericSchema>(
  config: ProviderConfig,
  endpoint: ProviderEndpoint<S>,
  lookUp: (query: RegistryQuery, access: ProviderAccess<v.InferOutput<S>>) => Promise<RegistryResult>,
): RegistryProvider['lookUp'] {
  return async (query) => {
    const access = await openAccess(config, endpoint);
    return access ? lookUp(query, access) : failure('unreachable', 'not-configured');
  };
}

async function openAccess<S extends v.GenericSchema>(
  { credentials, allowLocal }: ProviderConfig,
  { credentialSchema, ...address }: ProviderEndpoint<S>,
): Promise<ProviderAccess<v.InferOutput<S>> | undefined> {
  const secret = await credentials().catch(() => undefined);
  const parsed = v.safeParse(credentialSchema, secret);
  if (!secret || !parsed.success) return undefined;
  try {
    const base = baseUrlOf(address, secret, allowLocal);
    return { credentials: parsed.output, urlOf: (path, parameters) => below(base, path, parameters) };
  } catch {
    return undefined;
  }
}

/** Returns the base URL that a secret selects. Throws if it is not one of the provider's hosts. */
export function baseUrlOf(
  { baseUrl, hosts }: Pick<ProviderEndpoint, 'baseUrl' | 'hosts'>,
  secret: Secret,
  allowLocal: boolean,
): URL {
  return checkBaseUrl(secret['baseUrl'] ?? baseUrl, { hosts, allowLocal });
}

/** Returns the names of the credentials that are missing or empty in a secret. */
export function missingCredentials({ credentialSchema }: ProviderEndpoint, secret: Secret): string[] {
  const { issues = [] } = v.safeParse(credentialSchema, secret);
  return [...new Set(issues.map((issue) => v.getDotPath(issue) ?? ''))];
}

function below(base: URL, path: string, parameters: Readonly<Record<string, string>> = {}): URL {
  const url = new URL(base);
  url.pathname = `${base.pathname.replace(/\/$/, '')}${path}`;
  url.search = new URLSearchParams(parameters).toString();
  return url;
}
