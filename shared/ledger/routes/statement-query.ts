import * as v from 'valibot';
import { cursorOf, cursorText, instant, type ListCursor, limit } from '../../http/query.ts';
import type { LotsUsed } from '../../payments/lots/line-value.ts';
import type { StatementCursor } from '../statement/read-statement.ts';

/** The parts of a statement's cursor: the sort key of the last line, and the balance after it. */
const statementParts = [
  v.pipe(v.string(), v.regex(/^\d{4}-(0[1-9]|1[0-2])-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z#[!-~]{1,200}$/)),
  v.pipe(v.number(), v.safeInteger()),
] as const;

const statementCursor = cursorOf(
  v.strictTuple([...statementParts]),
  ([sort, balance]): StatementCursor => ({ sort, balance }),
);

/** Of the console's statement. Load balancers and firewalls limit the length of an address. */
const LONGEST_CURSOR = 1_500;
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const used = v.record(v.string(), v.strictTuple([count, count]));

/**
 * A cursor for the console's statement. It identifies its wallet, because the session's organisation or the environment
 * can change between two pages. Otherwise, it would carry the balance over to another wallet. The last part is what
 * lines of the month took from the lots, unless those are too many.
 */
export const walletStatementCursor = cursorOf(
  v.strictTuple([...statementParts, v.string(), v.nullish(used)]),
  ([sort, balance, digest, lots]): StatementCursor &
    Pick<ListCursor, 'digest'> & { readonly used: LotsUsed | undefined } => ({
    sort,
    balance,
    digest,
    used: lots ?? undefined,
  }),
  LONGEST_CURSOR,
);

/** As `walletStatementCursor` reads it. */
export function walletStatementCursorText(
  { sort, balance }: StatementCursor,
  digest: string,
  lots: LotsUsed | undefined,
): string {
  const text = cursorText(sort, balance, digest, lots);
  return text.length <= LONGEST_CURSOR ? text : cursorText(sort, balance, digest, null);
}

export const statementCursorText = ({ sort, balance }: StatementCursor) => cursorText(sort, balance);

/** GET /v1/wallet/transactions */
export const transactionsQuery = v.strictObject({
  cursor: v.optional(statementCursor),
  limit,
  from: v.optional(instant),
  to: v.optional(instant),
  type: v.optional(v.picklist(['debit', 'credit'])),
});
