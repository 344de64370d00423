import type { ClaimedDetails } from './records.ts';

/** Converts the forms of dates and genders that forms and databases have to those of the API, which checks the rest. */
export function claimedDetails(claimed: ClaimedDetails | undefined): ClaimedDetails | undefined {
  if (typeof claimed !== 'object' || claimed === null) return claimed;
  const { birthdate, gender } = claimed;
  return {
    ...claimed,
    ...(birthdate != null && { birthdate: dateText(birthdate) }),
    ...(gender != null && { gender: genderText(gender) }),
  };
}

const two = (number: number): string => String(number).padStart(2, '0');

function dateText(date: string | Date): string {
  if (date instanceof Date) {
    if (Number.isNaN(date.getTime())) throw new TypeError('match.birthdate is an invalid Date.');
    const isUtc = date.getTime() % 86_400_000 === 0;
    const parts = isUtc
      ? [date.getUTCDate(), date.getUTCMonth() + 1, date.getUTCFullYear()]
      : [date.getDate(), date.getMonth() + 1, date.getFullYear()];
    return parts.map(two).join('-');
  }
  const text = String(date).trim();
  const [, day, month, year] = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4})$/.exec(text) ?? [];
  return day && month ? `${day.padStart(2, '0')}-${month.padStart(2, '0')}-${year}` : text;
}

function genderText(gender: NonNullable<ClaimedDetails['gender']>): NonNullable<ClaimedDetails['gender']> {
  const word = String(gender).trim().toLowerCase();
  return /^(?:m|f|male|female)$/.test(word) ? (word as 'm') : gender;
}
