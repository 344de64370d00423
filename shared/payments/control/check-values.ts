import { rowName } from '../../audit/row-hashes.ts';
import { DAY_MS, HOUR_MS } from '../../core/clock.ts';
import type { Row } from '../../core/database.ts';
import type { Findings } from './money-rows.ts';

/** Clocks differ by less. */
const MARGIN_MS = HOUR_MS;
const LATER = /^(expiresAt|dueAt)$/;
/** Paystack or a person states it. */
const FOREIGN = /^(paidAt|effectiveAt)$/;
/** Their figures are differences too. */
const SIGNED = /^(CREDIT|CLOSE#|DOCUMENT#)/;
const SOLD = /^(ORDER|LOT#|REFUND#)/;
/** The earlier events on the same row, which earlier versions may not have stored. */
const FOLLOWS: Readonly<Record<string, readonly string[]>> = {
  ...{ failedAt: ['openedAt'], mismatchedAt: ['openedAt'], creditedAt: ['openedAt'] },
  ...{ resolvedAt: ['openedAt', 'mismatchedAt', 'reversedAt'], reversedAt: ['openedAt', 'creditedAt'] },
  // Of `bookedReversal`.
  at: ['openedAt', 'creditedAt', 'reversedAt'],
  doneAt: ['requestedAt'],
};

/**
 * No time is later than the run, or before the event that it follows: either would keep a row from being compared with the
 * audit trail. Amounts are whole numbers, and none is negative unless it may be.
 */
export function checkValues(items: Iterable<Row>, nowMs: number, findings: Findings): void {
  for (const item of items) {
    const sk = String(item['sk']);
    const isPrice = String(item['pk']).startsWith('PRICES#');
    const leastOf = (name: string) => {
      if (SIGNED.test(sk)) return Number.NEGATIVE_INFINITY;
      return (name === 'credits' && SOLD.test(sk)) || (name === 'koboPerCredit' && isPrice) ? 1 : 0;
    };
    const problemOf = (name: string, value: unknown) => {
      if (typeof value === 'number')
        return Number.isSafeInteger(value) && value >= leastOf(name) ? undefined : 'a whole amount';
      if (typeof value !== 'string' || !/^(at|from)$|At$/.test(name)) return undefined;
      const timeMs = Date.parse(value);
      const isForeign = FOREIGN.test(name);
      const latestMs = nowMs + (isForeign ? DAY_MS : MARGIN_MS);
      if (!(timeMs <= latestMs || LATER.test(name) || name === 'from')) return 'a time until now';
      const earlier = FOLLOWS[name]?.find((one) => timeMs < Date.parse(String(item[one])) - MARGIN_MS);
      if (earlier !== undefined) return `a time after ${earlier}`;
      const isCanonical = isForeign || toIso(timeMs) === value;
      return isCanonical ? undefined : 'a time in UTC with milliseconds';
    };
    for (const [name, value] of valuesIn(item)) {
      const expected = problemOf(name, value);
      const row = { at: '', reference: rowName(item) };
      if (expected !== undefined) findings.add('unreadable', row, `${name}: ${expected}`, String(value));
    }
  }
}

const toIso = (timeMs: number) => (Number.isNaN(timeMs) ? '' : new Date(timeMs).toISOString());

/** With the name of each, or of the list that contains it. */
function* valuesIn(value: unknown, name = ''): Generator<readonly [string, unknown]> {
  if (typeof value !== 'object' || value === null) yield [name, value];
  else
    for (const [key, part] of Object.entries(value)) yield* valuesIn(part, Array.isArray(value) ? name : key);
}
