import { useLocation, useRoute } from 'preact-iso/router';
import type { Environment } from '../../../shared/core/environment.ts';

/**
 * Returns the environment that a page shows. It is part of the address, so that links and reloads keep it. A page reads
 * the address with `useRoute`: until the next page has loaded, `useLocation` already returns the next address.
 */
export function useEnvironment(): Environment {
  const [route, { query }] = [useRoute(), useLocation()];
  // Outside the pages, in their frame, there is no route.
  return environmentOf((route.query ?? query)['env']);
}

export function environmentOf(name: string | null | undefined): Environment {
  return name === 'test' ? 'test' : 'live';
}
