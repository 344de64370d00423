import { AGREEMENTS, type Comparison } from './agreement.ts';
import { compareNames, NAME_REASONS, type NamesMatch } from './compare-names.ts';
import { compareDates, DATE_REASONS, isDefaultDate, readDate } from './dates.ts';
import { fold, LOST_LETTER } from './fold.ts';
import { NAME_FIELDS } from './name-tokens.ts';
import { type Evidence, overallOf } from './overall.ts';
import { comparePhones, nationalNumber, PHONE_REASONS } from './phones.ts';

/**
 * Compares claimed details of a person with the registry's record (contract M1 to M4), as docs/design/matching.md explains.
 */

export const MATCH_FIELDS = ['firstname', 'lastname', 'middlename', 'birthdate', 'gender', 'phone'] as const;

type MatchField = (typeof MATCH_FIELDS)[number];

/** `exact` and `strong` are a match. */
export const OVERALL = [...AGREEMENTS, 'insufficient'] as const;

type Overall = (typeof OVERALL)[number];

/** `unreadable`: the claimed value contains no name, date, gender or phone number. */
export const FIELD_RESULTS = [...AGREEMENTS, 'not_in_record', 'unreadable'] as const;

type FieldResult = (typeof FIELD_RESULTS)[number];

export const REASONS = [...NAME_REASONS, ...DATE_REASONS, ...PHONE_REASONS] as const;

export type Reason = (typeof REASONS)[number];

/** The version of the algorithm. It changes whenever the same input may give a different result. */
export const ALGORITHM = 'ng-match-2';

export type Claimed = { readonly [field in MatchField]?: string };

/** A field that the record lacks is empty. */
export type Registered = { readonly [field in MatchField]: string };

export interface FieldMatch {
  readonly result: FieldResult;
  /** From 0 to 1, with two decimals. 0 if the field was not compared. */
  readonly score: number;
  readonly reasons: readonly Reason[];
}

export interface Match {
  readonly overall: Overall;
  /** The confidence score of the response. */
  readonly score: number;
  readonly algorithm: string;
  readonly fields: { readonly [field in MatchField]?: FieldMatch };
}

const NOT_IN_RECORD: FieldMatch = { result: 'not_in_record', score: 0, reasons: [] };
const UNREADABLE: FieldMatch = { result: 'unreadable', score: 0, reasons: [] };
const DIFFERENT: FieldMatch = { result: 'none', score: 0, reasons: [] };

export interface MatchedPerson {
  readonly match: Match;
  /**
   * Even if the other details agree: a claimed name is none of the names in the record, or lacks letters, or the date is
   * 1 January and that of the record is another day of the year.
   */
  readonly mayBeGuess: boolean;
}

export function matchPerson(claimed: Claimed, registered: Registered): Match {
  return comparePerson(claimed, registered).match;
}

/**
 * Compares the claimed fields with the record. Pure, and never throws. The first call also builds the tables of names.
 */
export function comparePerson(claimed: Claimed, registered: Registered): MatchedPerson {
  const names = compareNames(claimed, registered);
  const fields: { [field in MatchField]?: FieldMatch } = {};
  for (const field of MATCH_FIELDS) {
    const value = claimed[field];
    if (value !== undefined) fields[field] = matchField(field, value, registered[field], names);
  }
  const isYearOnly = hasDefaultDate(fields.birthdate) && !isDefaultDate(registered.birthdate);
  let overall = overallOf(names, evidenceOf(fields));
  if (isYearOnly && overall.verdict !== 'strong') {
    // Otherwise, whoever knows only the number could find the year with one guess for each.
    fields.birthdate = DIFFERENT;
    overall = overallOf(names, evidenceOf(fields));
  }
  const { lastname } = fields;
  if (overall.isSurnameChanged && lastname)
    fields.lastname = { ...lastname, reasons: [...lastname.reasons, 'SURNAME_CHANGED'] };
  const verdict = overall.verdict === 'strong' && areAllExact(fields) ? 'exact' : overall.verdict;
  const match: Match = { overall: verdict, score: scoreOf(verdict, fields), algorithm: ALGORITHM, fields };
  const pairs = Object.values(names.counts).reduce((sum, count) => sum + count, 0);
  const lacksLetters = NAME_FIELDS.some((field) => fold(claimed[field] ?? '').includes(LOST_LETTER));
  return { match, mayBeGuess: names.claimedWords > pairs || lacksLetters || isYearOnly };
}

function matchField(field: MatchField, claimed: string, registered: string, names: NamesMatch): FieldMatch {
  switch (field) {
    case 'birthdate':
      return matchDate(claimed, registered);
    case 'gender':
      return matchGender(claimed, registered);
    case 'phone':
      return matchPhone(claimed, registered);
    default: {
      const result = names.fields.get(field);
      if (result === undefined) return UNREADABLE;
      return result === 'not_in_record' ? NOT_IN_RECORD : rounded(result);
    }
  }
}

function matchDate(claimed: string, registered: string): FieldMatch {
  const [ours, theirs] = [readDate(claimed), readDate(registered)];
  if (!ours) return UNREADABLE;
  return theirs ? rounded(compareDates(ours, theirs)) : NOT_IN_RECORD;
}

function matchGender(claimed: string, registered: string): FieldMatch {
  const [ours, theirs] = [genderOf(claimed), genderOf(registered)];
  if (!ours) return UNREADABLE;
  if (!theirs) return NOT_IN_RECORD;
  return { result: ours === theirs ? 'exact' : 'none', score: ours === theirs ? 1 : 0, reasons: [] };
}

function genderOf(text: string): 'm' | 'f' | undefined {
  const word = fold(text);
  if (word === 'm' || word === 'male') return 'm';
  return word === 'f' || word === 'female' ? 'f' : undefined;
}

function matchPhone(claimed: string, registered: string): FieldMatch {
  if (nationalNumber(claimed) === undefined) return UNREADABLE;
  return nationalNumber(registered) === undefined
    ? NOT_IN_RECORD
    : rounded(comparePhones(claimed, registered));
}

function rounded({ result, score, reasons }: Comparison<Reason>): FieldMatch {
  return { result, score: Math.round(score * 100) / 100, reasons };
}

function hasDefaultDate(birthdate: FieldMatch | undefined): boolean {
  return birthdate?.reasons.includes('DEFAULT_DATE') ?? false;
}

function evidenceOf({ birthdate, gender, phone }: Match['fields']): Evidence {
  const of = (field: FieldMatch | undefined) =>
    field && isCompared(field) ? AGREEMENTS.find((result) => result === field.result) : undefined;
  return {
    date: of(birthdate),
    isDefaultDate: hasDefaultDate(birthdate),
    gender: of(gender),
    phone: of(phone),
  };
}

function isCompared({ result }: FieldMatch): boolean {
  return result !== 'not_in_record' && result !== 'unreadable';
}

function areAllExact(fields: Match['fields']): boolean {
  return Object.values(fields).every(({ result }) => result === 'exact');
}

const WEIGHTS: Readonly<Record<MatchField, number>> = {
  ...{ firstname: 3, lastname: 3, middlename: 1, birthdate: 3, gender: 0.5, phone: 1.5 },
};

/** The range of scores for each verdict, chosen so that a score of at least 0.85 means a match. */
const BANDS: Readonly<Record<Overall, readonly [lowest: number, highest: number]>> = {
  ...{ exact: [1, 1], strong: [0.85, 0.99], partial: [0.5, 0.84], none: [0, 0.49], insufficient: [0, 0] },
};

function scoreOf(overall: Overall, fields: Match['fields']): number {
  let [total, weights] = [0, 0];
  for (const field of MATCH_FIELDS) {
    const match = fields[field];
    if (!match || !isCompared(match)) continue;
    total += match.score * WEIGHTS[field];
    weights += WEIGHTS[field];
  }
  const [lowest, highest] = BANDS[overall];
  const mean = weights === 0 ? 0 : total / weights;
  return Math.round(Math.min(highest, Math.max(lowest, mean)) * 100) / 100;
}
