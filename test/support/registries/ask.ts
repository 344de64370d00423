import { expect } from '@jest/globals';
import * as v from 'valibot';
import type { IdType } from '../../../shared/core/id-types.ts';
import { bvnRecord } from '../../../shared/registries/mapping/records/bvn.ts';
import { cacRecord } from '../../../shared/registries/mapping/records/cac.ts';
import { ninRecord } from '../../../shared/registries/mapping/records/nin.ts';
import { nubanRecord } from '../../../shared/registries/mapping/records/nuban.ts';
import { tinRecord } from '../../../shared/registries/mapping/records/tin.ts';
import type {
  RegistryProvider,
  RegistryQuery,
  RegistryRecords,
  RegistryResult,
} from '../../../shared/registries/port.ts';

export const RECORD_SCHEMAS = {
  NIN: ninRecord,
  BVN: bvnRecord,
  CAC: cacRecord,
  TIN: tinRecord,
  NUBAN: nubanRecord,
} as const;

/** A look-up at premium level with five seconds, unless told otherwise. */
export function ask(
  provider: RegistryProvider,
  idType: IdType,
  number: string,
  more: Partial<RegistryQuery> = {},
): Promise<RegistryResult> {
  return provider.lookUp({ idType, number, level: 'premium', deadlineMs: Date.now() + 5_000, ...more });
}

/** The record that a look-up finds, checked against our schema, with the number that was asked for in it. */
export async function recordOf<T extends IdType>(
  provider: RegistryProvider,
  idType: T,
  number: string,
  more: Partial<RegistryQuery> = {},
): Promise<RegistryRecords[T]> {
  const answer = await ask(provider, idType, number, more);
  if (answer.kind !== 'found') throw new Error(`Expected a record, got ${answer.kind}: ${answer.detail}`);
  expect(v.safeParse(RECORD_SCHEMAS[idType], answer.record).issues).toBeUndefined();
  expect(Object.values(answer.record)).toContain(number);
  return answer.record as RegistryRecords[T];
}
