import { setting } from '../../core/config.ts';
import { currentPart, secret } from '../../core/secrets.ts';
import { signRequest } from '../../core/sign-request.ts';
import type { RegistryProvider } from '../port.ts';
import type { ProviderAdapter, ProviderConfig } from './access.ts';
import { LIVE_PROVIDERS, type LiveProviderName, liveProviderName, SANDBOX } from './catalogue.ts';
import { dojahAdapter } from './dojah/dojah.ts';
import { paystackAdapter } from './paystack/paystack.ts';
import { premblyAdapter } from './prembly/prembly.ts';
import { qoreidAdapter } from './qoreid/qoreid.ts';
import { sandboxProvider } from './sandbox/sandbox.ts';
import { youverifyAdapter } from './youverify/youverify.ts';

/** The adapter of each live provider. The type requires one for every entry of the catalogue. */
const ADAPTERS: Readonly<Record<LiveProviderName, ProviderAdapter>> = {
  prembly: premblyAdapter,
  dojah: dojahAdapter,
  qoreid: qoreidAdapter,
  paystack: paystackAdapter,
  youverify: youverifyAdapter,
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
  return { name, ...LIVE_PROVIDERS[name], lookUp: ADAPTERS[name](config) };
}
