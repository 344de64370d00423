import { setting } from '../../core/config.ts';
import { currentPart, secret } from '../../core/secrets.ts';
import { signRequest } from '../../core/sign-request.ts';
import type { RegistryProvider } from '../port.ts';
import type { ProviderConfig, ProviderEndpoint } from './access.ts';
import { LIVE_PROVIDERS, type LiveProviderName, liveProviderName, SANDBOX } from './catalogue.ts';
import { ALL_PROVIDERS, type Connections } from './connections.ts';
import { sandboxProvider } from './sandbox/sandbox.ts';

/**
 * Creates a provider, or the sandbox, from the function's settings and secrets. Throws if the name is unknown, or if
 * `connections`, the function's adapters, do not include the provider.
 */
export function configuredProvider(name: string, connections: Connections): RegistryProvider {
  if (name === SANDBOX.name) {
    return sandboxProvider({
      url: setting('SANDBOX_URL'),
      secret: async () => currentPart('SANDBOX', await secret('SANDBOX')),
      sign: signRequest,
    });
  }
  const live = liveProviderName(name);
  const connection = connections[live];
  if (!connection) throw new Error(`This function contains no adapter for the provider "${name}".`);
  const config = { credentials: () => secret(name.toUpperCase()), allowLocal: setting('STAGE') === 'local' };
  return { name, ...LIVE_PROVIDERS[live], lookUp: connection.adapter(config) };
}

/** Creates a live provider with the given credentials. */
export function liveProvider(name: LiveProviderName, config: ProviderConfig): RegistryProvider {
  return { name, ...LIVE_PROVIDERS[name], lookUp: ALL_PROVIDERS[name].adapter(config) };
}

/** Returns the hosts of a live provider, and the credentials that it requires. */
export function endpointOf(name: LiveProviderName): ProviderEndpoint {
  return ALL_PROVIDERS[name].endpoint;
}
