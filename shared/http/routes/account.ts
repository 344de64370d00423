import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { ServiceError } from '../../core/errors.ts';
import { balanceOf } from '../../ledger/rows/wallet.ts';
import { readStatement, type StatementLine } from '../../ledger/statement/read-statement.ts';
import { type StatementTable, statementTable } from '../../ledger/statement/statement-table.ts';
import { type ShardTable, shardTable } from '../../ledger/tables/shard-table.ts';
import { type LogRow, type LogTable, logTable } from '../../verifications/log-table.ts';
import { SERVICES, type ServiceName } from '../../verifications/services.ts';
import type { Run } from '../chains.ts';
import { type RequestContext, required } from '../context.ts';
import { cursorText, noQuery, readQuery, transactionsQuery } from '../query.ts';
import type { Information } from '../respond.ts';

/** What the GET routes of a key's holder answer. Each is made once per instance; tests hand in other tables. */

const realShards = () => shardTable(database(), setting('WALLETS_TABLE'));
const realStatement = () => statementTable(database(), setting('WALLETS_TABLE'));
const realLog = () => logTable(database(), setting('VERIFICATION_LOGS_TABLE'), setting('LOG_RETENTION_DAYS'));

function walletOf(requestContext: RequestContext) {
  const { env, organisation } = required(requestContext.caller, 'caller');
  return { organisation, wallet: { env, organisationId: organisation.id } };
}

/** GET /v1/wallet/balance. `held` may include charged holds that are still settling (decision E7). */
export function showBalance(shards: Pick<ShardTable, 'getShards'> = realShards()): Run {
  return async (requestContext, event): Promise<Information> => {
    readQuery(event, noQuery);
    const { organisation, wallet } = walletOf(requestContext);
    const places = Array.from({ length: organisation.walletShards }, (_, shard) => ({ wallet, shard }));
    const rows = await shards.getShards(places);
    const { available, held } = balanceOf(rows.map(({ row }) => row));
    return information('WALLET_BALANCE', 'Wallet balance.', {
      environment: wallet.env,
      available,
      held,
      currency: 'credits',
    });
  };
}

/** GET /v1/wallet/transactions: the statement, oldest first. Without `from`, since the start of this month. */
export function listTransactions(table: StatementTable = realStatement()): Run {
  return async (requestContext, event): Promise<Information> => {
    const { limit, cursor, type, ...asked } = readQuery(event, transactionsQuery);
    const { organisation, wallet } = walletOf(requestContext);
    const now = new Date().toISOString();
    // Nothing is later than now, and every month up to then would be a query.
    const to = asked.to && asked.to < now ? asked.to : now;
    const from = asked.from ?? `${to.slice(0, 7)}-01T00:00:00.000Z`;
    if (from > to) throw new ServiceError('INVALID_SCHEMA', { message: 'from must not be later than to.' });
    if (cursor && cursor.sort >= to)
      throw new ServiceError('INVALID_SCHEMA', { message: 'The cursor does not belong to this range.' });
    const scope = { wallet, shards: organisation.walletShards, createdAt: organisation.createdAt };
    const accepts = ({ debit }: { debit?: unknown }) => !type || (type === 'debit') === (debit !== undefined);
    const page = await readStatement(scope, { from, to }, { limit, cursor, accepts }, table);
    return information('WALLET_TRANSACTIONS', 'Wallet transactions.', {
      environment: wallet.env,
      from,
      to,
      opening_balance: page.openingBalance,
      transactions: page.lines.map(transaction),
      closing_balance: page.closingBalance,
      next_cursor: page.next ? cursorText(page.next) : null,
    });
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

const REQUEST_ID = /^req_[0-9a-f]{12}$/;

/** GET /v1/verifications/{request_id}: how a request went and what it cost. No identity data: none is stored. */
export function showVerification(log: Pick<LogTable, 'findByRequest'> = realLog()): Run {
  return async (requestContext, event): Promise<Information> => {
    readQuery(event, noQuery);
    const requestId = event.pathParameters?.['request_id'] ?? '';
    const { wallet } = walletOf(requestContext);
    const [row] = REQUEST_ID.test(requestId) ? await log.findByRequest(wallet, requestId, Date.now()) : [];
    if (!row) throw new ServiceError('VERIFICATION_NOT_FOUND');
    return information('VERIFICATION', 'Verification.', verification(row, wallet.env));
  };
}

function verification(row: LogRow, environment: string) {
  return {
    request_id: row.requestId,
    environment,
    service: row.service,
    verification_type: SERVICES[row.service as ServiceName]?.idType ?? '',
    outcome: row.outcome,
    http_status: row.httpStatus,
    credits_charged: row.creditsCharged,
    is_replay: row.replayOf !== undefined,
    provider: row.provider,
    key_label: row.keyLabel,
    latency_ms: row.latencyMs,
    requested_at: row.requestedAt,
    consent: row.consent ?? null,
    reason: row.reason ?? null,
  };
}

function information(code: string, message: string, data: unknown): Information {
  return { kind: 'information', code, message, data };
}
