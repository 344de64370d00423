import { eventsOf, type Phase, type RequestLine, requestsOf } from './journal.ts';
import type { Report } from './judge-answers.ts';
import { boughtBy } from './judge-books.ts';
import type { DayRecord } from './record.ts';
import { DISPLAY_NAMES, TELLTALE, TELLTALE_ROUTE } from './telltale.ts';

/** Did each hour bring what it was for, and did the service show it? A day without it proves less than it says. */
export function judgeCourse(record: DayRecord, report: Report): void {
  judgeTraffic(record, report);
  judgeOutage(record, report);
  judgeHotWallet(record, report);
  judgeDeployments(record, report);
  judgeWatch(record, report);
}

function judgeTraffic({ lines }: DayRecord, report: Report): void {
  const requests = requestsOf(lines);
  const must = (what: string, lineIs: (line: RequestLine) => boolean) => {
    if (!requests.some(lineIs)) report('the day had what it was for', what);
  };
  must('a request that a kill cut off', ({ code }) => code === 'cut');
  must('a free repeat', ({ isReplay }) => isReplay);
  must('a caller above his rate', ({ code }) => code === 'RATE_LIMITED');
  must('a number without a record', ({ code }) => code.endsWith('_NOT_FOUND'));
  must('a revoked key', ({ code }) => code === 'INVALID_API_KEY');
  must('data with the new key', ({ status, keyLabel }) => status === 200 && keyLabel === 'backend-2');
}

function judgeOutage({ lines, log }: DayRecord, report: Report): void {
  const inOutage = requestsOf(lines).filter(({ phase }) => phase === 'outage');
  const states = eventsOf(lines, 'health').map(({ status }) => status);
  const must = (what: string, isSo: boolean) => {
    if (!isSo) report('an outage is seen, passed by and over', what);
  };
  const refused = inOutage.filter(({ code }) => ['SERVICE_UNAVAILABLE', 'TIMEOUT'].includes(code));
  must(
    'who has one provider is refused',
    refused.some(({ route }) => route === 'bvn-basic'),
  );
  must(
    'the second provider serves',
    inOutage.some(
      ({ route, provider, status }) => status === 200 && route === 'nin-basic' && provider === 'Sandbox',
    ),
  );
  must('GET /v1/health says down', states.includes('down'));
  must('GET /v1/health says up at the end', states.at(-1) === 'up');
  must('metrics count timeouts', (log.lookUps['dojah timeout'] ?? 0) > 0);
  must('metrics count refused connections and answers 500', (log.lookUps['dojah unreachable'] ?? 0) > 0);
  const later: readonly Phase[] = ['rotation', 'hot wallet', 'deploy', 'evening'];
  must(
    'the first provider serves again',
    requestsOf(lines).some(({ phase, provider }) => later.includes(phase) && provider === 'Dojah'),
  );
}

/** At the instant at which all were refused, every credit that was bought had been charged. */
function judgeHotWallet(record: DayRecord, report: Report): void {
  const [empty] = eventsOf(record.lines, 'empty');
  if (!empty) {
    report('a wallet pays to its last credit', 'it never ran out');
    return;
  }
  const { wallet, atMs, available } = empty;
  const own = requestsOf(record.lines).filter((line) => line.wallet === wallet);
  const charged = own
    .filter(({ answeredAtMs, status, isReplay }) => answeredAtMs <= atMs && status === 200 && !isReplay)
    .reduce((total, { cost }) => total + cost, 0);
  const bought = boughtBy(record, wallet, atMs);
  if (available !== 0 || charged !== bought)
    report(
      'a wallet pays to its last credit',
      `bought ${bought}, charged ${charged}, available ${available}`,
    );
  const refused = new Set(own.filter(({ code }) => code === 'INSUFFICIENT_FUNDS').map(({ wish }) => wish));
  const served = own.filter(
    ({ wish, status, sentAtMs }) => refused.has(wish) && status === 200 && sentAtMs > atMs,
  );
  if (served.length === 0) report('after a top-up the same wishes are paid for', wallet);
  if (eventsOf(record.lines, 'shards').length === 0)
    report('the wallet was spread while it was used', wallet);
}

/** Each answer of the telltale route names the release it came from: the one in force, or one that was taking over. */
function judgeDeployments({ lines, log }: DayRecord, report: Report): void {
  const begun = eventsOf(lines, 'deploying');
  const done = eventsOf(lines, 'deployed');
  for (const { sentAtMs, answeredAtMs, provider, requestId, route, status } of requestsOf(lines)) {
    if (route !== TELLTALE_ROUTE || status !== 200) continue;
    const inForce = done.findLast(({ atMs }) => atMs <= sentAtMs)?.release ?? '1';
    const takingOver = begun.filter(
      ({ atMs }, place) => atMs <= answeredAtMs && (done[place]?.atMs ?? answeredAtMs) > sentAtMs,
    );
    const releases = [inForce, ...takingOver.map(({ release }) => release)];
    const expected = releases.map((release) => DISPLAY_NAMES[TELLTALE[release] ?? 'sandbox']);
    if (!expected.some((name) => name === provider))
      report('a version serves from its deployment on', `${requestId}: ${provider}, not ${expected}`);
  }
  const releases = done.map(({ release }) => release);
  if (releases.join() !== '2,1') report('a version is deployed and taken back', releases.join());
  if (!log.starts['1'] || !log.starts['2'])
    report('functions of both versions ran', JSON.stringify(log.starts));
  if (log.retiredVersions !== releases.length) report('replaced versions end', `${log.retiredVersions}`);
}

/** What would have rung, or must not have. */
function judgeWatch({ lines, log }: DayRecord, report: Report): void {
  const refused = requestsOf(lines).filter(({ code }) => code === 'INSUFFICIENT_FUNDS').length;
  const counted = log.answers['INSUFFICIENT_FUNDS'] ?? 0;
  if (refused === 0 || counted !== refused) report('metrics count each 402', `${counted} of ${refused}`);
  if (log.faults > 0) report('no fault is counted', String(log.faults));
  if (log.unconfirmedCharges > 0) report('no charge is unconfirmed', String(log.unconfirmedCharges));
  const { count, returned, failed, oldestHoldMs } = log.sweeps;
  if (count === 0 || failed > 0)
    report('the sweeper runs and does not fail', `${count} runs, ${failed} failed`);
  if (returned === 0) report('the sweeper returns what killed requests held', 'nothing');
  if (oldestHoldMs !== 0) report('the sweeper leaves no hold', `${oldestHoldMs} ms old`);
}
