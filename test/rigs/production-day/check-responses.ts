import { type EventLine, eventsOf, type Line, type Phase, type RequestLine, requestsOf } from './journal.ts';
import type { SimulationRecord } from './record.ts';

export type Report = (rule: string, detail: string) => void;

/** Codes after which the client does not know the outcome. No verification may end with one. */
const OPEN = ['cut', 'REQUEST_IN_PROGRESS', 'OUTCOME_UNKNOWN'];
const WITH_RETRY_AFTER = ['RATE_LIMITED', 'SERVICE_UNAVAILABLE', 'REQUEST_IN_PROGRESS'];

export function checkResponses({ lines, log }: SimulationRecord, report: Report): void {
  const requests = requestsOf(lines);
  for (const line of requests) {
    checkResponse(line, report);
    // On an overloaded machine, the tables may not respond in time. Any other 500 is a defect.
    if (line.status === 500 && line.code !== 'cut' && !log.tableTimeouts.includes(line.requestId))
      report('no function responds with 500', nameOf(line));
  }
  checkKeys(requests, eventsOf(lines, 'revoking', 'revoked'), report);
  for (const [key, attempts] of Map.groupBy(requests, ({ idempotencyKey }) => idempotencyKey)) {
    const last = attempts.reduce((latest, line) =>
      line.respondedAtMs >= latest.respondedAtMs ? line : latest,
    );
    if (OPEN.includes(last.code)) report('every verification ends', `${key} ends with ${last.code}`);
  }
}

function checkResponse(line: RequestLine, report: Report): void {
  const { status, code, charged, isReplay, cost, retryAfterSeconds } = line;
  const name = nameOf(line);
  const hasRecord = status === 200;
  if (hasRecord !== code.endsWith('_VERIFIED'))
    report('a response contains a record if and only if its status is 200', name);
  if (WITH_RETRY_AFTER.includes(code) && retryAfterSeconds === null)
    report('a response that asks for a retry contains Retry-After', name);
  if (code === 'cut') return;
  const price = hasRecord && !isReplay ? String(cost) : '0';
  if (charged !== price)
    report('X-Credits-Charged is the price of a new record, and otherwise 0', `${name}: ${charged}`);
}

function nameOf({ phase, status, code, requestId }: RequestLine): string {
  return `${phase}: ${status} ${code} ${requestId}`;
}

/** Checks that a key works until its revocation begins, and is rejected once the revocation is complete. */
function checkKeys(
  requests: readonly RequestLine[],
  events: readonly (EventLine & { readonly name: 'revoking' | 'revoked' })[],
  report: Report,
): void {
  const timeOf = (wanted: string, { wallet, keyLabel }: RequestLine) =>
    events.find((one) => one.name === wanted && one.wallet === wallet && one.keyLabel === keyLabel)?.atMs ??
    Number.POSITIVE_INFINITY;
  for (const line of requests) {
    const isRejected = line.code === 'INVALID_API_KEY';
    const name = `${line.idempotencyKey} with ${line.keyLabel}: ${line.status} ${line.code}`;
    if (line.code !== 'cut' && !isRejected && line.sentAtMs >= timeOf('revoked', line))
      report('a revoked key is rejected', name);
    if (isRejected && line.respondedAtMs < timeOf('revoking', line))
      report('a working key is not rejected', name);
  }
}

/**
 * Codes that any phase may have: some numbers have no record, and a killed request's key is in progress for a while.
 */
const USUAL = new Set([
  ...['NIN', 'BVN', 'TIN', 'NUBAN'].flatMap((idType) => [
    `${idType}_VERIFIED`,
    `${idType}_NOT_FOUND`,
    `${idType}_VERIFICATION_FAILED`,
  ]),
  'RATE_LIMITED',
  'REQUEST_IN_PROGRESS',
  'cut',
]);

/** Further codes that only some phases may have. */
const OF_PHASE: Partial<Readonly<Record<Phase, readonly string[]>>> = {
  outage: ['SERVICE_UNAVAILABLE', 'TIMEOUT'],
  rotation: ['INVALID_API_KEY'],
  'hot wallet': ['INSUFFICIENT_FUNDS'],
};

/** Checks that responses have the codes of their phase. The check fails on a machine that is too slow for the load. */
export function checkCodes(lines: readonly Line[], report: Report): void {
  const requests = requestsOf(lines);
  for (const line of requests) {
    const expected = [line.phase, line.responsePhase].flatMap((phase) => OF_PHASE[phase] ?? []);
    if (!USUAL.has(line.code) && !expected.includes(line.code))
      report('each response has a code of its phase', nameOf(line));
  }
  checkLosses(requests, eventsOf(lines, 'kill'), report);
}

/** How many milliseconds after the gateway's response to a killed request the kill may be recorded. */
const KILL_SLACK_MS = 250;

/** Checks that each lost request was killed. A process serves one request at a time, so each kill explains one loss. */
function checkLosses(
  requests: readonly RequestLine[],
  kills: readonly (EventLine & { readonly name: 'kill' })[],
  report: Report,
): void {
  const unused = new Set(kills);
  const lost = requests
    .filter(({ code }) => code === 'cut')
    .sort((a, b) => a.respondedAtMs - b.respondedAtMs);
  for (const { route, sentAtMs, respondedAtMs, idempotencyKey } of lost) {
    const kill = [...unused].find(
      ({ route: killed, atMs }) =>
        killed === route && atMs >= sentAtMs && atMs <= respondedAtMs + KILL_SLACK_MS,
    );
    if (kill) unused.delete(kill);
    else
      report('only a kill loses a request', `${idempotencyKey} at ${new Date(respondedAtMs).toISOString()}`);
  }
}
