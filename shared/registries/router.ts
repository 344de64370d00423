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
 * `providerNamed` makes or finds a provider by its name.
 */
export function registryRouter(
  routing: RegistryRouting,
  providerNamed: (name: string) => Promise<RegistryProvider>,
): RegistryRouter {
  const namesFor = (env: 'live' | 'test', idType: IdType) =>
    env === 'test' ? ['sandbox'] : (routing[idType] ?? []);
  return {
    serves: (env, idType) => namesFor(env, idType).length > 0,
    async lookUp(env, query) {
      const [name] = namesFor(env, query.idType);
      if (name === undefined) throw new Error(`No provider is configured for ${env} ${query.idType}.`);
      const provider = await providerNamed(name);
      return { answer: await provider.lookUp(query), provider };
    },
  };
}
