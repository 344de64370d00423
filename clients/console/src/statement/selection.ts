import type { Environment } from '../../../../shared/core/environment.ts';

export interface Selection {
  readonly env: Environment;
  /** `yyyy-mm`, in Africa/Lagos. */
  readonly month: string;
  /** The ISO time of the first line. Empty for the whole month. */
  readonly from: string;
}

export function statementPath(
  { env, month, from }: Selection,
  cursor: string | null,
  limit?: number,
): string {
  const query = new URLSearchParams({
    env,
    month,
    ...(from && { from }),
    ...(cursor !== null && { cursor }),
    ...(limit !== undefined && { limit: String(limit) }),
  });
  return `/wallet/statement?${query}`;
}
