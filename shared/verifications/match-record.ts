import { hasUnknownName, MATCH_FIELDS, type Match, matchPerson, type Registered } from '../matching/match.ts';
import type { RegistryRecord } from '../registries/port.ts';
import type { ClaimedDetails } from './match-request.ts';

/**
 * Compares the claimed details of a person with the record. Routes receive it as a dependency, so that only functions
 * that match people contain its code.
 */
export type MatchRecord = (claimed: ClaimedDetails, record: RegistryRecord) => MatchedRecord;

interface MatchedRecord {
  readonly match: Match;
  readonly hasUnknownName: boolean;
}

/** Fields that the record lacks are empty. */
export const matchRecord: MatchRecord = (claimed, record) => {
  const fields = MATCH_FIELDS.map((field) => [field, field in record ? Reflect.get(record, field) : '']);
  const registered = Object.fromEntries(fields) as Registered;
  return {
    match: matchPerson(claimed, registered),
    hasUnknownName: hasUnknownName(claimed, registered),
  };
};
