import * as v from 'valibot';
import { invalidSchema } from '../../core/errors.ts';
import { cursorOf, cursorText, limit } from '../../http/query.ts';
import { DOCUMENT_KINDS } from '../documents/financial-document.ts';

/**
 * Query parameters and bodies of the routes about payments. They are not in query.ts, so that functions without
 * payments do not load them.
 */

const ULID = v.pipe(v.string(), v.regex(/^[0-9A-Z]{26}$/));

/** GET /v1/wallet/lots. The cursor is the last lot of the previous page. */
export const lotsQuery = v.strictObject({
  cursor: v.optional(cursorOf(v.strictTuple([ULID]), ([id]) => id)),
  limit,
});

export const lotCursorText = (id: string) => cursorText(id);

/** A document number, such as `IDV-2026-000041` or `TEST-IDV-2026-000001`. */
export const DOCUMENT_NUMBER = /^[A-Z][A-Z0-9-]{0,30}-20[0-9]{2}-[0-9]{6,9}$/;

/** The position of a document in the list, newest first. */
export interface DocumentCursor {
  readonly issuedAt: string;
  readonly number: string;
}

const documentCursor = cursorOf(
  v.strictTuple([v.pipe(v.string(), v.isoTimestamp()), v.pipe(v.string(), v.regex(DOCUMENT_NUMBER))]),
  ([issuedAt, number]): DocumentCursor => ({ issuedAt, number }),
);

export const documentCursorText = ({ issuedAt, number }: DocumentCursor) => cursorText(issuedAt, number);

/** GET /v1/wallet/invoices */
export const invoicesQuery = v.strictObject({
  cursor: v.optional(documentCursor),
  limit,
  kind: v.optional(v.picklist(DOCUMENT_KINDS)),
});

const LONGEST_URL = 2_000;

/** The most credits that any stage sells in one order. */
export const MOST_CREDITS = 1_000_000_000;

/** POST /v1/wallet/top-ups. The stage's settings limit the credits further. */
export const topUpBody = v.strictObject({
  credits: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  return_url: v.optional(v.pipe(v.string(), v.maxLength(LONGEST_URL))),
});

/** Returns the normalised address of the customer's page. Throws unless it is an https address without a password. */
export function checkedReturnUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' && url.username === '' && url.password === '') return url.href;
  throw invalidSchema(
    'wrong_format',
    'return_url',
    'The field return_url must be an https address.',
    'Send an address such as https://www.example.com/paid.',
  );
}
