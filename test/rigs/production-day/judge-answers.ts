import { type EventLine, eventsOf, type Line, type Phase, type RequestLine, requestsOf } from './journal.ts';

/** Is each answer one that the documents promise for what was going on? */

export type Report = (rule: string, detail: string) => void;

/** Codes of any hour: the numbers of the day have records or none, and a cut request's key is in progress for a while. */
const USUAL = [
  ...['NIN_VERIFIED', 'BVN_VERIFIED', 'TIN_VERIFIED', 'NUBAN_VERIFIED'],
  ...['NIN_NOT_FOUND', 'BVN_NOT_FOUND', 'TIN_NOT_FOUND', 'NUBAN_NOT_FOUND'],
  ...['NIN_VERIFICATION_FAILED', 'BVN_VERIFICATION_FAILED', 'TIN_VERIFICATION_FAILED'],
  ...['NUBAN_VERIFICATION_FAILED', 'RATE_LIMITED', 'REQUEST_IN_PROGRESS', 'cut'],
];

/** Codes of some hours alone. */
const OF_PHASE: Partial<Readonly<Record<Phase, readonly string[]>>> = {
  outage: ['SERVICE_UNAVAILABLE', 'TIMEOUT'],
  rotation: ['INVALID_API_KEY'],
  'hot wallet': ['INSUFFICIENT_FUNDS'],
};

/** Answers after which a client must know more: a wish that ends so was lost. */
const OPEN = ['cut', 'REQUEST_IN_PROGRESS', 'OUTCOME_UNKNOWN'];
const MUST_SAY_WHEN = ['RATE_LIMITED', 'SERVICE_UNAVAILABLE', 'REQUEST_IN_PROGRESS'];

export function judgeAnswers(lines: readonly Line[], report: Report): void {
  const requests = requestsOf(lines);
  for (const line of requests) judgeAnswer(line, report);
  judgeLosses(requests, eventsOf(lines, 'kill'), report);
  judgeKeys(requests, eventsOf(lines, 'revoking', 'revoked'), report);
  for (const [wish, tries] of Map.groupBy(requests, ({ wish: key }) => key)) {
    const last = tries.reduce((latest, line) => (line.answeredAtMs >= latest.answeredAtMs ? line : latest));
    if (OPEN.includes(last.code)) report('every wish has an end', `${wish} ends with ${last.code}`);
  }
}

function judgeAnswer(line: RequestLine, report: Report): void {
  const { phase, answeredPhase, status, code, charged, isReplay, cost, retryAfterSeconds, requestId } = line;
  const name = `${phase}: ${status} ${code} ${requestId}`;
  const isServed = status === 200;
  const expected = [phase, answeredPhase].flatMap((hour) => OF_PHASE[hour] ?? []);
  if (![...USUAL, ...expected].includes(code)) report('answers are those of their hour', name);
  if (isServed !== code.endsWith('_VERIFIED')) report('200 and data belong together', name);
  if (status === 500 && code !== 'cut') report('no function answers 500', name);
  if (MUST_SAY_WHEN.includes(code) && retryAfterSeconds === null)
    report('who must wait is told for how long', name);
  if (code === 'cut') return;
  const price = isServed && !isReplay ? String(cost) : '0';
  if (charged !== price) report('X-Credits-Charged is the price of data, and else 0', `${name}: ${charged}`);
}

/** The clocks are one; this is for the time between a signal and what comes of it. */
const SLACK_MS = 250;

/** A process serves one request: each kill explains one lost request of its function, that was under way then. */
function judgeLosses(
  requests: readonly RequestLine[],
  kills: readonly (EventLine & { readonly name: 'kill' })[],
  report: Report,
): void {
  const unused = new Set(kills);
  const lost = requests.filter(({ code }) => code === 'cut').sort((a, b) => a.answeredAtMs - b.answeredAtMs);
  for (const { route, sentAtMs, answeredAtMs, wish } of lost) {
    const kill = [...unused].find(
      (one) => one.route === route && one.atMs >= sentAtMs && one.atMs <= answeredAtMs + SLACK_MS,
    );
    if (kill) unused.delete(kill);
    else report('only a kill loses a request', `${wish} at ${new Date(answeredAtMs).toISOString()}`);
  }
}

/** A key works until it is revoked, and never afterwards. */
function judgeKeys(
  requests: readonly RequestLine[],
  events: readonly (EventLine & { readonly name: 'revoking' | 'revoked' })[],
  report: Report,
): void {
  const timeOf = (wanted: string, { wallet, keyLabel }: RequestLine) =>
    events.find((one) => one.name === wanted && one.wallet === wallet && one.keyLabel === keyLabel)?.atMs ??
    Number.POSITIVE_INFINITY;
  for (const line of requests) {
    const isRefused = line.code === 'INVALID_API_KEY';
    const name = `${line.wish} with ${line.keyLabel}: ${line.status} ${line.code}`;
    if (line.code !== 'cut' && !isRefused && line.sentAtMs >= timeOf('revoked', line))
      report('a revoked key is refused from then on', name);
    if (isRefused && line.answeredAtMs < timeOf('revoking', line))
      report('a working key is not refused', name);
  }
}
