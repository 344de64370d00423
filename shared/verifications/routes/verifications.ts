import { caller } from '../../accounts/middleware/caller.ts';
import { type RejectedRequests, rejectedRequestTable } from '../../accounts/rejected-request-table.ts';
import { type Clock, REAL_CLOCK } from '../../core/clock.ts';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { CATALOGUE } from '../../core/errors.ts';
import { earlier, later } from '../../core/time-order.ts';
import type { Run } from '../../http/public-route.ts';
import { listDigest, readQuery, requireOrder, requireSameList } from '../../http/query.ts';
import { type ListTables, listVerifications, oldestEntry } from '../list-verifications.ts';
import { logListTable } from '../log-list-table.ts';
import { verification } from './verification.ts';
import { listCursorText, verificationsQuery } from './verifications-query.ts';

export interface ListDependencies extends ListTables {
  readonly clock: Clock;
  readonly retentionDays: number;
}

function realDependencies(): ListDependencies {
  const client = database();
  return {
    logs: logListTable(client, setting('VERIFICATION_LOGS_TABLE')),
    rejectedRequests: rejectedRequestTable(client, setting('API_KEYS_TABLE')),
    clock: REAL_CLOCK,
    retentionDays: setting('LOG_RETENTION_DAYS'),
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
    const page = await listVerifications(
      { ...filter, wallet, from: later(from, oldest), to },
      { limit, position: cursor?.position },
      deps,
      nowMs,
    );
    return {
      kind: 'information',
      code: 'VERIFICATIONS',
      message: 'Verifications.',
      data: {
        environment: env,
        from,
        to,
        verifications: page.verifications.map(verification),
        rejected: page.rejected.map(rejectedView),
        next_cursor: page.next === undefined ? null : listCursorText({ position: page.next, digest }),
      },
    };
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
