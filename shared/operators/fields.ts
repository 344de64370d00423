import * as v from 'valibot';
import { labelProblem } from '../accounts/key-label.ts';
import { ADDRESS_RULE, hasIpv4Range, IPV4_RULE, isAddressRange } from '../accounts/key-limits.ts';
import { isAccountingMonth } from '../core/accounting-month.ts';
import { ENVIRONMENTS } from '../core/environment.ts';
import { notPossible } from '../core/not-possible.ts';
import { hasLongNumber, textProblem } from '../core/printable-text.ts';
import { REQUEST_ID } from '../core/request-id.ts';
import { ORDER_REFERENCE } from '../payments/orders/order-reference.ts';
import { lineProblem } from '../payments/prices/entered-billing.ts';

/**
 * The fields of requests to the operator API. A person can call the API with their own program, so the API applies the
 * rules that the CLI applies to its arguments.
 */

const MOST = 1_000_000;
const LONGEST_NAME = 100;
const LONGEST_REASON = 200;

const matching = (pattern: RegExp, rule: string) => v.pipe(v.string(), v.regex(pattern, rule));

/** A text of at most this many characters that people can read. */
function readable(subject: string, most: number) {
  const rule = `${subject} has 1 to ${most} printable characters.`;
  return v.pipe(
    v.string(),
    v.check((text) => textProblem(subject, text, most) === undefined, rule),
  );
}

export const organisationId = matching(/^[0-9A-Za-z]{10}$/, 'An organisation ID has 10 letters and digits.');
export const environment = v.picklist(ENVIRONMENTS);
export const name = v.pipe(
  readable('A name', LONGEST_NAME),
  v.check((text) => text.trim() === text, 'A name must not start or end with a space.'),
);
export const reason = readable('A reason', LONGEST_REASON);
/** Where no number of a bank or of Paystack belongs. The audit trail, which is never deleted, keeps it. */
export const plainReason = v.pipe(
  reason,
  v.check((text) => !hasLongNumber(text), 'It must not contain a number of 10 or more digits.'),
);
export const count = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST));
export const kobo = v.pipe(v.number(), v.safeInteger());
/** In the format of stored times, because these are compared as strings. */
export const time = v.pipe(v.string(), v.check(isStoredTime, 'Use a time such as 2026-11-30T12:00:00.000Z.'));
export const month = v.pipe(v.string(), v.check(isAccountingMonth, 'Use a month such as 2026-11.'));
export const label = v.pipe(
  v.string(),
  v.normalize('NFC'),
  v.check(
    (text) => labelProblem(text) === undefined,
    ({ input }) => labelProblem(input) ?? '',
  ),
);
export const addressRanges = v.pipe(
  v.array(v.pipe(v.string(), v.check(isAddressRange, ADDRESS_RULE))),
  v.check((ranges) => ranges.length === 0 || hasIpv4Range(ranges), IPV4_RULE),
);
export const orderReference = matching(ORDER_REFERENCE, 'Use the reference of an order.');
export const documentNumber = matching(
  /^(TEST-)?[A-Z]{2,8}-20\d{2}-\d{6}$/,
  'Use the number of a document, such as IDV-2026-000041.',
);
export const requestId = matching(REQUEST_ID, 'Use a request ID, such as req_0a1b2c3d4e5f.');
/** One line of an invoice, and also a reference of the operator's own. */
export const line = v.pipe(
  v.string(),
  v.check(
    (text) => lineProblem('It', text) === undefined,
    'Use one line of at most 60 printable characters.',
  ),
);
/** The label of a key, its hash or the start of it. */
export const keyName = v.pipe(v.string(), v.maxLength(100));

/** Throws unless the time, if there is one, is in the future. */
export function requireFuture(expiry: string | undefined, nowMs: number): void {
  if (expiry !== undefined && Date.parse(expiry) <= nowMs)
    throw notPossible('The expiry must be in the future. Nothing was changed.');
}

function isStoredTime(text: string): boolean {
  const time = new Date(text);
  return !Number.isNaN(time.getTime()) && time.toISOString() === text;
}
