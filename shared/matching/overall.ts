import type { Agreement } from './agreement.ts';
import type { NamesMatch } from './compare-names.ts';

/** The agreement of the fields other than names. `undefined`: not claimed, unreadable, or not in the record. */
export interface Evidence {
  readonly date: Agreement | undefined;
  /** Whether one side has 1 January of the same year. */
  readonly isDefaultDate: boolean;
  readonly gender: Agreement | undefined;
  readonly phone: Agreement | undefined;
}

type Verdict = 'strong' | 'partial' | 'none' | 'insufficient';

interface Decision {
  /** `strong` includes `exact`. */
  readonly verdict: Verdict;
  readonly isSurnameChanged: boolean;
}

/**
 * The number of agreeing names that is enough for a match if the phone number differs and no birth date was compared.
 */
const SURE_WITH_OTHER_PHONE = 3;
/** The number of agreeing names that is enough for a match if one agrees by a short form that several names share. */
const SURE_WITH_AMBIGUOUS = 3;

/** Decides as docs/design/matching.md describes: first by the names, and then by fields that contradict them. */
export function overallOf(names: NamesMatch, evidence: Evidence): Decision {
  const hasNames = [...names.fields.values()].some((result) => result !== 'not_in_record');
  const isSurnameChanged = hasNames && names.conflict === 'surname' && isProven(evidence);
  const verdict = hasNames ? verdictOfNames(names, evidence) : 'insufficient';
  return {
    verdict: withEvidence(verdict, names, evidence),
    isSurnameChanged: isSurnameChanged && verdict === 'strong',
  };
}

function isProven({ date, phone }: Evidence): boolean {
  return date === 'exact' && phone === 'exact';
}

function isSupported({ date, phone }: Evidence): boolean {
  return date === 'exact' || date === 'strong' || phone === 'exact';
}

function verdictOfNames(names: NamesMatch, evidence: Evidence): Verdict {
  const { counts, conflict } = names;
  const agreeing = agreeingNames(names);
  if (agreeing === 0) return counts.initial > 0 ? 'partial' : 'none';
  if (conflict !== 'none') return verdictOfConflict(names, evidence);
  const isWhole = names.claimedWords === 1 && names.registeredWords === 1;
  if (agreeing === 1 && counts.initial > 0) return 'partial';
  if (agreeing === 1 && !isWhole && !isProven(evidence)) return 'insufficient';
  if (names.isCut || names.doubt === 'sure') return 'partial';
  return needsSupport(names) && !isSupported(evidence) ? 'partial' : 'strong';
}

function verdictOfConflict(names: NamesMatch, evidence: Evidence): Verdict {
  if (names.doubt === 'sure') return 'partial';
  if (names.conflict === 'surname' && isProven(evidence)) return 'strong';
  const isOfMiddleName = names.conflict === 'middle' && agreeingNames(names) > 1;
  return isOfMiddleName && isSupported(evidence) && !needsSupport(names) ? 'strong' : 'partial';
}

function agreeingNames({ counts }: NamesMatch): number {
  return counts.same + counts.variant + counts.short + counts.ambiguous + counts.typo + counts.weak;
}

/** Whether the names need more evidence: for a weak agreement, several typing mistakes, or the name of a parent. */
function needsSupport(names: NamesMatch): boolean {
  if (isWeak(names) || names.doubt === 'support') return true;
  return names.counts.ambiguous > 0 && agreeingNames(names) < SURE_WITH_AMBIGUOUS;
}

function isWeak({ counts }: NamesMatch): boolean {
  return counts.weak > 0 || counts.typo > 1;
}

function withEvidence(verdict: Verdict, names: NamesMatch, evidence: Evidence): Verdict {
  const { date, gender, phone } = evidence;
  if (verdict === 'insufficient') return [date, gender, phone].includes('none') ? 'none' : verdict;
  if (date === 'none') return verdict === 'strong' ? 'partial' : 'none';
  if (verdict !== 'strong') return verdict;
  return gender === 'none' || isDoubtful(names, evidence) ? 'partial' : 'strong';
}

/** Whether agreeing names are not enough, because the birth date agrees only in part, or the phone number differs. */
function isDoubtful(names: NamesMatch, { date, isDefaultDate, phone }: Evidence): boolean {
  if (date === 'partial') return phone === 'exact' ? isWeak(names) : !isDefaultDate || needsSupport(names);
  return date === undefined && phone === 'none' && agreeingNames(names) < SURE_WITH_OTHER_PHONE;
}
