/** What a caller claims about a person, compared with what the registry has (decisions M1 to M4). */

export const MATCH_FIELDS = ['firstname', 'lastname', 'middlename', 'birthdate', 'gender', 'phone'] as const;

export type MatchField = (typeof MATCH_FIELDS)[number];

/** What the comparison of all claimed fields says. `exact` and `strong` are a match. */
export const OVERALL = ['exact', 'strong', 'partial', 'none', 'insufficient'] as const;

export type Overall = (typeof OVERALL)[number];

/** What the comparison of one field says. `unreadable`: the claimed value contains no name, date, gender or number. */
export const FIELD_RESULTS = ['exact', 'strong', 'partial', 'none', 'not_in_record', 'unreadable'] as const;

export type FieldResult = (typeof FIELD_RESULTS)[number];

/** Why a field is not simply equal or different. */
export const REASONS = [
  'ORDER_SWAPPED',
  'TONE_MARKS',
  'INITIAL',
  'SHORT_FORM',
  'SURNAME_CHANGED',
  'SPELLING_VARIANT',
  'COMPOUND_SPLIT',
  'DAY_MONTH_SWAPPED',
  'DEFAULT_DATE',
  'COUNTRY_CODE',
] as const;

export type Reason = (typeof REASONS)[number];

/** The version of the algorithm. It changes whenever the same input may give another result. */
export const ALGORITHM = 'ng-match-0';

/** The fields that the caller sent. */
export type Claimed = { readonly [field in MatchField]?: string };

/** The fields as the registry gives them. A field that the record lacks is empty. */
export type Registered = { readonly [field in MatchField]: string };

export interface FieldMatch {
  readonly result: FieldResult;
  /** From 0 to 1, with two decimals. 0 if the field was not compared. */
  readonly score: number;
  readonly reasons: readonly Reason[];
}

export interface Match {
  readonly overall: Overall;
  /** From 0 to 1, with two decimals: the confidence score of the response. */
  readonly score: number;
  readonly algorithm: string;
  /** Only the fields that were claimed. */
  readonly fields: { readonly [field in MatchField]?: FieldMatch };
}

/**
 * Compares the claimed fields with the record. Never throws.
 *
 * This first version compares texts without case and marks. It never returns `strong` or `partial`, and no reasons.
 */
export function matchPerson(claimed: Claimed, registered: Registered): Match {
  const fields: { [field in MatchField]?: FieldMatch } = {};
  for (const field of MATCH_FIELDS) {
    const value = claimed[field];
    if (value !== undefined) fields[field] = equalField(value, registered[field]);
  }
  const compared = Object.values(fields).filter(({ result }) => result === 'exact' || result === 'none');
  const isDifferent = compared.some(({ result }) => result === 'none');
  const overall = compared.length === 0 ? 'insufficient' : isDifferent ? 'none' : 'exact';
  return { overall, score: overall === 'exact' ? 1 : 0, algorithm: ALGORITHM, fields };
}

function equalField(claimed: string, registered: string): FieldMatch {
  const [ours, theirs] = [folded(claimed), folded(registered)];
  if (ours === '') return { result: 'unreadable', score: 0, reasons: [] };
  if (theirs === '') return { result: 'not_in_record', score: 0, reasons: [] };
  return ours === theirs
    ? { result: 'exact', score: 1, reasons: [] }
    : { result: 'none', score: 0, reasons: [] };
}

function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase();
}
