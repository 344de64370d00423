import type { RejectedRequests } from '../../accounts/rejected-request-table.ts';
import { accountingMonthOf } from '../../core/accounting-month.ts';
import { CATALOGUE } from '../../core/errors.ts';
import type { Charge } from '../../ledger/rows/charge.ts';
import { displayNameOf, LIVE_PROVIDER_NAMES, SANDBOX } from '../../registries/providers/catalogue.ts';
import { type ListedRow, type ReplayedRequests, replayedRequest } from '../listed-log.ts';
import type { LogRow } from '../log-table.ts';
import { explainRejected, explainRequest } from './explain-request.ts';
import type { RejectedRequestsView, RequestDetails, RequestDetailView, RequestView } from './views.ts';

/**
 * Requests as members see them. Except for the customer's own texts, such as `reference`, they contain nothing that
 * identifies the people who were looked up.
 */

/** Returns a request as the list shows it. */
export function requestView(row: ListedRow, replayed: ReplayedRequests): RequestView {
  return {
    request_id: row.requestId,
    service: row.service,
    outcome: row.outcome,
    http_status: row.httpStatus,
    credits_charged: row.creditsCharged,
    is_replay: row.replayOf !== undefined,
    replay_of: replayedRequest(row, replayed),
    provider: shownProvider(row.provider),
    key_label: row.keyLabel,
    latency_ms: row.latencyMs,
    requested_at: row.requestedAt,
    reference: row.reference ?? null,
  };
}

/** Returns what only the whole row of a request contains. */
export function detailsView({
  consent,
  reason,
  matchOverall,
}: Pick<LogRow, 'consent' | 'reason' | 'matchOverall'>): Pick<
  RequestDetails,
  'consent' | 'reason' | 'match'
> {
  return { consent: consent ?? null, reason: reason ?? null, match: matchOverall ?? null };
}

/** Returns the requests with one key that were rejected with one code in one minute. */
export function rejectedRequestsView(row: RejectedRequests): RejectedRequestsView {
  return {
    minute: row.minute,
    code: row.errorCode,
    http_status: CATALOGUE[row.errorCode].status,
    count: row.rejected,
    route: row.route,
    key_label: row.keyLabel,
    request_id: row.requestId,
    field: row.errorField ?? null,
  };
}

/** Returns the details of a request from its log row and its charge row, or that of the request that it repeats. */
export function requestDetailView(
  row: LogRow,
  charge: Charge | undefined,
  isWithdrawn: boolean,
): RequestDetailView {
  const { checksMs, ledgerMs, registryMs } = row;
  const isCourseKnown = checksMs !== undefined && ledgerMs !== undefined && registryMs !== undefined;
  return {
    kind: 'request',
    ...requestView(row, new Map(charge && [[charge.operationId, charge.requestId]])),
    ...explainRequest(row),
    code: row.code ?? null,
    failed_providers: isCourseKnown ? (row.failedProviders ?? []).map(shownProvider) : null,
    timings: isCourseKnown ? { checks_ms: checksMs, ledger_ms: ledgerMs, registry_ms: registryMs } : null,
    ...detailsView(row),
    is_slip_withdrawn: isWithdrawn,
    statement: charge?.state === 'CHARGED' && !row.replayOf ? statementLineOf(charge) : null,
  };
}

/** Returns the requests of one minute that were rejected together, and explains their code. */
export function rejectedDetailView(row: RejectedRequests): RequestDetailView {
  const { errorCode, errorReason: reason, errorField: field } = row;
  return { kind: 'rejected', ...rejectedRequestsView(row), ...explainRejected(errorCode, { reason, field }) };
}

/**
 * Returns the statement line of a charge. It is in the month of the charge, which may be later than the month of the
 * request.
 */
function statementLineOf({ operationId, decidedAt, cost }: Charge) {
  const month = accountingMonthOf(Date.parse(decidedAt));
  return { month, at: decidedAt, id: operationId, amount: 0 - cost };
}

/** Returns the display name of a provider, or the name in the row if the service no longer uses the provider. */
function shownProvider(name: string): string {
  const isKnown = name === SANDBOX.name || LIVE_PROVIDER_NAMES.some((known) => known === name);
  return isKnown ? displayNameOf(name) : name;
}
