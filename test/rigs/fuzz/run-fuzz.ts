import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import type { RegistryResult } from '../../../shared/registries/port.ts';
import { type Random, seededRandom } from '../../ledger/simulation/random.ts';
import { type Caller, type CallerChanges, eventOf } from '../../security/in-process.ts';
import { type MemoryService, memoryService } from '../../security/memory-service.ts';
import { USUAL_RECORD } from '../../slips/records.ts';
import { mutate, type OpenEvent } from './mutations.ts';
import { digits, type Target, targetsOn } from './targets.ts';

/**
 * Mutated requests on the handlers. The registry never finds anybody for them, so that no credit may move; in each
 * round one untouched request is served and charged, so that a service which refuses everything would be caught too.
 */
export interface FuzzResult {
  requests: number;
  /** How often each code was answered. */
  readonly codes: Map<string, number>;
  /** What must not happen, with the seed that repeats it. */
  readonly faults: string[];
}

export interface FuzzOrder {
  readonly requests: number;
  readonly seed: number;
  /** The lines that the handlers write, emptied as they are read. */
  readonly lines: string[];
  /** A service that is broken on purpose, to see that it is noticed. @default the real one */
  readonly makeService?: () => MemoryService;
}

const ROUND = 1000;
const CREDITS = 100;
const TRACE = /\n\s+at |node:internal|TypeError|RangeError|SyntaxError|ValiError|"error_at"/;
const SLOW_MS = 2_000;

export async function runFuzz(order: FuzzOrder): Promise<FuzzResult> {
  const { requests, seed } = order;
  const result: FuzzResult = { requests: 0, codes: new Map(), faults: [] };
  while (result.requests < requests) {
    const size = Math.min(ROUND, requests - result.requests);
    await round(size, { ...order, seed: seed + result.requests }, result);
  }
  return result;
}

/** Some requests to one service, and a look at its money after them. */
async function round(size: number, order: FuzzOrder, result: FuzzResult): Promise<void> {
  const { seed, lines, makeService = memoryService } = order;
  const service = makeService();
  const log = { ...service.deps.log, wasVerified: async () => true };
  const targets = targetsOn({ ...service, deps: { ...service.deps, log } });
  const callers = await makeCallers(service);
  const fault = (place: number, words: string) => result.faults.push(`seed ${seed + place}: ${words}`);
  for (let place = 0; place < size; place += 1) {
    const random = seededRandom(seed + place);
    const target = random.pick(targets);
    service.clock.nowMs += random.between(0, 20_000);
    service.registry.lookUp = async () => emptyResponse(random);
    const event = openEvent(target, random.pick(callers), service.clock.nowMs, random);
    mutate(event, random);
    const startedMs = performance.now();
    const answer = await answerTo(target, event).catch((error: unknown) => String(error));
    const written = lines.splice(0).join('\n');
    for (const words of complaints(answer, written)) fault(place, `${target.name}: ${words}`);
    if (performance.now() - startedMs > SLOW_MS) fault(place, `${target.name}: slow`);
    count(result, answer);
  }
  if (!(await isServed(service, callers[0], targets))) fault(0, 'a sound request was not served and charged');
  lines.splice(0);
  if (service.charges().length !== 1) fault(0, `${service.charges().length} charges, one was due`);
  for (const who of new Set(callers)) {
    const { available, held } = await service.balance(who);
    // The sound request's own hold is spent, and cleared by whatever reserves next.
    const due = who === callers[0] ? 1 : 0;
    if (available !== CREDITS - due || held > due) fault(0, `a wallet has ${available}, holds ${held}`);
  }
  result.requests += size;
}

/** Live and test keys; some narrowed, revoked, or of an organisation that is not approved. */
async function makeCallers(service: MemoryService): Promise<[Caller, ...Caller[]]> {
  const live = await service.newCaller(CREDITS);
  const test = await service.newCaller(CREDITS, 'test');
  const changes: CallerChanges[] = [
    { key: { scopes: ['verify:nin-basic', 'wallet:read'], addressRanges: ['203.0.113.0/24'] } },
    { key: { status: 'REVOKED' } },
    { key: { notAfter: '2026-01-01T00:00:00.000Z' } },
    { organisation: { status: 'SUSPENDED' } },
    { organisation: { services: {}, rateLimit: { perSecond: 0.01, burst: 1 } } },
  ];
  const others = await Promise.all(changes.map((change) => service.newCaller(CREDITS, 'live', change)));
  // Most requests get past the key.
  return [live, test, live, test, live, test, live, test, live, test, ...others];
}

function emptyResponse(random: Random): RegistryResult {
  const kind = random.pick(['not-found', 'failed', 'unreachable', 'timeout'] as const);
  return { kind, detail: 'scripted' };
}

function openEvent(target: Target, { text }: Caller, nowMs: number, random: Random): OpenEvent {
  const body = target.body && JSON.stringify(target.body(random));
  const key = random.chance(0.3) ? [digits(random, 16)] : undefined;
  const event = eventOf({
    key: text,
    body: body ?? null,
    ...(target.query && { query: target.query(random) }),
    ...(key && { headers: { 'Idempotency-Key': key } }),
    requestedAtMs: nowMs,
  });
  return Object.assign(event, { pathParameters: target.path?.(random) ?? null }) as OpenEvent;
}

function answerTo({ handler }: Target, event: OpenEvent): Promise<APIGatewayProxyResult> {
  return handler(event, { getRemainingTimeInMillis: () => 28_000 } as Context);
}

/** What is wrong with an answer and the lines that came with it. */
function complaints(answer: APIGatewayProxyResult | string, written: string): string[] {
  if (typeof answer === 'string') return [`no answer: ${answer}`];
  const { statusCode, body, headers = {} } = answer;
  const all: [boolean, string][] = [
    [statusCode === 500 || statusCode < 200 || statusCode > 599, `status ${statusCode}: ${written}`],
    [TRACE.test(body), 'a stack trace in the answer'],
    [TRACE.test(written), `a stack trace in the log: ${written}`],
    [/idv_(live|test)_\w/.test(written + body), 'a key in the log or the answer'],
    [/(?<![\w.+-])\d{11}(?![\w.-])/.test(written), `a number in the log: ${written}`],
    [!/^req_[0-9a-f]{12}$/.test(String(headers['X-Request-Id'])), 'no request id'],
    [!['0', 'undefined'].includes(String(headers['X-Credits-Charged'])), 'a charge is told'],
    [!isReadable(answer), 'an answer that is no envelope'],
  ];
  return all.filter(([isWrong]) => isWrong).map(([, words]) => words);
}

function isReadable({ body, headers = {} }: APIGatewayProxyResult): boolean {
  if (!/json/.test(String(headers['Content-Type'])))
    return /text\/html/.test(String(headers['Content-Type']));
  return typeof (JSON.parse(body) as { code?: unknown }).code === 'string';
}

/** One untouched request, which the registry finds. */
async function isServed(service: MemoryService, who: Caller, targets: readonly Target[]): Promise<boolean> {
  const target = targets.find(({ name }) => name === 'nin-basic');
  if (!target) return false;
  service.registry.lookUp = async ({ number }) => ({
    kind: 'found',
    record: { ...USUAL_RECORD, nin: number },
  });
  service.clock.nowMs += 3_600_000;
  const body = JSON.stringify({ nin: '12345678901' });
  const event = eventOf({ key: who.text, body, requestedAtMs: service.clock.nowMs }) as OpenEvent;
  return (await answerTo(target, event)).statusCode === 200;
}

function count({ codes }: FuzzResult, answer: APIGatewayProxyResult | string): void {
  const [, code = 'DOCUMENT'] = /"code":"(\w+)"/.exec(typeof answer === 'string' ? '' : answer.body) ?? [];
  codes.set(code, (codes.get(code) ?? 0) + 1);
}
