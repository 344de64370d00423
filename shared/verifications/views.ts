import * as v from 'valibot';
import { bvnBasicRecord, bvnRecord } from '../registries/mapping/records/bvn.ts';
import { cacBasicRecord, cacRecord } from '../registries/mapping/records/cac.ts';
import { ninBasicRecord, ninRecord } from '../registries/mapping/records/nin.ts';
import { nubanRecord } from '../registries/mapping/records/nuban.ts';
import { tinRecord } from '../registries/mapping/records/tin.ts';
import type { RegistryRecord } from '../registries/port.ts';
import { SERVICES, type ServiceName } from './services.ts';

/** The fields that each service returns. A Basic view never contains a Premium field, whatever a provider sent. */

const VIEWS = {
  NIN: { basic: ninBasicRecord, premium: ninRecord },
  BVN: { basic: bvnBasicRecord, premium: bvnRecord },
  CAC: { basic: cacBasicRecord, premium: cacRecord },
  TIN: { basic: tinRecord, premium: tinRecord },
  NUBAN: { basic: nubanRecord, premium: nubanRecord },
} as const;

/** Returns the schema of a service's `data`. */
export function viewSchema(service: ServiceName) {
  const { idType, level } = SERVICES[service];
  return VIEWS[idType][level];
}

/**
 * Reduces a record to the service's fields, in the documented order. Returns undefined if it is not a valid record of
 * the type, which makes the request a failed verification (contract D7).
 */
export function viewOf(service: ServiceName, record: RegistryRecord): Record<string, unknown> | undefined {
  const schema = viewSchema(service);
  const known = Object.keys(schema.entries).map((field) => [field, record[field as keyof RegistryRecord]]);
  const result = v.safeParse(schema, Object.fromEntries(known));
  return result.success ? result.output : undefined;
}
