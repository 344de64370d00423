import { setting } from '../core/config.ts';
import { currentPart, type Secret, secret } from '../core/secrets.ts';
import { sandboxProvider } from './providers/sandbox/sandbox.ts';
import type { RegistryProvider } from './registry.ts';

/** Every provider, by the name that configuration, tables and metrics use. A new one is a folder and a line here. */
const FACTORIES: Readonly<Record<string, (credentials: Secret) => RegistryProvider>> = {
  sandbox: (credentials) =>
    sandboxProvider({ url: setting('SANDBOX_URL'), secret: currentPart('SANDBOX', credentials) }),
};

const made = new Map<string, { readonly credentials: Secret; readonly provider: RegistryProvider }>();

/**
 * The provider, made anew when its secret has changed, so that a rotation needs no deploy.
 * Throws for a name that no factory has, and where the secret cannot be read.
 */
export async function providerNamed(name: string): Promise<RegistryProvider> {
  const factory = FACTORIES[name];
  if (!factory) throw new Error(`There is no registry provider "${name}".`);
  const credentials = await secret(name.toUpperCase());
  const known = made.get(name);
  if (known?.credentials === credentials) return known.provider;
  const provider = factory(credentials);
  made.set(name, { credentials, provider });
  return provider;
}
