import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { ApiKey } from '../../shared/accounts/api-key.ts';
import { apiKeyTable } from '../../shared/accounts/api-key-table.ts';
import { DAILY_LOOK_UPS, DAILY_MISSES } from '../../shared/accounts/key-usage.ts';
import { createApiKey, type NewApiKey } from '../../shared/accounts/manage-api-key.ts';
import { networkOf } from '../../shared/accounts/network.ts';
import { rejectedRequestTable } from '../../shared/accounts/rejected-request-table.ts';
import { attributeAt, type WindowedCounter } from '../../shared/accounts/windowed-counter.ts';
import { alertOf, type Outage, outageAfter, outageAlert } from '../../shared/alerts/alert.ts';
import { alertTable } from '../../shared/alerts/alert-table.ts';
import {
  accountingMonthOf,
  lagosDay,
  monthBefore,
  monthStartMs,
} from '../../shared/core/accounting-month.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, REAL_CLOCK } from '../../shared/core/clock.ts';
import { CATALOGUE, type ErrorCode, type ErrorReason } from '../../shared/core/errors.ts';
import { ID_TYPES } from '../../shared/core/id-types.ts';
import { newOperationId, newRequestId } from '../../shared/core/ids.ts';
import { limiterKey } from '../../shared/core/keys.ts';
import type { Outcome } from '../../shared/core/outcome.ts';
import { instanceMemory, type LedgerTables } from '../../shared/ledger/dependencies.ts';
import { chargeOperation, voidOperation } from '../../shared/ledger/end-operation.ts';
import type { OperationFacts } from '../../shared/ledger/operation.ts';
import { reserveCredit } from '../../shared/ledger/reserve.ts';
import { sweepHolds } from '../../shared/ledger/sweep.ts';
import { chargeTable } from '../../shared/ledger/tables/charge-table.ts';
import { idempotencyTable } from '../../shared/ledger/tables/idempotency-table.ts';
import { shardTable } from '../../shared/ledger/tables/shard-table.ts';
import { walletTable } from '../../shared/ledger/tables/wallet-table.ts';
import { providerHistoryTable } from '../../shared/registries/health/provider-history-table.ts';
import { logTable } from '../../shared/verifications/log-table.ts';
import { failureCode } from '../../shared/verifications/outcome-codes.ts';
import { SERVICES, type ServiceName } from '../../shared/verifications/services.ts';
import { DEMO_MEMBERS } from './demo-members.ts';
import { DEMO_ADDRESS, recorderAt } from './demo-team.ts';

/**
 * Invented traffic, so that every page of the console shows data and the previous month can be closed. The service's
 * use cases create it, with a clock set to the past.
 */

/** The names of the tables. */
type DemoTrafficTables = Readonly<
  Record<'apiKeys' | 'wallets' | 'verificationLogs' | 'auditTrail' | 'console', string>
>;

const LOG_DAYS = 365;
/** The previous month has traffic even at the end of this one. */
const DAYS = 38;
/** From Sunday. */
const REQUESTS_A_DAY = [1, 4, 5, 4, 5, 4, 2];
/** Each sends one request after another, like an instance. */
const WORKERS = 8;

const ROTATION: readonly ServiceName[] = [
  ...(['nin-basic', 'bvn-basic', 'nin-basic', 'nin-premium', 'cac-basic', 'nin-basic'] as const),
  ...(['bvn-basic', 'tin-basic', 'nin-basic'] as const),
];

interface Request {
  readonly atMs: number;
  readonly key: ApiKey;
  readonly service: ServiceName;
  readonly outcome: Extract<Outcome, 'FOUND' | 'NOT_FOUND' | 'UNREACHABLE'>;
  readonly latencyMs: number;
}

const FAILURES = { NOT_FOUND: 'not-found', UNREACHABLE: 'unreachable' } as const;

/** Days ago, code, reason, field and number of requests that were rejected before they reserved credits. */
const REJECTIONS: readonly (readonly [number, ErrorCode, ErrorReason, string, number])[] = [
  [6, 'INVALID_SCHEMA', 'wrong_type', 'id_number', 3],
  [4, 'RATE_LIMITED', 'rate_limit', '', 14],
  [3, 'INVALID_SCHEMA', 'missing_field', 'id_number', 1],
  [1, 'UNSUPPORTED_MEDIA_TYPE', 'wrong_content_type', '', 2],
];

/** Three weeks ago, for 42 minutes. */
const OUTAGE = { daysAgo: 21, suspectMs: 6_000, openMs: 42 * MINUTE_MS } as const;

/** A few weeks ago, in the previous accounting month, which is the first one to close. */
export function demoTrafficStartMs(nowMs: number): number {
  const lastMonthMs = monthStartMs(monthBefore(accountingMonthOf(nowMs)));
  return Math.max(nowMs - DAYS * DAY_MS, lastMonthMs + 8 * HOUR_MS);
}

interface Demo {
  readonly client: DynamoDBDocumentClient;
  readonly tables: DemoTrafficTables;
  readonly organisationId: string;
}

/** The organisation is approved, with credits, and one shard in each wallet. */
export async function createDemoTraffic(
  client: DynamoDBDocumentClient,
  tables: DemoTrafficTables,
  organisationId: string,
  { fromMs, nowMs }: { readonly fromMs: number; readonly nowMs: number },
): Promise<void> {
  const demo = { client, tables, organisationId };
  const keys = await createKeys(demo, fromMs);
  const requests = plan(keys, fromMs + DAY_MS, nowMs);
  await Promise.all([
    sendAll(demo, requests),
    saveUse(demo, keys.live, requests, nowMs),
    saveUse(demo, keys.test, requests, nowMs),
    reject(demo, keys.live, nowMs),
    addOutage(demo, nowMs),
  ]);
}

interface DemoKeys {
  readonly live: ApiKey;
  readonly test: ApiKey;
}

/** Three, of which one is revoked. */
async function createKeys({ client, tables, organisationId }: Demo, fromMs: number): Promise<DemoKeys> {
  const [owner, developer] = DEMO_MEMBERS;
  const tableOf = (action: string, personId: string | undefined, atMs: number) =>
    apiKeyTable(client, tables.apiKeys, recorderAt(client, tables.auditTrail, action, personId, atMs));
  const create = async (
    wanted: Omit<NewApiKey, 'organisationId' | 'createdBy'>,
    createdBy: string | undefined,
    atMs: number,
  ): Promise<ApiKey> => {
    const key = { ...wanted, organisationId, ...(createdBy && { createdBy }) };
    return (await createApiKey(tableOf('key create', createdBy, atMs), key, new Date(atMs))).row;
  };
  const notAfter = new Date(fromMs + 92 * DAY_MS).toISOString();
  const limits = { scopes: ['verify:*'], addressRanges: ['203.0.113.0/24'], notAfter };
  const live = await create({ env: 'live', label: 'backend', ...limits }, owner?.id, fromMs);
  const test = await create({ env: 'test', label: 'mobile-app' }, developer?.id, fromMs + MINUTE_MS);
  const old = await create({ env: 'live', label: 'trial', notAfter }, owner?.id, fromMs + 2 * MINUTE_MS);
  await tableOf('key revoke', owner?.id, fromMs + DAY_MS).revokeApiKey(old);
  return { live, test };
}

/** Nothing is random, so that each start shows similar data. */
function plan({ live, test }: DemoKeys, fromMs: number, nowMs: number): Request[] {
  const requests: Request[] = [];
  for (let dayMs = Math.ceil(fromMs / DAY_MS) * DAY_MS; dayMs < nowMs; dayMs += DAY_MS) {
    const count = REQUESTS_A_DAY[new Date(dayMs).getUTCDay()] ?? 0;
    for (let index = 0; index < count; index += 1) {
      const number = requests.length;
      // From 8:00 UTC, a request about every 97 minutes.
      const atMs = dayMs + (8 * 60 + index * 97 + (number % 31)) * MINUTE_MS;
      if (atMs > nowMs - MINUTE_MS) break;
      requests.push({
        atMs,
        key: number % 8 === 4 ? test : live,
        service: ROTATION[number % ROTATION.length] ?? 'nin-basic',
        outcome: number % 29 === 17 ? 'UNREACHABLE' : number % 7 === 3 ? 'NOT_FOUND' : 'FOUND',
        latencyMs: 180 + ((number * 137) % 640),
      });
    }
  }
  return requests;
}

async function sendAll({ client, tables, organisationId }: Demo, requests: readonly Request[]) {
  const { wallets, verificationLogs } = tables;
  const ledger: LedgerTables = {
    wallets: walletTable(client, client, wallets),
    shards: shardTable(client, wallets),
    charges: chargeTable(client, client, wallets),
    idempotency: idempotencyTable(client, wallets),
    log: logTable(client, client, verificationLogs, LOG_DAYS),
  };
  const worker = async (index: number) => {
    const memory = instanceMemory();
    for (const { atMs, key, ...facts } of requests.filter((_, number) => number % WORKERS === index)) {
      const clock = { ...REAL_CLOCK, nowMs: readingsFrom(atMs) };
      const id = newOperationId(atMs);
      const operation = {
        ...{ id, wallet: { env: key.env, organisationId }, requestId: newRequestId() },
        ...{ service: facts.service, cost: 1, keyLabel: key.label, numberTag: id, requestedAtMs: atMs },
      };
      const reserved = await reserveCredit(operation, 1, ledger, memory, clock);
      if (reserved.kind !== 'held') throw new Error(`The demo organisation cannot pay: ${reserved.kind}.`);
      const held = { operation, hold: reserved.hold };
      if (facts.outcome === 'FOUND') await chargeOperation(held, factsOf(facts), ledger, memory, clock);
      else await voidOperation(operation, factsOf(facts), held, ledger, clock);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, (_, index) => worker(index)));
  await sweepHolds(ledger, REAL_CLOCK, (error) => {
    throw error;
  });
}

/** Each reading is 40 ms later. */
function readingsFrom(atMs: number): () => number {
  let nowMs = atMs;
  return () => {
    nowMs += 40;
    return nowMs;
  };
}

/** The times of the three steps add up to `latencyMs`. */
function factsOf({
  service,
  outcome,
  latencyMs,
}: Pick<Request, 'service' | 'outcome' | 'latencyMs'>): OperationFacts {
  const { idType } = SERVICES[service];
  const failure = outcome === 'FOUND' ? undefined : failureCode(FAILURES[outcome], idType, 'dedicated');
  const checksMs = 6 + (latencyMs % 7);
  const ledgerMs = 15 + (latencyMs % 11);
  return {
    outcome,
    httpStatus: failure === undefined ? 200 : CATALOGUE[failure].status,
    provider: 'sandbox',
    latencyMs,
    course: {
      code: failure ?? `${idType}_VERIFIED`,
      checksMs,
      ledgerMs,
      registryMs: latencyMs - checksMs - ledgerMs,
    },
  };
}

/** And the daily look-ups of a live key. */
async function saveUse({ client, tables }: Demo, key: ApiKey, requests: readonly Request[], nowMs: number) {
  const own = requests.filter((request) => request.key === key);
  const last = own.at(-1)?.atMs ?? nowMs;
  const network = networkOf(DEMO_ADDRESS) ?? '';
  const counts: Record<string, number> = {};
  const count = (counter: WindowedCounter, atMs: number) => {
    const name = attributeAt(counter, atMs);
    counts[name] = (counts[name] ?? 0) + 1;
  };
  for (const { atMs, outcome } of key.env === 'live' ? own : []) {
    count(DAILY_LOOK_UPS, atMs);
    if (outcome === 'NOT_FOUND') count(DAILY_MISSES, atMs);
  }
  const networks = { [network]: Math.floor(last / DAY_MS) };
  const Item = { ...limiterKey(key.hash), tatMs: last, usedAtMs: last, network, networks, ...counts };
  await client.send(new PutCommand({ TableName: tables.apiKeys, Item }));
}

async function reject({ client, tables, organisationId }: Demo, key: ApiKey, nowMs: number): Promise<void> {
  const table = rejectedRequestTable(client, tables.apiKeys);
  for (const [daysAgo, code, reason, field, count] of REJECTIONS) {
    const atMs = nowMs - daysAgo * DAY_MS;
    const wallet = { env: key.env, organisationId };
    const request = { wallet, key, code, details: { reason, field }, route: 'nin-basic' };
    // The first rejection of a minute is written at once, the others with the next row of their key and code.
    for (let index = 1; index <= count; index += 1)
      await table.record({
        ...request,
        requestId: newRequestId(),
        requestedAtMs: index === count ? atMs + MINUTE_MS : atMs,
      });
  }
}

/** With an incident and alerts, but without emails. */
async function addOutage({ client, tables, organisationId }: Demo, nowMs: number): Promise<void> {
  const history = providerHistoryTable(client, tables.apiKeys);
  const failedMs = nowMs - OUTAGE.daysAgo * DAY_MS;
  const openedMs = failedMs + OUTAGE.suspectMs;
  const recoveredMs = openedMs + OUTAGE.openMs;
  for (const change of [
    { became: 'suspect', atMs: failedMs, was: 'closed', wasSinceMs: 0 },
    { became: 'open', atMs: openedMs, was: 'suspect', wasSinceMs: failedMs },
    { became: 'closed', atMs: recoveredMs, was: 'open', wasSinceMs: openedMs },
  ] as const)
    for (const idType of ID_TYPES)
      await history.addChange({ provider: 'sandbox', env: 'live', idType }, change);
  const alerts = alertTable(client, tables.console);
  let outage: Outage | undefined;
  for (const [type, atMs] of [
    ['Look-Ups Unavailable', openedMs],
    ['Look-Ups Available', recoveredMs],
  ] as const)
    for (const id_type of ID_TYPES) {
      const event = { type, id: newOperationId(atMs), at: new Date(atMs).toISOString(), detail: { id_type } };
      const alert = alertOf(event);
      outage = alert && outageAfter(event, alert, outage);
    }
  if (!outage) throw new Error('The events about the outage have no alert.');
  const ref = {
    organisationId,
    eventId: newOperationId(openedMs),
    eventType: 'Look-Ups Unavailable',
    day: lagosDay(openedMs),
  };
  const { storedToday } = await alerts.getState(ref);
  const alert = outageAlert(outage, new Date(recoveredMs).toISOString());
  if (!(await alerts.insertAlert(ref, alert, storedToday, { ...outage, version: 1 })))
    throw new Error('The alert was not stored.');
}
