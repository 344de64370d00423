import { useLocation } from 'preact-iso/router';
import type { Environment } from '../../../shared/core/environment.ts';

/** Returns the environment that a page shows. It is part of the address, so that links and reloads keep it. */
export function useEnvironment(): Environment {
  return environmentOf(useLocation().query['env']);
}

export function environmentOf(name: string | null | undefined): Environment {
  return name === 'test' ? 'test' : 'live';
}
