import type { Organisation } from '../../accounts/organisation.ts';
import { type RejectedRequests, rejectedRequestTable } from '../../accounts/rejected-request-table.ts';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { CATALOGUE } from '../../core/errors.ts';
import { type LedgerTools, REAL_TOOLS } from '../../ledger/dependencies.ts';
import { earlier, type ListTables, listVerifications } from '../../verifications/list-verifications.ts';
import { logListTable } from '../../verifications/log-list-table.ts';
import type { Run } from '../chains.ts';
import {
  listCursorText,
  listDigest,
  readQuery,
  requireOrder,
  requireSameList,
  verificationsQuery,
} from '../query.ts';
import { verification } from './verification.ts';

export interface ListDependencies extends ListTables {
  readonly tools: LedgerTools;
  readonly retentionDays: number;
}

function realDependencies(): ListDependencies {
  const client = database();
  return {
    logs: logListTable(client, setting('VERIFICATION_LOGS_TABLE')),
    rejectedRequests: rejectedRequestTable(client, setting('API_KEYS_TABLE')),
    tools: REAL_TOOLS,
    retentionDays: setting('LOG_RETENTION_DAYS'),
  };
}

const DAY_MS = 24 * 3600_000;

/** GET /v1/verifications: the log entries of the wallet and its rejected requests, newest first. */
export function listRequests(deps: ListDependencies = realDependencies()): Run {
  return async ({ caller: { env, organisation } }, event) => {
    const { limit, cursor, ...filter } = readQuery(event, verificationsQuery);
    const nowMs = deps.tools.nowMs();
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

/**
 * Returns the earliest ISO time from which a list can begin: the start of the retention period, because skipping many
 * expired rows could take too long. For a younger organisation, it is a day before the organisation was created,
 * because the times of rows and organisations may come from different clocks.
 */
export function oldestEntry({ createdAt }: Organisation, retentionDays: number, nowMs: number): string {
  const oldestMs = Math.max(Date.parse(createdAt) - DAY_MS, nowMs - retentionDays * DAY_MS);
  return new Date(oldestMs).toISOString();
}

export function later(a: string, b: string): string {
  return a > b ? a : b;
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
