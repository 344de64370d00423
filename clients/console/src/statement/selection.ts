import type { Environment } from '../../../../shared/core/environment.ts';

export interface Selection {
  readonly env: Environment;
  /** `yyyy-mm`, in Africa/Lagos. */
  readonly month: string;
}

export function statementPath({ env, month }: Selection, cursor: string | null, limit?: number): string {
  const query = new URLSearchParams({
    env,
    month,
    ...(cursor !== null && { cursor }),
    ...(limit !== undefined && { limit: String(limit) }),
  });
  return `/wallet/statement?${query}`;
}
