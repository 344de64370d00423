import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { ALL_SCOPES } from '../../../shared/accounts/key-limits.ts';
import { HOUR_MS } from '../../../shared/core/clock.ts';
import type { RegistryResult } from '../../../shared/registries/port.ts';
import { type Random, seededRandom } from '../../ledger/simulation/random.ts';
import { type Caller, type CallerChanges, eventOf } from '../../security/in-process.ts';
import { type MemoryService, memoryService } from '../../security/memory-service.ts';
import { USUAL_RECORD } from '../../slips/records.ts';
import { cpuMs } from '../bench/measure.ts';
import { mutate, type OpenEvent } from './mutations.ts';
import { prepareBuyer } from './payment-targets.ts';
import { digits, type Target, targetsOn } from './targets.ts';

/**
 * The result of sending mutated requests to the handlers. The registry finds no record for them, so no credit may be
 * charged. In each round one valid request is served and charged, so that a service that rejects everything is
 * detected.
 */
export interface FuzzResult {
  requests: number;
  readonly codes: Map<string, number>;
  readonly faults: string[];
}

export interface FuzzOrder {
  readonly requests: number;
  readonly seed: number;
  /** The log lines of the handlers. They are removed as they are read. */
  readonly lines: string[];
  /** A service with a fault, to test the fuzzer. @default a correct one */
  readonly makeService?: () => MemoryService;
}

const ROUND = 1000;
const CREDITS = 100;
/** How many of the credits are bought by bank transfer. */
const BOUGHT = 10;
const TRACE = /\n\s+at |node:internal|TypeError|RangeError|SyntaxError|ValiError|"error_at"/;
/** The processor time above which a response is slow. */
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

async function round(size: number, order: FuzzOrder, result: FuzzResult): Promise<void> {
  const { seed, lines, makeService = memoryService } = order;
  const service = makeService();
  const log = { ...service.deps.log, wasVerified: async () => true };
  const targets = targetsOn({ ...service, deps: { ...service.deps, log } });
  const callers = await makeCallers(service);
  const fault = (index: number, what: string) => result.faults.push(`seed ${seed + index}: ${what}`);
  for (let index = 0; index < size; index += 1) {
    const random = seededRandom(seed + index);
    const target = random.pick(targets);
    service.clock.nowMs += random.between(0, 20_000);
    service.registry.lookUp = async () => emptyResponse(random);
    const event = openEvent(target, random.pick(callers), service.clock.nowMs, random);
    mutate(event, random);
    event.queryStringParameters = lastValues(event.multiValueQueryStringParameters);
    const started = process.cpuUsage();
    const response = await invoke(target, event).catch((error: unknown) => String(error));
    const written = lines.splice(0).join('\n');
    for (const what of faultsOf(response, written)) fault(index, `${target.name}: ${what}`);
    if (cpuMs(started) > SLOW_MS) fault(index, `${target.name}: slow`);
    count(result, response);
  }
  if (!(await isServed(service, callers[0], targets)))
    fault(0, 'the valid request was not served and charged');
  lines.splice(0);
  if (service.charges().length !== 1) fault(0, `${service.charges().length} charges instead of one`);
  for (const who of new Set(callers)) {
    const { available, held } = await service.balance(who);
    // The valid request is charged, but its hold remains until the next reserve.
    const due = who === callers[0] ? 1 : 0;
    if (available !== CREDITS - due || held > due)
      fault(0, `a wallet has ${available} credits available and ${held} held`);
  }
  result.requests += size;
}

/**
 * Creates callers with live and test keys. Some keys are restricted, revoked or expired, or their organisation is
 * suspended.
 */
async function makeCallers(service: MemoryService): Promise<[Caller, ...Caller[]]> {
  const scopes = [...ALL_SCOPES];
  // The rest of their credits is bought, so that they have documents.
  const live = await service.newCaller(CREDITS - BOUGHT, 'live', { key: { scopes } });
  const test = await service.newCaller(CREDITS - BOUGHT, 'test', { key: { scopes } });
  for (const who of [live, test]) await prepareBuyer(service, who, BOUGHT);
  const changes: CallerChanges[] = [
    { key: { scopes: ['verify:nin-basic', 'wallet:read'], addressRanges: ['203.0.113.0/24'] } },
    { key: { status: 'REVOKED' } },
    { key: { notAfter: '2026-01-01T00:00:00.000Z' } },
    { organisation: { status: 'SUSPENDED' } },
    { organisation: { services: {}, rateLimit: { perSecond: 0.01, burst: 1 } } },
  ];
  const others = await Promise.all(changes.map((change) => service.newCaller(CREDITS, 'live', change)));
  // Most requests have a valid key.
  return [live, test, live, test, live, test, live, test, live, test, ...others];
}

function emptyResponse(random: Random): RegistryResult {
  const kind = random.pick(['not-found', 'failed', 'unreachable', 'timeout'] as const);
  return { kind, detail: 'scripted' };
}

function openEvent(target: Target, { text }: Caller, nowMs: number, random: Random): OpenEvent {
  const form = target.form && new URLSearchParams(target.form(random)).toString();
  const body = form ?? (target.body && JSON.stringify(target.body(random)));
  const key = random.chance(0.3) ? [digits(random, 16)] : undefined;
  const event = eventOf({
    key: text,
    body: body ?? null,
    ...(target.query && { query: target.query(random) }),
    headers: {
      ...(key && { 'Idempotency-Key': key }),
      ...(form !== undefined && { 'Content-Type': ['application/x-www-form-urlencoded'] }),
    },
    requestedAtMs: nowMs,
  });
  return Object.assign(event, { pathParameters: target.path?.(random) ?? null }) as OpenEvent;
}

/** Returns the query as API Gateway also sends it: the last value of each name. */
function lastValues(query: OpenEvent['multiValueQueryStringParameters']): Record<string, string> | null {
  if (!query) return null;
  const entries = Object.entries(query).map(([name, values]) => [name, values?.at(-1) ?? '']);
  return Object.fromEntries(entries);
}

function invoke({ handler }: Target, event: OpenEvent): Promise<APIGatewayProxyResult> {
  return handler(event, { getRemainingTimeInMillis: () => 28_000 } as Context);
}

function faultsOf(response: APIGatewayProxyResult | string, written: string): string[] {
  if (typeof response === 'string') return [`no response: ${response}`];
  const { statusCode, body, headers = {} } = response;
  const all: [boolean, string][] = [
    [statusCode === 500 || statusCode < 200 || statusCode > 599, `status ${statusCode}: ${written}`],
    [TRACE.test(body), 'a stack trace in the response'],
    [TRACE.test(written), `a stack trace in the log: ${written}`],
    [/idv_(live|test)_\w/.test(written + body), 'an API key in the log or the response'],
    [/(?<![\w.+-])\d{11}(?![\w.-])/.test(written), `an identity number in the log: ${written}`],
    [!/^req_[0-9a-f]{12}$/.test(String(headers['X-Request-Id'])), 'no request ID'],
    [!['0', 'undefined'].includes(String(headers['X-Credits-Charged'])), 'X-Credits-Charged is not 0'],
    [!isEnvelope(response), 'neither an envelope nor HTML nor a PDF'],
  ];
  return all.filter(([isWrong]) => isWrong).map(([, what]) => what);
}

function isEnvelope({ body, headers = {} }: APIGatewayProxyResult): boolean {
  if (!/json/.test(String(headers['Content-Type'])))
    return /text\/html|application\/pdf/.test(String(headers['Content-Type']));
  return typeof (JSON.parse(body) as { code?: unknown }).code === 'string';
}

/** Sends one valid request, for which the registry has a record. Returns whether it was served. */
async function isServed(service: MemoryService, who: Caller, targets: readonly Target[]): Promise<boolean> {
  const target = targets.find(({ name }) => name === 'nin-basic');
  if (!target) return false;
  service.registry.lookUp = async ({ number }) => ({
    kind: 'found',
    record: { ...USUAL_RECORD, nin: number },
  });
  service.clock.nowMs += HOUR_MS;
  const body = JSON.stringify({ nin: '12345678901' });
  const event = eventOf({ key: who.text, body, requestedAtMs: service.clock.nowMs }) as OpenEvent;
  return (await invoke(target, event)).statusCode === 200;
}

function count({ codes }: FuzzResult, response: APIGatewayProxyResult | string): void {
  const body = typeof response === 'string' ? '' : response.body;
  const [, code = 'DOCUMENT'] = /"code":"(\w+)"/.exec(body) ?? [];
  codes.set(code, (codes.get(code) ?? 0) + 1);
}
