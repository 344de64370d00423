import { setting } from '../../core/config.ts';
import { currentPart, secret } from '../../core/secrets.ts';
import { signRequest } from '../../core/sign-request.ts';
import type { RegistryProvider } from '../port.ts';
import type { ProviderAdapter, ProviderConfig, ProviderEndpoint } from './access.ts';
import { LIVE_PROVIDERS, type LiveProviderName, liveProviderName, SANDBOX } from './catalogue.ts';
import { DOJAH, dojahAdapter } from './dojah/dojah.ts';
import { PAYSTACK, paystackAdapter } from './paystack/paystack.ts';
import { PREMBLY, premblyAdapter } from './prembly/prembly.ts';
import { QOREID, qoreidAdapter } from './qoreid/qoreid.ts';
import { sandboxProvider } from './sandbox/sandbox.ts';
import { YOUVERIFY, youverifyAdapter } from './youverify/youverify.ts';

interface Connection {
  readonly adapter: ProviderAdapter;
  readonly endpoint: ProviderEndpoint;
}

/** The adapter and the endpoint of each live provider. The type requires them for every entry of the catalogue. */
const CONNECTIONS: Readonly<Record<LiveProviderName, Connection>> = {
  prembly: { adapter: premblyAdapter, endpoint: PREMBLY },
  dojah: { adapter: dojahAdapter, endpoint: DOJAH },
  qoreid: { adapter: qoreidAdapter, endpoint: QOREID },
  paystack: { adapter: paystackAdapter, endpoint: PAYSTACK },
  youverify: { adapter: youverifyAdapter, endpoint: YOUVERIFY },
};

/** Makes a provider, or the sandbox, from the function's settings and secrets. Throws if the name is unknown. */
export function configuredProvider(name: string): RegistryProvider {
  if (name === SANDBOX.name) {
    return sandboxProvider({
      url: setting('SANDBOX_URL'),
      secret: async () => currentPart('SANDBOX', await secret('SANDBOX')),
      sign: signRequest,
    });
  }
  return liveProvider(liveProviderName(name), {
    credentials: () => secret(name.toUpperCase()),
    allowLocal: setting('STAGE') === 'local',
  });
}

/** Makes a live provider with the given credentials. */
export function liveProvider(name: LiveProviderName, config: ProviderConfig): RegistryProvider {
  return { name, ...LIVE_PROVIDERS[name], lookUp: CONNECTIONS[name].adapter(config) };
}

/** Returns where a live provider is, and the credentials that it requires. */
export function endpointOf(name: LiveProviderName): ProviderEndpoint {
  return CONNECTIONS[name].endpoint;
}
