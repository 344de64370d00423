import { caller } from '../../accounts/middleware/caller.ts';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { invalidSchema } from '../../core/errors.ts';
import { errorFields, logger } from '../../core/logger.ts';
import type { Run } from '../../http/public-route.ts';
import { readQuery, requireOrder } from '../../http/query.ts';
import { carriedForward } from '../../payments/months/carried-forward.ts';
import { closingTable } from '../../payments/months/closing-table.ts';
import { sealedBalance } from '../reconcile/sealed-balance-table.ts';
import {
  type FindBalance,
  latestBalance,
  readStatement,
  type StatementLine,
} from '../statement/read-statement.ts';
import { type StatementTable, statementTable } from '../statement/statement-table.ts';
import { statementCursorText, transactionsQuery } from './statement-query.ts';

const realStatement = () => statementTable(database(), setting('WALLETS_TABLE'));

/**
 * Returns a function that finds the latest stored balance, so that a request need not read all lines since the
 * beginning.
 */
const realBalances = () =>
  latestBalance(
    carriedForward(closingTable(database(), setting('PAYMENTS_TABLE')), (error) =>
      logger.warn('The balance of the last closed month was not read.', errorFields(error)),
    ),
    sealedBalance(database(), setting('WALLETS_TABLE'), (error) =>
      logger.warn('The balance of the last sealed day was not read.', errorFields(error)),
    ),
  );

/**
 * GET /v1/wallet/transactions: the statement, oldest line first. `from` defaults to the start of the month (UTC) of
 * `to`.
 */
export function listTransactions(
  table: StatementTable = realStatement(),
  findBalance: FindBalance = realBalances(),
): Run {
  return async (requestContext, event) => {
    const { env, organisation } = caller.of(requestContext);
    const { limit, cursor, type, ...range } = readQuery(event, transactionsQuery);
    const now = new Date().toISOString();
    // No line is later than now, and each month before `to` costs a query.
    const to = range.to && range.to < now ? range.to : now;
    const from = range.from ?? `${to.slice(0, 7)}-01T00:00:00.000Z`;
    requireOrder(from, to);
    if (cursor && cursor.sort >= to)
      throw invalidSchema(
        'wrong_value',
        'cursor',
        'The cursor does not belong to this range.',
        'Send it with the from and to of the page that returned it.',
      );
    const scope = {
      wallet: { env, organisationId: organisation.id },
      shards: organisation.walletShards,
      createdAt: organisation.createdAt,
    };
    const accepts = ({ debit }: { debit?: unknown }) => !type || (type === 'debit') === (debit !== undefined);
    const page = await readStatement(scope, { from, to }, { limit, cursor, accepts, findBalance }, table);
    return {
      kind: 'information',
      code: 'WALLET_TRANSACTIONS',
      message: 'Wallet transactions.',
      data: {
        environment: env,
        from,
        to,
        opening_balance: page.openingBalance,
        transactions: page.lines.map(transaction),
        closing_balance: page.closingBalance,
        next_cursor: page.next ? statementCursorText(page.next) : null,
      },
    };
  };
}

function transaction({ id, amount, createdAt, balanceAfter, debit, credit }: StatementLine) {
  return {
    id,
    type: debit ? 'debit' : 'credit',
    amount,
    created_at: createdAt,
    balance_after: balanceAfter,
    request_id: debit?.requestId ?? null,
    service: debit?.service ?? null,
    key_label: debit?.keyLabel ?? null,
    reference: credit ? id : null,
    kind: credit?.kind ?? 'CHARGE',
    reason: credit?.reason ?? null,
  };
}
