import type { Environment } from '../../../../shared/core/environment.ts';
import { REQUEST_ID } from '../../../../shared/core/request-id.ts';
import { queryText } from '../query.ts';

/** The filter of the page. An empty field does not limit the requests. */
export interface Filter {
  /** The caller's complete reference. */
  readonly reference: string;
  readonly service: string;
  readonly outcome: string;
  readonly key: string;
  /** Days in Africa/Lagos, both inclusive. */
  readonly from: string;
  readonly to: string;
}

export function isRequestId(text: string): boolean {
  return REQUEST_ID.test(text);
}

/** Returns a reference without the apostrophe with which an exported file protects it from spreadsheets. */
export function withoutApostrophe(reference: string): string {
  return reference.replace(/^\s*'(?=[\d=+@\u2212-])/u, '');
}

export function filterOf(query: Readonly<Record<string, string>>): Filter {
  const { reference = '', service = '', outcome = '', key = '', from = '', to = '' } = query;
  return { reference, service, outcome, key, from, to };
}

export function addressOf(env: Environment, filter: Filter, id = ''): string {
  const query = queryText({ env: env === 'test' ? env : '', ...filter, id });
  return query ? `/requests?${query}` : '/requests';
}

export function pathOf(env: Environment, filter: Filter, cursor: string | null): string {
  return `/requests?${queryText({ env, ...filter, cursor: cursor ?? '' })}`;
}

export function exportPathOf(env: Environment, filter: Filter, cursor: string | null): string {
  return `/requests?${queryText({ env, ...filter, details: 'yes', cursor: cursor ?? '', limit: '100' })}`;
}
