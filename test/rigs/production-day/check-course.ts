import { creditsAdded } from './check-money.ts';
import type { Report } from './check-responses.ts';
import { eventsOf, type Phase, type RequestLine, requestsOf } from './journal.ts';
import type { SimulationRecord } from './record.ts';
import { DISPLAY_NAMES, RELEASE_ROUTE, RELEASES } from './releases.ts';

/** Checks that each phase had its effect, and that the service showed it. Otherwise the simulation proves little. */
export function checkCourse(record: SimulationRecord, report: Report): void {
  checkTraffic(record, report);
  checkOutage(record, report);
  checkDeployments(record, report);
  checkMetrics(record, report);
}

function checkTraffic({ lines }: SimulationRecord, report: Report): void {
  const requests = requestsOf(lines);
  const must = (what: string, lineIs: (line: RequestLine) => boolean) => {
    if (!requests.some(lineIs)) report('the simulation contains every kind of request', what);
  };
  must('a request that a kill cut off', ({ code }) => code === 'cut');
  must('a free replay', ({ isReplay }) => isReplay);
  must('a customer above the rate limit', ({ code }) => code === 'RATE_LIMITED');
  must('a number without a record', ({ code }) => code.endsWith('_NOT_FOUND'));
  must('a revoked key', ({ code }) => code === 'INVALID_API_KEY');
  must('a record with the new key', ({ status, keyLabel }) => status === 200 && keyLabel === 'backend-2');
}

function checkOutage({ lines, log }: SimulationRecord, report: Report): void {
  const inOutage = requestsOf(lines).filter(({ phase }) => phase === 'outage');
  const states = eventsOf(lines, 'health').map(({ status }) => status);
  const must = (what: string, isSo: boolean) => {
    if (!isSo) report('an outage is detected and bypassed, and ends', what);
  };
  const rejected = inOutage.filter(({ code }) => ['SERVICE_UNAVAILABLE', 'TIMEOUT'].includes(code));
  must(
    'an ID type with one provider is unavailable',
    rejected.some(({ route }) => route === 'bvn-basic'),
  );
  must(
    'the second provider serves',
    inOutage.some(
      ({ route, provider, status }) => status === 200 && route === 'nin-basic' && provider === 'Sandbox',
    ),
  );
  must('GET /v1/health reports down', states.includes('down'));
  must('GET /v1/health reports up at the end', states.at(-1) === 'up');
  must('the log shows timeouts', (log.lookUps['dojah timeout'] ?? 0) > 0);
  must('the log shows refused connections and status 500', (log.lookUps['dojah unreachable'] ?? 0) > 0);
  must('the metric counts failed look-ups', log.failedLookUps > 0);
  const later: readonly Phase[] = ['rotation', 'hot wallet', 'deploy', 'evening'];
  must(
    'the first provider serves again',
    requestsOf(lines).some(({ phase, provider }) => later.includes(phase) && provider === 'Dojah'),
  );
}

/**
 * Checks that every credit of the hot wallet had been charged by the time all requests were rejected, that a top-up
 * paid for the same verifications, and that shards were added.
 */
export function checkHotWallet(record: SimulationRecord, report: Report): void {
  const [empty] = eventsOf(record.lines, 'empty');
  if (!empty) {
    report('a wallet pays until its last credit is used', 'it never ran out');
    return;
  }
  const { wallet, atMs, available } = empty;
  const own = requestsOf(record.lines).filter((line) => line.wallet === wallet);
  const charged = own
    .filter(({ respondedAtMs, status, isReplay }) => respondedAtMs <= atMs && status === 200 && !isReplay)
    .reduce((total, { cost }) => total + cost, 0);
  const added = creditsAdded(record, wallet, atMs);
  if (available !== 0 || charged !== added)
    report(
      'a wallet pays until its last credit is used',
      `added ${added}, charged ${charged}, available ${available}`,
    );
  const rejected = own.filter(({ code }) => code === 'INSUFFICIENT_FUNDS');
  const keys = new Set(rejected.map(({ idempotencyKey }) => idempotencyKey));
  const served = own.filter(
    ({ idempotencyKey, status, sentAtMs }) => keys.has(idempotencyKey) && status === 200 && sentAtMs > atMs,
  );
  if (served.length === 0) report('after a top-up the same verifications are paid for', wallet);
  if (eventsOf(record.lines, 'shards').length === 0)
    report('shards are added while the wallet is in use', wallet);
}

/** Checks that each response of the release route comes from the current release, or from one being deployed. */
function checkDeployments({ lines, log }: SimulationRecord, report: Report): void {
  const begun = eventsOf(lines, 'deploying');
  const done = eventsOf(lines, 'deployed');
  for (const { sentAtMs, respondedAtMs, provider, requestId, route, status } of requestsOf(lines)) {
    if (route !== RELEASE_ROUTE || status !== 200) continue;
    const current = done.findLast(({ atMs }) => atMs <= sentAtMs)?.release ?? '1';
    const deploying = begun.filter(
      ({ atMs }, index) => atMs <= respondedAtMs && (done[index]?.atMs ?? respondedAtMs) > sentAtMs,
    );
    const releases = [current, ...deploying.map(({ release }) => release)];
    const expected = releases.map((release) => DISPLAY_NAMES[RELEASES[release] ?? 'sandbox']);
    if (!expected.some((name) => name === provider))
      report('a release serves requests once it is deployed', `${requestId}: ${provider}, not ${expected}`);
  }
  const releases = done.map(({ release }) => release);
  if (releases.join() !== '2,1') report('a release is deployed and rolled back', releases.join());
  if (!log.starts['1'] || !log.starts['2'])
    report('functions of both releases ran', JSON.stringify(log.starts));
  if (log.retiredVersions !== releases.length) report('replaced functions end', `${log.retiredVersions}`);
}

/** Checks the metrics on which alarms depend. */
function checkMetrics({ lines, log }: SimulationRecord, report: Report): void {
  const rejected = requestsOf(lines).filter(({ code }) => code === 'INSUFFICIENT_FUNDS').length;
  const counted = log.responses['INSUFFICIENT_FUNDS'] ?? 0;
  if (rejected === 0 || counted !== rejected) report('the log shows each 402', `${counted} of ${rejected}`);
  if (log.faults > 0) report('no fault is counted', String(log.faults));
  if (log.unconfirmedCharges > 0) report('no charge is unconfirmed', String(log.unconfirmedCharges));
  const { count, released, failed, oldestHoldMs } = log.sweeps;
  if (count === 0 || failed > 0)
    report('the sweeper runs without failures', `${count} runs, ${failed} failed`);
  if (released === 0) report('the sweeper releases the holds of killed requests', 'none released');
  if (oldestHoldMs !== 0) report('the sweeper leaves no hold', `${oldestHoldMs} ms old`);
}
