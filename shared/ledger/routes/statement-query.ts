import * as v from 'valibot';
import { cursorOf, cursorText, instant, type ListCursor, limit } from '../../http/query.ts';
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

/**
 * A cursor for the console's statement. It identifies its wallet, because the session's organisation or the environment
 * can change between two pages. Otherwise, it would carry the balance over to another wallet.
 */
export const walletStatementCursor = cursorOf(
  v.strictTuple([...statementParts, v.string()]),
  ([sort, balance, digest]): StatementCursor & Pick<ListCursor, 'digest'> => ({ sort, balance, digest }),
);

export const walletStatementCursorText = ({ sort, balance }: StatementCursor, digest: string) =>
  cursorText(sort, balance, digest);

export const statementCursorText = ({ sort, balance }: StatementCursor) => cursorText(sort, balance);

/** GET /v1/wallet/transactions */
export const transactionsQuery = v.strictObject({
  cursor: v.optional(statementCursor),
  limit,
  from: v.optional(instant),
  to: v.optional(instant),
  type: v.optional(v.picklist(['debit', 'credit'])),
});
