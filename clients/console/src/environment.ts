import { useLocation, useRoute } from 'preact-iso/router';
import type { Environment } from '../../../shared/core/environment.ts';

/**
 * Returns the environment in the address, so that links and reloads keep it. While the next page loads, `useLocation`
 * already returns its address: pages use `useRoute`.
 */
export function useEnvironment(): Environment {
  const [route, { query }] = [useRoute(), useLocation()];
  // Only pages have a route, but not their frame.
  return environmentOf((route.query ?? query)['env']);
}

export function environmentOf(name: string | null | undefined): Environment {
  return name === 'test' ? 'test' : 'live';
}
