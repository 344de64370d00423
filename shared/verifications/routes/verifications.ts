import type { APIGatewayProxyEvent } from 'aws-lambda';
import { caller } from '../../accounts/middleware/caller.ts';
import { type RejectedRequests, rejectedRequestTable } from '../../accounts/rejected-request-table.ts';
import { type Clock, REAL_CLOCK } from '../../core/clock.ts';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { CATALOGUE, invalidSchema } from '../../core/errors.ts';
import type { WalletId } from '../../core/keys.ts';
import { earlier, later } from '../../core/time-order.ts';
import { hashOfKey } from '../../http/idempotency-key.ts';
import type { Run } from '../../http/public-route.ts';
import { listDigest, readQuery, requireOrder, requireSameList } from '../../http/query.ts';
import { usesOfKeys } from '../../ledger/key-use.ts';
import { type ChargeTable, chargeTable } from '../../ledger/tables/charge-table.ts';
import { type IdempotencyTable, idempotencyTable } from '../../ledger/tables/idempotency-table.ts';
import { type ListTables, listVerifications, oldestEntry } from '../list-verifications.ts';
import { replayedRequests } from '../listed-log.ts';
import { logListTable } from '../log-list-table.ts';
import { type LogTable, logTable } from '../log-table.ts';
import { LOOK_UP_ROUTES } from '../services.ts';
import { verification } from './verification.ts';
import { listCursorText, verificationsQuery } from './verifications-query.ts';

export interface ListDependencies extends ListTables {
  readonly log: Pick<LogTable, 'ofKey'>;
  readonly charges: Pick<ChargeTable, 'getCharges'>;
  readonly idempotency: Pick<IdempotencyTable, 'find'>;
  readonly clock: Clock;
  readonly retentionDays: number;
}

function realDependencies(): ListDependencies {
  const client = database();
  const [logs, wallets, retentionDays] = [
    setting('VERIFICATION_LOGS_TABLE'),
    setting('WALLETS_TABLE'),
    setting('LOG_RETENTION_DAYS'),
  ];
  return {
    logs: logListTable(client, logs),
    log: logTable(client, client, logs, retentionDays),
    charges: chargeTable(client, client, wallets),
    idempotency: idempotencyTable(client, wallets),
    rejectedRequests: rejectedRequestTable(client, setting('API_KEYS_TABLE')),
    clock: REAL_CLOCK,
    retentionDays,
  };
}

/** GET /v1/verifications: the log entries of the wallet and its rejected requests, newest first. */
export function listRequests(deps: ListDependencies = realDependencies()): Run {
  return async (requestContext, event) => {
    const { env, organisation } = caller.of(requestContext);
    const { limit, cursor, ...filter } = readQuery(event, verificationsQuery);
    const nowMs = deps.clock.nowMs();
    const wallet = { env, organisationId: organisation.id };
    const digest = listDigest(wallet, filter);
    requireSameList(cursor, digest);
    const now = new Date(nowMs).toISOString();
    const to = earlier(filter.to ?? now, now);
    const oldest = oldestEntry(organisation, deps.retentionDays, nowMs);
    const from = filter.from ?? earlier(oldest, to);
    requireOrder(from, to);
    const page =
      filter.idempotency_key === undefined
        ? await listVerifications(
            { ...filter, wallet, from: later(from, oldest), to },
            { limit, position: cursor?.position },
            deps,
            nowMs,
          )
        : await listOfKey(wallet, filter.idempotency_key, event, deps, nowMs);
    const replayed = await replayedRequests(wallet, page.verifications, deps.charges);
    return {
      kind: 'information',
      code: 'VERIFICATIONS',
      message: 'Verifications.',
      data: {
        environment: env,
        from,
        to,
        ...('uses' in page && { key_uses: page.uses }),
        verifications: page.verifications.map((row) => verification(row, replayed)),
        rejected: page.rejected.map(rejectedView),
        next_cursor: page.next === undefined ? null : listCursorText({ position: page.next, digest }),
      },
    };
  };
}

/** Returns what became of the requests with one Idempotency-Key, and their log entries. */
async function listOfKey(
  wallet: WalletId,
  key: string,
  { multiValueQueryStringParameters: given }: APIGatewayProxyEvent,
  deps: ListDependencies,
  nowMs: number,
) {
  const other = Object.keys(given ?? {}).find((name) => name !== 'idempotency_key');
  if (other !== undefined)
    throw invalidSchema(
      'wrong_value',
      other,
      'The query parameter idempotency_key cannot be combined with others.',
      'Send it alone.',
    );
  const routes = new Map(LOOK_UP_ROUTES.map((route) => [hashOfKey(route, key), route]));
  const uses = await usesOfKeys(wallet, [...routes.keys()], deps, nowMs);
  const verifications = await Promise.all(uses.map((use) => deps.log.ofKey(wallet, use, nowMs)));
  return {
    uses: uses.map(({ keyHash, state, requestId, requestedAtMs, creditsCharged, replaysLeft }) => ({
      route: routes.get(keyHash),
      key_state: state,
      request_id: requestId,
      requested_at: new Date(requestedAtMs).toISOString(),
      credits_charged: creditsCharged,
      replays_left: replaysLeft,
    })),
    verifications: verifications.flat(),
    rejected: [],
    next: undefined,
  };
}

function rejectedView({ minute, errorCode, rejected, route, keyLabel, requestId }: RejectedRequests) {
  return {
    minute,
    code: errorCode,
    http_status: CATALOGUE[errorCode].status,
    count: rejected,
    route,
    key_label: keyLabel,
    request_id: requestId,
  };
}
