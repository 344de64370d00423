import * as v from 'valibot';

/** Schemas of a stage's settings. Their messages say what to write instead. */

export function whole(least: number, most?: number) {
  const range = most === undefined ? `of at least ${least}` : `from ${least} to ${most}`;
  const message = `Use a whole number ${range}.`;
  return v.pipe(
    v.number(message),
    v.integer(message),
    v.minValue(least, message),
    v.maxValue(most ?? Number.MAX_SAFE_INTEGER, message),
  );
}

export function oneOf<const T extends readonly (string | number)[]>(options: T) {
  return v.picklist(
    options,
    ({ received }) => `${received} is not allowed. Use one of: ${options.join(', ')}.`,
  );
}

export const OBJECT = 'Use an object.';

export function settings<const T extends v.ObjectEntries>(entries: T) {
  return v.strictObject(entries, ({ expected, received }) => {
    if (expected === 'never') return 'This setting is unknown. Correct its spelling or remove it.';
    return received === 'undefined' ? 'This setting is required. Add it.' : OBJECT;
  });
}

const TEXT = 'Use text that is not empty.';
export const text = v.pipe(v.string(TEXT), v.nonEmpty(TEXT));

const BUCKET = 'Use the name of an S3 bucket, for example example-finance-reports.';
export const bucketName = v.pipe(v.string(BUCKET), v.regex(/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/, BUCKET));

const DAY = 'Use a date, for example 2027-03-31.';
/** A day as YYYY-MM-DD. */
export const day = v.pipe(v.string(DAY), v.isoDate(DAY), v.check(isDayOfCalendar, DAY));

/** Returns whether the date (YYYY-MM-DD) exists. 31 February, for example, does not. */
function isDayOfCalendar(date: string): boolean {
  return new Date(`${date}T00:00:00Z`).getUTCDate() === Number(date.slice(-2));
}
