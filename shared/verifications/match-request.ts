import * as v from 'valibot';
import { invalidSchema } from '../core/errors.ts';
import type { IdType } from '../core/id-types.ts';
import { isPrintable } from '../core/printable-text.ts';
import { calendarDate } from '../registries/mapping/formats.ts';
import { problem } from './parse-body.ts';

/**
 * The fields of a body that ask whether a record matches the claimed details of a person (contract M1 and M3).
 */

const MAX_NAME = 100;
const MAX_PHONE = 30;
const BIRTHDATE = /^(?:\d{2}-\d{2}-(?:19|20)\d{2}|(?:19|20)\d{2}-\d{2}-\d{2})$/;
/** A local number has at least seven digits, and an E.164 number at most fifteen. */
export const PHONE = /^ *\+?(?:[ ().-]*[0-9]){7,15} *$/;
const GENDERS = ['m', 'f', 'male', 'female'] as const;

const EXAMPLE_PHONES = '08031234567 or +2348031234567';
const NOT_A_NAME = problem(
  'must be a name: one line of visible characters with at least one letter.',
  'Leave the field out if there is no such name.',
);
const NOT_A_DATE = problem(
  'must be a date that exists, such as 14-02-1990 or 1990-02-14.',
  'Write the date as DD-MM-YYYY or YYYY-MM-DD.',
);
const NOT_A_PHONE_NUMBER = problem(
  `must be a phone number of 7 to 15 digits, such as ${EXAMPLE_PHONES}.`,
  `Write it like ${EXAMPLE_PHONES}.`,
);

const isName = (text: string) => isPrintable(text) && /\p{L}/u.test(text);
const isBirthdate = (text: string) => BIRTHDATE.test(text) && calendarDate(text) !== '';

const name = v.exactOptional(v.pipe(v.string(), v.maxLength(MAX_NAME), v.check(isName, NOT_A_NAME)));

export const claimedDetails = v.pipe(
  v.strictObject({
    firstname: name,
    lastname: name,
    middlename: name,
    /** DD-MM-YYYY or YYYY-MM-DD. */
    birthdate: v.exactOptional(v.pipe(v.string(), v.check(isBirthdate, NOT_A_DATE))),
    gender: v.exactOptional(v.picklist(GENDERS)),
    phone: v.exactOptional(
      v.pipe(
        v.string(),
        v.maxLength(MAX_PHONE),
        v.check((text) => PHONE.test(text), NOT_A_PHONE_NUMBER),
      ),
    ),
  }),
  v.minEntries(1),
);
export type ClaimedDetails = v.InferOutput<typeof claimedDetails>;

export const matchFields = {
  match: v.exactOptional(claimedDetails),
  match_only: v.exactOptional(v.boolean()),
};
export type MatchFields = v.InferOutput<v.StrictObjectSchema<typeof matchFields, undefined>>;

export interface MatchCommand {
  /** Never stored or logged. */
  readonly match?: ClaimedDetails;
  /** Whether the response contains the result of the match instead of the record (contract M3). */
  readonly isMatchOnly?: true;
}

export const PERSON_TYPES = ['NIN', 'BVN'] as const satisfies readonly IdType[];

export function isPersonType(idType: IdType): idType is (typeof PERSON_TYPES)[number] {
  return PERSON_TYPES.some((one) => one === idType);
}

/** Reads the fields. Throws INVALID_SCHEMA if they contradict each other or the rest of the request. */
export function matchCommand(
  { match, match_only: isMatchOnly }: MatchFields,
  { idType, needsPhoto }: { readonly idType: IdType; readonly needsPhoto: boolean },
): MatchCommand {
  const field = match === undefined ? 'match_only' : 'match';
  if (!isPersonType(idType) && (match !== undefined || isMatchOnly !== undefined))
    throw invalidSchema(
      'unknown_field',
      field,
      `The field ${field} is for id_type "NIN" and "BVN" only.`,
      'Remove it.',
    );
  if (isMatchOnly && match === undefined)
    throw invalidSchema(
      'missing_field',
      'match',
      'The field match_only requires the field match.',
      'Send the details to compare in match.',
    );
  if (isMatchOnly && needsPhoto)
    throw invalidSchema(
      'wrong_value',
      'match_only',
      'match_only returns no photo, which method "biometric" requires.',
      'Leave out match_only or method.',
    );
  return { ...(match && { match }), ...(isMatchOnly && { isMatchOnly }) };
}
