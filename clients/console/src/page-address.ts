import type { Environment } from '../../../shared/core/environment.ts';

export function pageIn(
  environment: Environment,
  path: string,
  more: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({ ...(environment === 'test' && { env: 'test' }), ...more }).toString();
  return query ? `${path}?${query}` : path;
}
