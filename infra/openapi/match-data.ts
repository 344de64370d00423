import * as v from 'valibot';
import { FIELD_RESULTS, MATCH_FIELDS, OVERALL, REASONS } from '../../shared/matching/match.ts';
import { ENVELOPE_FIELDS, FIELD_MATCH_FIELDS } from '../../shared/verifications/field-descriptions.ts';
import { type JsonSchema, outputSchema } from './json-schemas.ts';

/** The schemas of `match` in a response (contract M2). */

const score = v.pipe(v.number(), v.minValue(0), v.maxValue(1));

const fieldMatch = v.object({
  result: v.picklist(FIELD_RESULTS),
  score,
  reasons: v.array(v.picklist(REASONS)),
});

const match = v.object({
  overall: v.picklist(OVERALL),
  score,
  algorithm: v.string(),
  fields: v.object(Object.fromEntries(MATCH_FIELDS.map((field) => [field, v.optional(fieldMatch)]))),
});

const MATCH_DESCRIPTIONS = {
  overall: ENVELOPE_FIELDS['match.overall'],
  score: ENVELOPE_FIELDS['match.score'],
  algorithm: ENVELOPE_FIELDS['match.algorithm'],
  fields: ENVELOPE_FIELDS['match.fields'],
} as const;

/** Returns the schemas of a match, for `components`. */
export function matchSchemas(): Readonly<Record<string, JsonSchema>> {
  return {
    Match: outputSchema(match, { FieldMatch: fieldMatch }, MATCH_DESCRIPTIONS),
    FieldMatch: outputSchema(fieldMatch, {}, FIELD_MATCH_FIELDS),
  };
}
