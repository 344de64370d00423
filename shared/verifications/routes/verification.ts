import { caller } from '../../accounts/middleware/caller.ts';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { ServiceError } from '../../core/errors.ts';
import { REQUEST_ID } from '../../core/request-id.ts';
import type { Run } from '../../http/public-route.ts';
import { noQuery, readQuery } from '../../http/query.ts';
import { type ChargeTable, chargeTable } from '../../ledger/tables/charge-table.ts';
import { type ListedRow, type ReplayedRequests, replayedRequest, replayedRequests } from '../listed-log.ts';
import { type LogTable, logTable } from '../log-table.ts';
import { SERVICES, type ServiceName } from '../services.ts';

interface ShowDependencies {
  readonly log: Pick<LogTable, 'findByRequest'>;
  readonly charges: Pick<ChargeTable, 'getCharges'>;
}

function realDependencies(): ShowDependencies {
  const client = database();
  return {
    log: logTable(client, client, setting('VERIFICATION_LOGS_TABLE'), setting('LOG_RETENTION_DAYS')),
    charges: chargeTable(client, client, setting('WALLETS_TABLE')),
  };
}

/** GET /v1/verifications/{request_id}: the outcome and cost of a request. */
export function showVerification({ log, charges }: ShowDependencies = realDependencies()): Run {
  return async (requestContext, event) => {
    const { env, organisation } = caller.of(requestContext);
    readQuery(event, noQuery);
    const requestId = event.pathParameters?.['request_id'] ?? '';
    const wallet = { env, organisationId: organisation.id };
    const [row] = REQUEST_ID.test(requestId) ? await log.findByRequest(wallet, requestId, Date.now()) : [];
    if (!row) throw new ServiceError('VERIFICATION_NOT_FOUND');
    return {
      kind: 'information',
      code: 'VERIFICATION',
      message: 'Verification.',
      data: {
        environment: env,
        ...verification(row, await replayedRequests(wallet, [row], charges)),
        consent: row.consent ?? null,
        reason: row.reason ?? null,
      },
    };
  };
}

/** Returns the list entry of one request, without the texts that only GET /v1/verifications/{request_id} returns. */
export function verification(row: ListedRow, replayed: ReplayedRequests) {
  return {
    request_id: row.requestId,
    service: row.service,
    verification_type: SERVICES[row.service as ServiceName]?.idType ?? '',
    outcome: row.outcome,
    http_status: row.httpStatus,
    credits_charged: row.creditsCharged,
    is_replay: row.replayOf !== undefined,
    replay_of: replayedRequest(row, replayed),
    provider: row.provider,
    key_label: row.keyLabel,
    latency_ms: row.latencyMs,
    requested_at: row.requestedAt,
    reference: row.reference ?? null,
  };
}
