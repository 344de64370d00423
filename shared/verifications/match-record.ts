import { comparePerson, MATCH_FIELDS, type MatchedPerson, type Registered } from '../matching/match.ts';
import type { RegistryRecord } from '../registries/port.ts';
import type { ClaimedDetails } from './match-request.ts';

/**
 * Compares the claimed details of a person with the record. Routes receive it as a dependency, so that only functions
 * that match people contain its code.
 */
export type MatchRecord = (claimed: ClaimedDetails, record: RegistryRecord) => MatchedPerson;

/** Fields that the record lacks are empty. */
export const matchRecord: MatchRecord = (claimed, record) => {
  const registered = MATCH_FIELDS.map((field) => [field, field in record ? Reflect.get(record, field) : '']);
  return comparePerson(claimed, Object.fromEntries(registered) as Registered);
};
