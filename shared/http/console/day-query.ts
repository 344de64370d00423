import * as v from 'valibot';
import { invalidSchema } from '../../core/errors.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

const DAY_RULE = 'Enter a day such as 2026-01-15.';

/** A day in a body. */
export const requiredDay = v.pipe(v.string(), v.check(isDay, DAY_RULE));

/** Rejects days that do not exist, which some parsers move to the next month. */
export const day = v.optional(
  v.pipe(
    v.string(),
    v.check((text) => text === '' || isDay(text), DAY_RULE),
  ),
  '',
);

/** Names the fields as the pages label them. An empty day does not limit the period. */
export function requireDayOrder(from: string, to: string): void {
  if (from !== '' && to !== '' && from > to)
    throw invalidSchema('wrong_value', 'from', 'From must not be later than To.', 'Enter an earlier From.');
}

function isDay(text: string): boolean {
  const timeMs = Date.parse(text);
  return DAY.test(text) && !Number.isNaN(timeMs) && new Date(timeMs).toISOString().startsWith(text);
}
