import * as v from 'valibot';
import { MAX_LABEL_LENGTH } from '../../accounts/key-label.ts';
import { type RejectedPartTable, rejectedPartTable } from '../../accounts/rejected-part-table.ts';
import { REJECTED_REQUEST_DAYS, type RejectedRequests } from '../../accounts/rejected-request-table.ts';
import { lagosDay, lagosDayStartMs } from '../../core/accounting-month.ts';
import { DAY_MS } from '../../core/clock.ts';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { ServiceError } from '../../core/errors.ts';
import type { WalletId } from '../../core/keys.ts';
import { REQUEST_ID } from '../../core/request-id.ts';
import { earlier, later } from '../../core/time-order.ts';
import { day, requireDayOrder } from '../../http/console/day-query.ts';
import { environment, environmentQuery, prefetchedQuery } from '../../http/console/environment-query.ts';
import { listDigest, requireSameList } from '../../http/query.ts';
import type { Charge } from '../../ledger/rows/charge.ts';
import { type ChargeTable, chargeTable } from '../../ledger/tables/charge-table.ts';
import type { ConsoleRun } from '../../members/middleware/console-route.ts';
import type { ConsoleRequest, Prefetch } from '../../members/middleware/member-request.ts';
import { isSlipWithdrawn } from '../../slips/withdraw-slip.ts';
import { type WithdrawnTable, withdrawnTable } from '../../slips/withdrawn-table.ts';
import { oldestEntry } from '../list-verifications.ts';
import { replayedRequests } from '../listed-log.ts';
import { logPartTable } from '../log-part-table.ts';
import { type LogRow, type LogTable, logTable } from '../log-table.ts';
import { type ReadQuery, type ReadStep, type ReadTables, readFirstStep, readPage } from '../read-list.ts';
import { listCursorText, verificationsQuery } from '../routes/verifications-query.ts';
import {
  detailsView,
  rejectedDetailView,
  rejectedRequestsView,
  requestDetailView,
  requestView,
} from './request-views.ts';
import type { RequestDetailView, RequestsView } from './views.ts';

/** Without a first day, this many days are listed, including the last one. */
const DEFAULT_DAYS = 7;

export interface ListRequestDependencies extends ReadTables {
  readonly charges: Pick<ChargeTable, 'getCharges'>;
  readonly log: Pick<LogTable, 'readRows'>;
  readonly retentionDays: number;
  readonly nowMs: () => number;
}

/** Creates the dependencies of the list. */
export function listRequestDependencies(): ListRequestDependencies {
  const client = database();
  const table = setting('VERIFICATION_LOGS_TABLE');
  return {
    logs: logPartTable(client, table),
    log: logTable(client, client, table, setting('LOG_RETENTION_DAYS')),
    rejectedRequests: rejectedPartTable(client, setting('API_KEYS_TABLE')),
    charges: chargeTable(client, client, setting('WALLETS_TABLE')),
    retentionDays: setting('LOG_RETENTION_DAYS'),
    nowMs: Date.now,
  };
}

const { cursor, limit, reference, service, outcome } = verificationsQuery.entries;

export const requestsQuery = v.strictObject({
  env: environment,
  reference,
  service,
  outcome,
  key: v.optional(
    v.pipe(v.string(), v.maxLength(MAX_LABEL_LENGTH, `Enter at most ${MAX_LABEL_LENGTH} characters.`)),
  ),
  from: day,
  to: day,
  /** With consent, reason and match, which the indexes lack. For exports. */
  details: v.optional(v.picklist(['yes'])),
  cursor,
  limit,
});
type RequestsInput = v.InferOutput<typeof requestsQuery>;

export interface FirstRequests {
  readonly query: ReadQuery;
  readonly digest: string;
  readonly first: ReadStep;
  readonly nowMs: number;
}

/** Reads the newest day of the page while the session is checked. */
export function readFirstRequests(deps: ListRequestDependencies): Prefetch<FirstRequests> {
  return async (organisationId, event) => {
    const { cursor: after, limit: most, details: _, ...input } = prefetchedQuery(event, requestsQuery);
    const nowMs = deps.nowMs();
    const wallet = { env: input.env, organisationId };
    const digest = listDigest(wallet, input);
    requireSameList(after, digest);
    const query = readQueryOf(wallet, input, deps.retentionDays, nowMs);
    const before = after && after.position < query.to ? after.position : query.to;
    const first = await readFirstStep(query, { limit: most, before }, deps, nowMs);
    return { query, digest, first, nowMs };
  };
}

/** Converts the range of days in Africa/Lagos to times. */
function readQueryOf(
  wallet: WalletId,
  {
    from,
    to,
    reference: text,
    service: name,
    outcome: end,
    key,
  }: Omit<RequestsInput, 'cursor' | 'limit' | 'details'>,
  retentionDays: number,
  nowMs: number,
): ReadQuery {
  requireDayOrder(from, to);
  const endMs = to === '' ? nowMs : Math.min(nowMs, lagosDayStartMs(to) + DAY_MS);
  const oldestMs = nowMs - retentionDays * DAY_MS;
  const lastDayMs = lagosDayStartMs(lagosDay(endMs - 1));
  const recentMs = text === undefined ? lastDayMs - (DEFAULT_DAYS - 1) * DAY_MS : oldestMs;
  const startMs = from === '' ? recentMs : lagosDayStartMs(from);
  return {
    wallet,
    from: new Date(Math.max(startMs, oldestMs)).toISOString(),
    to: new Date(endMs).toISOString(),
    ...{ reference: text, service: name, outcome: end, key },
  };
}

/** GET /requests: a wallet's requests that have a log row, and its rejected requests, newest first. */
export function listRequests(
  deps: ListRequestDependencies,
): ConsoleRun<ConsoleRequest, typeof requestsQuery, FirstRequests> {
  return async ({ organisation }, { limit: most, details }, { query, digest, first, nowMs }) => {
    const oldest = oldestEntry(organisation, deps.retentionDays, nowMs);
    const from = later(query.from, oldest);
    const { entries, next } = await readPage({ ...query, from }, first, most, deps, nowMs);
    const rows = entries.flatMap((entry) => (entry.kind === 'verification' ? [entry.row] : []));
    const [replayed, whole] = await Promise.all([
      replayedRequests(query.wallet, rows, deps.charges),
      details ? deps.log.readRows(rows.map(({ pk, sk }) => ({ pk, sk }))) : [],
    ]);
    const detailed = new Map(whole.map((row) => [row.requestId, row]));
    const to = lagosDay(Date.parse(query.to) - 1);
    const firstShown = earlier(lagosDay(Date.parse(from)), to);
    const view: RequestsView = {
      ...{ from: firstShown, to, first_day: lagosDay(Date.parse(oldest)) },
      read_to: next === undefined ? firstShown : lagosDay(Date.parse(next.slice(0, 24))),
      requests: rows.map((row) => ({
        ...requestView(row, replayed),
        ...(details && detailsView(detailed.get(row.requestId) ?? {})),
      })),
      rejected: entries.flatMap((entry) => (entry.kind === 'rejected' ? [rejectedRequestsView(entry)] : [])),
      next_cursor: next === undefined ? null : listCursorText({ position: next, digest }),
    };
    return { data: view };
  };
}

export interface ShowRequestDependencies {
  readonly log: Pick<LogTable, 'findByRequest'>;
  readonly rejectedRequests: Pick<RejectedPartTable, 'findRejected'>;
  readonly charges: Pick<ChargeTable, 'getCharge'>;
  readonly withdrawn: Pick<WithdrawnTable, 'isWithdrawn'>;
  readonly nowMs: () => number;
}

/** Creates the dependencies of the route for one request. */
export function showRequestDependencies(): ShowRequestDependencies {
  const client = database();
  const logs = setting('VERIFICATION_LOGS_TABLE');
  return {
    log: logTable(client, client, logs, setting('LOG_RETENTION_DAYS')),
    rejectedRequests: rejectedPartTable(client, setting('API_KEYS_TABLE')),
    charges: chargeTable(client, client, setting('WALLETS_TABLE')),
    withdrawn: withdrawnTable(client, setting('API_KEYS_TABLE')),
    nowMs: Date.now,
  };
}

export const requestQuery = environmentQuery;

export interface FoundRequest {
  readonly row: LogRow | undefined;
  readonly rejected: RejectedRequests | undefined;
}

/** Looks for the request in the log and among the rejected requests of each day, while the session is checked. */
export function findRequest({
  log,
  rejectedRequests,
  nowMs,
}: ShowRequestDependencies): Prefetch<FoundRequest> {
  return async (organisationId, event) => {
    const { env } = prefetchedQuery(event, requestQuery);
    const requestId = event.pathParameters?.['request_id'] ?? '';
    if (!REQUEST_ID.test(requestId)) return { row: undefined, rejected: undefined };
    const wallet = { env, organisationId };
    const atMs = nowMs();
    // A row expires 7 days after its minute, so the rows of 8 days (UTC) can exist.
    const days = Array.from({ length: REJECTED_REQUEST_DAYS + 1 }, (_, ago) =>
      new Date(atMs - ago * DAY_MS).toISOString().slice(0, 10),
    );
    const [[row], ...found] = await Promise.all([
      log.findByRequest(wallet, requestId, atMs),
      ...days.map((one) => rejectedRequests.findRejected(wallet, one, requestId, atMs)),
    ]);
    return { row, rejected: found.find((one) => one !== undefined) };
  };
}

const NOT_FOUND =
  'No stored request has this ID in this environment. Rejected requests are counted for 7 days, but not all of their IDs are stored.';

/** GET /requests/{request_id}: the outcome of a request, whether it was charged, and whether a retry helps. */
export function showRequest({
  charges,
  withdrawn,
}: ShowRequestDependencies): ConsoleRun<ConsoleRequest, typeof requestQuery, FoundRequest> {
  return async ({ organisation }, { env }, { row, rejected }) => {
    if (row) {
      const wallet = { env, organisationId: organisation.id };
      const [charge, isWithdrawn] = await Promise.all([
        chargeOf(wallet, row, charges),
        isSlipWithdrawn(row, withdrawn),
      ]);
      return { data: requestDetailView(row, charge, isWithdrawn) satisfies RequestDetailView };
    }
    if (rejected) return { data: rejectedDetailView(rejected) satisfies RequestDetailView };
    throw new ServiceError('RESOURCE_NOT_FOUND', { message: NOT_FOUND });
  };
}

/**
 * Returns the row that charged a request or the one that it repeats, or undefined if there is none. Only this row has
 * the exact time of the charge.
 */
async function chargeOf(
  wallet: WalletId,
  { outcome: end, replayOf, operationId }: LogRow,
  charges: Pick<ChargeTable, 'getCharge'>,
): Promise<Charge | undefined> {
  const chargedId = replayOf ?? (end === 'FOUND' ? operationId : undefined);
  return chargedId === undefined ? undefined : charges.getCharge(wallet, chargedId);
}
