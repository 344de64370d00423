import type { RegistryRouting } from '../core/config.ts';
import type { IdType } from '../core/id-types.ts';
import type { RegistryAnswer, RegistryProvider, RegistryQuery } from './registry.ts';

/** An answer and who gave it. */
export interface RoutedAnswer {
  readonly answer: RegistryAnswer;
  readonly provider: Pick<RegistryProvider, 'name' | 'displayName'>;
}

export interface RegistryRouter {
  /** Is there a provider for this type at all? Asked before anything is held. */
  serves(env: 'live' | 'test', idType: IdType): boolean;
  /** Asks the provider of the environment. Call only where `serves` is true. */
  lookUp(env: 'live' | 'test', query: RegistryQuery): Promise<RoutedAnswer>;
}

/**
 * Test keys reach the sandbox only; live keys reach the providers of the routing, in order (decisions A9, B3).
 * `providerNamed` makes a provider by its name, once.
 */
export function registryRouter(
  routing: RegistryRouting,
  providerNamed: (name: string) => RegistryProvider,
): RegistryRouter {
  const made = new Map<string, RegistryProvider>();
  const provider = (name: string) => {
    const known = made.get(name) ?? providerNamed(name);
    made.set(name, known);
    return known;
  };
  const namesFor = (env: 'live' | 'test', idType: IdType) =>
    env === 'test' ? ['sandbox'] : (routing[idType] ?? []);
  return {
    serves: (env, idType) => namesFor(env, idType).length > 0,
    async lookUp(env, query) {
      const [name] = namesFor(env, query.idType);
      if (name === undefined) throw new Error(`No provider is configured for ${env} ${query.idType}.`);
      const asked = provider(name);
      return { answer: await asked.lookUp(query), provider: asked };
    },
  };
}
