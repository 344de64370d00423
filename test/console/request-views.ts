import {
  accountingMonthOf,
  dayPlus,
  daysBetween,
  lagosDay,
  monthBefore,
} from '../../shared/core/accounting-month.ts';
import { DAY_MS } from '../../shared/core/clock.ts';
import type { Outcome } from '../../shared/core/outcome.ts';
import { monthPeriod } from '../../shared/usage/console/period.ts';
import type { UsageView } from '../../shared/usage/console/views.ts';
import type {
  RequestDetailView,
  RequestsView,
  RequestView,
} from '../../shared/verifications/console/views.ts';
import { SERVICE_NAMES } from '../../shared/verifications/services.ts';
import type { Views } from './pages-double.ts';

/** Requests and usage of the demo organisation, as the console's routes return them. */

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

const RESULTS: readonly (readonly [Outcome, status: number, latencyMs: number])[] = [
  ['FOUND', 200, 799],
  ['NOT_FOUND', 404, 62],
  ['FOUND', 200, 431],
  ['TIMEOUT', 504, 8_004],
  ['UNREACHABLE', 503, 1_203],
];

const requestId = (index: number) => `req_${index.toString(16).padStart(12, '0')}`;

function request(index: number): RequestView {
  const [outcome, http_status, latency_ms] = RESULTS[index % RESULTS.length] ?? ['FOUND', 200, 500];
  const is_replay = index === 2;
  return {
    request_id: requestId(index),
    service: SERVICE_NAMES[index % SERVICE_NAMES.length] ?? '',
    outcome,
    http_status,
    credits_charged: outcome === 'FOUND' && !is_replay ? 1 : 0,
    is_replay,
    replay_of: is_replay ? requestId(0) : null,
    provider: outcome === 'UNREACHABLE' ? '' : 'Prembly',
    key_label: index % 2 === 0 ? 'backend' : 'mobile app',
    latency_ms,
    requested_at: ago(index * 1_800_000),
    reference: index % 3 === 0 ? `loan-${1_000 + index}` : null,
  };
}

const REJECTED: RequestsView['rejected'] = [0, 1, 2, 3].map((index) => ({
  minute: ago(index * 600_000),
  code: index === 3 ? 'INSUFFICIENT_FUNDS' : 'INVALID_API_KEY',
  http_status: index === 3 ? 402 : 401,
  count: 3 + index,
  route: '/v1/nin/verify',
  key_label: index === 3 ? 'backend' : '',
  request_id: requestId(0xfff0 + index),
  field: null,
}));

const DETAILS = { match: 'strong', consent: 'form 12', reason: 'Loan' };

/** Returns a page of a list of `count` requests. The cursor is the position of the next one. */
export function requestsView(count = 12, query = new URLSearchParams()): RequestsView {
  const limit = Number(query.get('limit') ?? 50);
  const first = Number(query.get('cursor') ?? 0);
  const isFound = ({ outcome, reference, service }: RequestView) =>
    [
      [outcome, query.get('outcome')],
      [reference, query.get('reference')],
      [service, query.get('service')],
    ].every(([value, wanted]) => !wanted || value === wanted);
  const found = Array.from({ length: count }, (_, index) => request(index)).filter(isFound);
  const next = first + limit;
  const [first_day, today] = [lagosDay(Date.now() - 90 * DAY_MS), lagosDay(Date.now())];
  const from = query.get('from') || (query.get('reference') ? first_day : dayPlus(today, -6));
  const requests = found.slice(first, next);
  return {
    ...{ from, to: query.get('to') || today, first_day },
    read_to: next < found.length ? lagosDay(Date.parse(requests.at(-1)?.requested_at ?? '')) : from,
    requests: requests.map((one) => ({ ...one, ...(query.get('details') === 'yes' && DETAILS) })),
    rejected: first === 0 ? REJECTED : [],
    next_cursor: next < found.length ? String(next) : null,
  };
}

/** Returns a request that timed out after another provider had failed, or one that found a record and was charged. */
export function requestDetailView(index = 3): RequestDetailView {
  const row = request(index);
  const isCharged = row.credits_charged > 0;
  return {
    kind: 'request',
    ...row,
    meaning: isCharged
      ? 'The record was found.'
      : 'The registry did not respond in time. Retry once after a short delay.',
    charge: isCharged
      ? 'One credit was charged, because the record was found.'
      : 'Nothing was charged: only records that are found cost credits.',
    retry: isCharged
      ? { helps: 'no', text: 'No retry is needed.' }
      : { helps: 'later', text: 'Yes, but not immediately.' },
    code: isCharged ? 'NIN_VERIFIED' : 'TIMEOUT',
    failed_providers: isCharged ? [] : ['Youverify'],
    timings: {
      checks_ms: 21,
      ledger_ms: 14,
      registry_ms: row.latency_ms - 47,
    },
    consent: 'consent-2026-11-17',
    reason: 'Account opening',
    match: 'strong',
    is_slip_withdrawn: false,
    statement: isCharged
      ? {
          month: accountingMonthOf(Date.parse(row.requested_at)),
          at: row.requested_at,
          id: '01JD2E9ZK4M7Q0V5W8X1Y40000',
          amount: -1,
        }
      : null,
  };
}

export function rejectedDetailView(): RequestDetailView {
  return {
    kind: 'rejected',
    ...(REJECTED[0] as RequestsView['rejected'][number]),
    meaning: 'The API key is missing or not valid (for example malformed, expired or revoked).',
    charge: 'Nothing was charged: the request was rejected before it reached the wallet.',
    retry: { helps: 'no', text: 'No. Use an active API key.' },
  };
}

export function usageView(query = new URLSearchParams()): UsageView {
  const now = accountingMonthOf(Date.now());
  const [from, to] = [query.get('from'), query.get('to')];
  const month = from ? null : (query.get('month') ?? now);
  const period = from && to ? { from, to } : monthPeriod(month ?? now);
  const days = daysBetween(period.from, period.to).filter((day) => day <= lagosDay(Date.now()));
  const series = (name: string, share: number, credits = 1) => {
    const requests = days.map((_, day) => Math.round((40 + ((day * 53) % 97)) * share));
    return { name, requests, credits: requests.map((count) => count * credits) };
  };
  const by = {
    service: SERVICE_NAMES.map((name, index) => series(name, 1 / (index + 1))),
    outcome: [series('FOUND', 1.6), series('NOT_FOUND', 0.7, 0), series('TIMEOUT', 0.1, 0)],
    key: [series('backend', 1.8), series('mobile app', 0.4), series('', 0.02)],
  };
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  const requests = sum(by.service.flatMap((one) => one.requests));
  const totals = {
    requests,
    found: Math.round(requests * 0.7),
    errors: Math.round(requests * 0.014),
    credits: Math.round(requests * 0.7),
    cost_kobo: Math.round(requests * 0.7) * 10_000,
    is_closed: month !== now,
  };
  return {
    env: query.get('env') === 'test' ? 'test' : 'live',
    ...{ month, from: period.from, to: period.to },
    first_month: monthBefore(monthBefore(now)),
    days,
    by,
    totals,
    previous: { ...totals, requests: Math.round(requests / 1.12), errors: Math.round(requests * 0.02) },
    vat_basis_points: 750,
    latency: [
      { id_type: 'NIN', requests: 4_210, p50_ms: 412, p95_ms: 1_204, p99_ms: 3_870 },
      { id_type: 'BVN', requests: 1_934, p50_ms: 287, p95_ms: 702, p99_ms: 1_490 },
      { id_type: 'CAC', requests: 12, p50_ms: 1_020, p95_ms: 2_400, p99_ms: 2_480 },
    ],
    counted_until: ago(1_500_000),
  };
}

export function requestViews(): Views {
  return {
    'GET /requests': (_: unknown, query: URLSearchParams) => requestsView(12, query),
    [`GET /requests/${requestId(0)}`]: requestDetailView(0),
    [`GET /requests/${requestId(3)}`]: requestDetailView(3),
    [`GET /requests/${REJECTED[0]?.request_id}`]: rejectedDetailView(),
    'GET /usage': (_: unknown, query: URLSearchParams) => usageView(query),
  };
}
