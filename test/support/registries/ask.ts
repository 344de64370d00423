import { expect } from '@jest/globals';
import * as v from 'valibot';
import type { IdType } from '../../../shared/core/id-types.ts';
import { bankByCode } from '../../../shared/registries/mapping/banks.ts';
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

/** Looks up a number at the premium level with a deadline of five seconds, unless `more` says otherwise. */
export function ask(
  provider: RegistryProvider,
  idType: IdType,
  number: string,
  more: Partial<RegistryQuery> = {},
): Promise<RegistryResult> {
  const bank = more.bankCode === undefined ? undefined : bankByCode(more.bankCode);
  return provider.lookUp({ idType, number, level: 'premium', deadlineMs: Date.now() + 5_000, bank, ...more });
}

/** Returns the record that a look-up finds. Checks that it fits our schema and contains the number of the query. */
export async function recordOf<T extends IdType>(
  provider: RegistryProvider,
  idType: T,
  number: string,
  more: Partial<RegistryQuery> = {},
): Promise<RegistryRecords[T]> {
  const result = await ask(provider, idType, number, more);
  if (result.kind !== 'found') throw new Error(`Expected a record, got ${result.kind}: ${result.detail}`);
  expect(v.safeParse(RECORD_SCHEMAS[idType], result.record).issues).toBeUndefined();
  expect(Object.values(result.record)).toContain(number);
  return result.record as RegistryRecords[T];
}
