import { queryText } from '../query.ts';

/** The filter of the audit trail. An empty field does not limit the changes. */
export interface Filter {
  readonly search: string;
  /** Days in Africa/Lagos, both inclusive. */
  readonly from: string;
  readonly to: string;
}

export function filterOf(query: Readonly<Record<string, string>>): Filter {
  const { search = '', from = '', to = '' } = query;
  return { search, from, to };
}

export function queryOf(filter: Filter, more: Readonly<Record<string, string>> = {}): string {
  return queryText({ ...filter, ...more });
}

export function pathOf(filter: Filter, cursor: string | null, limit?: number): string {
  const more = { ...(cursor !== null && { cursor }), ...(limit !== undefined && { limit: String(limit) }) };
  const query = queryOf(filter, more);
  return query ? `/audit?${query}` : '/audit';
}
