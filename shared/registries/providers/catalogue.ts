import { setting } from '../../core/config.ts';
import { currentPart, secret } from '../../core/secrets.ts';
import type { RegistryProvider } from '../port.ts';
import type { ProviderConfig } from './access.ts';
import { dojahProvider } from './dojah/dojah.ts';
import { paystackProvider } from './paystack/paystack.ts';
import { premblyProvider } from './prembly/prembly.ts';
import { qoreidProvider } from './qoreid/qoreid.ts';
import { SANDBOX, sandboxProvider } from './sandbox/sandbox.ts';
import { youverifyProvider } from './youverify/youverify.ts';

/** Every live provider, by the name that configuration, tables and metrics use: a folder and a line each. */
export const PROVIDERS: Readonly<Record<string, (config: ProviderConfig) => RegistryProvider>> = {
  dojah: dojahProvider,
  paystack: paystackProvider,
  prembly: premblyProvider,
  qoreid: qoreidProvider,
  youverify: youverifyProvider,
};

/** The name to show, for those who ask nobody. Throws for a name that is not known. */
export function displayNameOf(name: string): string {
  if (name === SANDBOX.name) return SANDBOX.displayName;
  return liveProvider(name, { credentials: () => Promise.reject(new Error('not asked')), allowLocal: false })
    .displayName;
}

/** Makes a provider, its account from the secret of its name. Throws for a name that is not known. */
export function providerNamed(name: string): RegistryProvider {
  if (name === SANDBOX.name) {
    return sandboxProvider({
      url: setting('SANDBOX_URL'),
      secret: async () => currentPart('SANDBOX', await secret('SANDBOX')),
    });
  }
  const make = maker(name);
  return make({ credentials: () => secret(name.toUpperCase()), allowLocal: setting('STAGE') === 'local' });
}

/** Makes one of the live providers. Throws for a name that is not known. */
export function liveProvider(name: string, config: ProviderConfig): RegistryProvider {
  return maker(name)(config);
}

function maker(name: string): (config: ProviderConfig) => RegistryProvider {
  const make = Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name] : undefined;
  if (!make) throw new Error(`There is no registry provider named ${name}.`);
  return make;
}
