import type { IdType } from '../core/id-types.ts';
import { notPossible } from '../core/not-possible.ts';
import type { RegistryProvider, RegistryQuery, RegistryResult } from '../registries/port.ts';
import { type ObservedResponse, observeResponses } from '../registries/transport/observe-responses.ts';
import { type Fields, fieldsOf } from './json-structure.ts';

/** Below the limit of the operator API. */
export const LONGEST_TEST_SECONDS = 25;

/** Without the record: personal data does not belong in a terminal. */
export interface TestedLookUp {
  readonly provider: string;
  readonly idType: IdType;
  readonly level: RegistryQuery['level'];
  readonly outcome: RegistryResult['kind'];
  readonly detail: string;
  /** The provider may bill it without a record. */
  readonly maybeBilled: boolean;
  readonly latencyMs: number;
  /** Absent if no response can contain a record. */
  readonly response?: { readonly path: string; readonly fields: Fields };
}

/** It bypasses the router, so the recorded health does not change. */
export async function testLookUp(provider: RegistryProvider, query: RegistryQuery): Promise<TestedLookUp> {
  const { idType, level } = query;
  if (!provider.idTypes[idType]?.includes(level))
    throw notPossible(`${provider.displayName} does not offer ${idType} look-ups of level ${level}.`);
  let last: ObservedResponse | undefined;
  const startedMs = Date.now();
  const result = await observeResponses(
    (response) => {
      last = response;
    },
    () => provider.lookUp(query),
  );
  // An adapter may fail to read a changed response.
  const mayHaveRecord = result.kind === 'found' || result.kind === 'failed';
  const hasResponse = mayHaveRecord && last !== undefined && last.status < 300;
  return {
    provider: provider.displayName,
    idType,
    level,
    outcome: result.kind,
    detail: result.kind === 'found' ? '' : result.detail,
    maybeBilled: result.kind !== 'found' && result.maybeBilled === true,
    latencyMs: Date.now() - startedMs,
    ...(hasResponse && last && { response: { path: last.url.pathname, fields: fieldsOf(last.json) } }),
  };
}
