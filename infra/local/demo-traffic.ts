import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { ApiKey } from '../../shared/accounts/api-key.ts';
import { apiKeyTable } from '../../shared/accounts/api-key-table.ts';
import { DAILY_LOOK_UPS, DAILY_MISSES } from '../../shared/accounts/key-usage.ts';
import { createApiKey, type NewApiKey } from '../../shared/accounts/manage-api-key.ts';
import { networkOf } from '../../shared/accounts/network.ts';
import { rejectedRequestTable } from '../../shared/accounts/rejected-request-table.ts';
import { attributeAt, isCurrent, type WindowedCounter } from '../../shared/accounts/windowed-counter.ts';
import { accountingMonthOf, monthBefore, monthStartMs } from '../../shared/core/accounting-month.ts';
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS, REAL_CLOCK } from '../../shared/core/clock.ts';
import { wasApplied } from '../../shared/core/database.ts';
import { ENVIRONMENTS, type Environment } from '../../shared/core/environment.ts';
import { CATALOGUE, type ErrorCode } from '../../shared/core/errors.ts';
import { newOperationId, newRequestId } from '../../shared/core/ids.ts';
import { limiterKey } from '../../shared/core/keys.ts';
import type { Outcome } from '../../shared/core/outcome.ts';
import { instanceMemory, type LedgerTables } from '../../shared/ledger/dependencies.ts';
import { chargeOperation, voidOperation } from '../../shared/ledger/end-operation.ts';
import type { OperationFacts } from '../../shared/ledger/operation.ts';
import { reserveCredit } from '../../shared/ledger/reserve.ts';
import { sweepHolds } from '../../shared/ledger/sweep.ts';
import { chargeTable } from '../../shared/ledger/tables/charge-table.ts';
import { creditTable } from '../../shared/ledger/tables/credit-table.ts';
import { idempotencyTable } from '../../shared/ledger/tables/idempotency-table.ts';
import { shardTable } from '../../shared/ledger/tables/shard-table.ts';
import { walletTable } from '../../shared/ledger/tables/wallet-table.ts';
import { creditWithLot } from '../../shared/payments/lots/credit-with-lot.ts';
import { lotTable } from '../../shared/payments/lots/lot-table.ts';
import type { ProviderChange } from '../../shared/registries/health/provider-change.ts';
import { providerHistoryTable } from '../../shared/registries/health/provider-history-table.ts';
import { logTable } from '../../shared/verifications/log-table.ts';
import { failureCode } from '../../shared/verifications/outcome-codes.ts';
import { SERVICES, type ServiceName } from '../../shared/verifications/services.ts';
import { addOutageAlerts } from './demo-alerts.ts';
import { type ServiceEnvironment, settingFrom, withServiceClient } from './demo-client.ts';
import { DEMO_MEMBERS } from './demo-members.ts';
import { DEMO_ADDRESS, recorderAt } from './demo-team.ts';

/**
 * A month of invented traffic for the demo organisation, so that every page of the console shows data. The service's
 * own use cases create the requests, charges and credits, with a clock set to the past, so that all records agree.
 */

/** The names of the tables. */
type DemoTrafficTables = Readonly<
  Record<'apiKeys' | 'wallets' | 'verificationLogs' | 'payments' | 'auditTrail' | 'console', string>
>;

/** The retention of the log in the local stage. */
const LOG_DAYS = 365;
const DAYS = 31;
/** The number of requests by weekday, from Sunday. */
const REQUESTS_A_DAY = [1, 4, 5, 4, 5, 4, 2];
/** How many workers send requests. Each sends one request after another, like an instance of a function. */
const WORKERS = 8;
const REVOKED_LABEL = 'trial';
/** The number of days after which the free credits for the requests before the purchase expire. */
const WELCOME_DAYS = 365;

/** The services that the requests use, in turn. */
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

/** Requests that were rejected before they reserved credits: how many days ago, the code, and how many requests. */
const REJECTIONS: readonly (readonly [number, ErrorCode, number])[] = [
  [6, 'INVALID_SCHEMA', 3],
  [4, 'RATE_LIMITED', 14],
  [3, 'INVALID_SCHEMA', 1],
  [1, 'UNSUPPORTED_MEDIA_TYPE', 2],
];

/**
 * Returns when the traffic begins: a month ago, but not before the start of the previous accounting month, so that the
 * previous month can be closed.
 */
export function demoTrafficStartMs(nowMs: number): number {
  const lastMonthMs = monthStartMs(monthBefore(accountingMonthOf(nowMs)));
  return Math.max(nowMs - DAYS * DAY_MS, lastMonthMs + 8 * HOUR_MS);
}

/**
 * Returns when the demo organisation bought credits: at the start of the current month, because docs/finance.md closes
 * the previous one.
 */
export function demoPurchaseMs(nowMs: number): number {
  return monthStartMs(accountingMonthOf(nowMs));
}

/** Adds the traffic to the demo organisation of a running local service, unless an earlier start has added it. */
export async function addDemoTraffic(
  environment: ServiceEnvironment,
  organisationId: string,
  fromMs: number,
): Promise<void> {
  const tables = {
    apiKeys: settingFrom(environment, 'API_KEYS_TABLE'),
    wallets: settingFrom(environment, 'WALLETS_TABLE'),
    verificationLogs: settingFrom(environment, 'VERIFICATION_LOGS_TABLE'),
    payments: settingFrom(environment, 'PAYMENTS_TABLE'),
    auditTrail: settingFrom(environment, 'AUDIT_TRAIL_TABLE'),
    console: settingFrom(environment, 'CONSOLE_TABLE'),
  };
  await withServiceClient(environment, (client) =>
    createDemoTraffic(client, tables, organisationId, { fromMs, nowMs: Date.now() }),
  );
}

/** Creates traffic for an approved organisation with one shard in each wallet. */
export async function createDemoTraffic(
  client: DynamoDBDocumentClient,
  tables: DemoTrafficTables,
  organisationId: string,
  { fromMs, nowMs }: { readonly fromMs: number; readonly nowMs: number },
): Promise<void> {
  const traffic = new DemoTraffic(client, tables, organisationId);
  const keys = await traffic.createKeys(fromMs);
  if (!keys) return;
  const requests = plan(keys, fromMs + DAY_MS, nowMs);
  await traffic.credit(requests, fromMs, Math.max(fromMs, demoPurchaseMs(nowMs)));
  await traffic.send(requests);
  await Promise.all([
    traffic.saveUse(requests, nowMs),
    traffic.reject(keys.live, nowMs),
    traffic.addOutage(nowMs),
    traffic.settle(),
  ]);
}

/** Three weeks ago, for 42 minutes. */
const OUTAGE = { daysAgo: 21, suspectMs: 6_000, openMs: 42 * MINUTE_MS } as const;

/** Free credits for requests. Without `expiresAt`, they do not expire. */
interface Gift {
  readonly env: Environment;
  readonly requests: readonly Request[];
  readonly atMs: number;
  readonly expiresAt?: string;
}

interface DemoKeys {
  readonly live: ApiKey;
  readonly test: ApiKey;
}

/** Returns the requests in chronological order. Nothing about them is random, so that each start shows similar data. */
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

class DemoTraffic {
  readonly #client: DynamoDBDocumentClient;
  readonly #tables: DemoTrafficTables;
  readonly #organisationId: string;
  readonly #ledger: LedgerTables;

  constructor(client: DynamoDBDocumentClient, tables: DemoTrafficTables, organisationId: string) {
    this.#client = client;
    this.#tables = tables;
    this.#organisationId = organisationId;
    const { wallets, verificationLogs } = tables;
    this.#ledger = {
      wallets: walletTable(client, client, wallets),
      shards: shardTable(client, wallets),
      charges: chargeTable(client, client, wallets),
      idempotency: idempotencyTable(client, wallets),
      log: logTable(client, client, verificationLogs, LOG_DAYS),
    };
  }

  /**
   * Creates three keys, as members would, and revokes one of them. Returns the others, or undefined if the keys already
   * exist.
   */
  async createKeys(fromMs: number): Promise<DemoKeys | undefined> {
    const existing = await apiKeyTable(this.#client, this.#tables.apiKeys).listApiKeys(this.#organisationId);
    if (existing.some(({ label }) => label === REVOKED_LABEL)) return undefined;
    const [owner, developer] = DEMO_MEMBERS;
    const limits = { scopes: ['verify:*'], addressRanges: ['203.0.113.0/24'] };
    const notAfter = new Date(fromMs + 92 * DAY_MS).toISOString();
    const live = await this.#createKey(
      { env: 'live', label: 'backend', notAfter, ...limits },
      owner?.id,
      fromMs,
    );
    const test = await this.#createKey(
      { env: 'test', label: 'mobile-app' },
      developer?.id,
      fromMs + MINUTE_MS,
    );
    const old = await this.#createKey(
      { env: 'live', label: REVOKED_LABEL, notAfter },
      owner?.id,
      fromMs + 2 * MINUTE_MS,
    );
    await this.#keys('key revoke', owner?.id, fromMs + DAY_MS).revokeApiKey(old);
    return { live, test };
  }

  async #createKey(
    wanted: Omit<NewApiKey, 'organisationId' | 'createdBy'>,
    createdBy: string | undefined,
    atMs: number,
  ): Promise<ApiKey> {
    const key = { ...wanted, organisationId: this.#organisationId, ...(createdBy && { createdBy }) };
    return (await createApiKey(this.#keys('key create', createdBy, atMs), key, new Date(atMs))).row;
  }

  #keys(action: string, personId: string | undefined, atMs: number) {
    const { apiKeys, auditTrail } = this.#tables;
    return apiKeyTable(this.#client, apiKeys, recorderAt(this.#client, auditTrail, action, personId, atMs));
  }

  /** Adds a past outage of the registries, so that the status page has an incident and the members have alerts. */
  async addOutage(nowMs: number): Promise<void> {
    const history = providerHistoryTable(this.#client, this.#tables.apiKeys);
    const failedMs = nowMs - OUTAGE.daysAgo * DAY_MS;
    const openedMs = failedMs + OUTAGE.suspectMs;
    const recoveredMs = openedMs + OUTAGE.openMs;
    const changes: readonly ProviderChange[] = [
      { became: 'suspect', atMs: failedMs, was: 'closed', wasSinceMs: 0 },
      { became: 'open', atMs: openedMs, was: 'suspect', wasSinceMs: failedMs },
      { became: 'closed', atMs: recoveredMs, was: 'open', wasSinceMs: openedMs },
    ];
    for (const change of changes) await history.addChange({ provider: 'sandbox', env: 'live' }, change);
    const outage = { openedMs, recoveredMs };
    await addOutageAlerts(this.#client, this.#tables.console, this.#organisationId, outage);
  }

  /**
   * Adds as many free credits as the month uses, so that the wallets end with the credits that they began with. The
   * credits for requests before the purchase expire. The others do not, so they are used after the bought credits, and
   * the later requests have a cost.
   */
  async credit(requests: readonly Request[], atMs: number, boughtAtMs: number): Promise<void> {
    const charged = requests.filter(({ outcome }) => outcome === 'FOUND');
    const early = charged.filter((request) => request.atMs < boughtAtMs);
    const late = charged.filter((request) => request.atMs >= boughtAtMs);
    const expiresAt = new Date(atMs + WELCOME_DAYS * DAY_MS).toISOString();
    for (const env of ENVIRONMENTS) {
      await this.#give('welcome', { env, requests: early, atMs, expiresAt });
      await this.#give('gift', { env, requests: late, atMs });
    }
  }

  /** Adds as many free credits to the wallet of an environment as these requests use there. */
  async #give(name: string, { env, requests, atMs, expiresAt }: Gift): Promise<void> {
    const { wallets, payments } = this.#tables;
    const tables = {
      credits: creditTable(this.#client, { wallets, payments }),
      shards: this.#ledger.shards,
      lots: lotTable(this.#client, payments),
    };
    const clock = { ...REAL_CLOCK, nowMs: () => atMs };
    const reference = `${name}-${this.#organisationId}`;
    const amount = requests.filter(({ key }) => key.env === env).length;
    const order = { reference, kind: 'TOP_UP', amount, actor: 'local', reason: 'Free credits' } as const;
    const wallet = { env, organisationId: this.#organisationId };
    const terms = { kind: 'promotional', ...(expiresAt && { expiresAt }) } as const;
    if (amount > 0) await creditWithLot(wallet, 1, order, tables, clock, terms);
  }

  async send(requests: readonly Request[]): Promise<void> {
    const worker = async (index: number) => {
      const memory = instanceMemory();
      for (let next = index; next < requests.length; next += WORKERS) {
        const request = requests[next];
        if (request) await this.#send(request, memory);
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, (_, index) => worker(index)));
  }

  async #send(
    { atMs, key, service, outcome, latencyMs }: Request,
    memory: ReturnType<typeof instanceMemory>,
  ) {
    const clock = clockFrom(atMs);
    const id = newOperationId(atMs);
    const operation = {
      ...{ id, wallet: { env: key.env, organisationId: this.#organisationId }, requestId: newRequestId() },
      ...{ service, cost: 1, keyLabel: key.label, numberTag: id, requestedAtMs: atMs },
    };
    const reserved = await reserveCredit(operation, 1, this.#ledger, memory, clock);
    if (reserved.kind !== 'held') throw new Error(`The demo organisation cannot pay: ${reserved.kind}.`);
    const held = { operation, hold: reserved.hold };
    const facts = factsOf({ service, outcome, latencyMs });
    if (outcome === 'FOUND') await chargeOperation(held, facts, this.#ledger, memory, clock);
    else await voidOperation(operation, facts, held, this.#ledger, clock);
  }

  /** Sweeps the holds that the requests left behind. */
  async settle(): Promise<void> {
    await sweepHolds(this.#ledger, REAL_CLOCK, (error) => {
      throw error;
    });
  }

  /** Writes the limiter's rows: when and from where each key was used, and the daily look-ups of the live key. */
  async saveUse(requests: readonly Request[], nowMs: number): Promise<void> {
    const network = networkOf(DEMO_ADDRESS) ?? '';
    for (const key of new Set(requests.map((request) => request.key))) {
      const own = requests.filter((request) => request.key === key);
      const last = own.at(-1)?.atMs ?? nowMs;
      const isLive = key.env === 'live';
      const counts = new Map([
        ...(isLive ? countsOf(DAILY_LOOK_UPS, own, nowMs) : []),
        ...(isLive
          ? countsOf(
              DAILY_MISSES,
              own.filter(({ outcome }) => outcome === 'NOT_FOUND'),
              nowMs,
            )
          : []),
      ]);
      const names = [...counts.keys()];
      await wasApplied(
        this.#client.send(
          new UpdateCommand({
            TableName: this.#tables.apiKeys,
            Key: limiterKey(key.hash),
            UpdateExpression: `SET tatMs = :last, usedAtMs = :last, network = :network, networks = :networks${names.map((name) => `, ${name} = :${name}`).join('')}`,
            ConditionExpression: 'attribute_not_exists(pk)',
            ExpressionAttributeValues: {
              ':last': last,
              ':network': network,
              ':networks': { [network]: Math.floor(last / DAY_MS) },
              ...Object.fromEntries(names.map((name) => [`:${name}`, counts.get(name)])),
            },
          }),
        ),
      );
    }
  }

  async reject(key: ApiKey, nowMs: number): Promise<void> {
    const wallet = { env: key.env, organisationId: this.#organisationId };
    const table = rejectedRequestTable(this.#client, this.#tables.apiKeys);
    for (const [daysAgo, code, count] of REJECTIONS) {
      const requestedAtMs = nowMs - daysAgo * DAY_MS;
      const request = { wallet, key, code, route: 'nin-basic', requestedAtMs };
      // The table writes the first rejection of a minute at once, and the others with the next row of their key and
      // code.
      for (let index = 0; index < count - 1; index += 1)
        await table.record({ ...request, requestId: newRequestId() });
      await table.record({
        ...request,
        requestId: newRequestId(),
        requestedAtMs: requestedAtMs + MINUTE_MS,
      });
    }
  }
}

/** Returns the facts about a request that its row stores. The times of the three steps add up to `latencyMs`. */
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

/** Returns a clock that starts at this time. Each reading is 40 ms later than the one before. */
function clockFrom(atMs: number): Clock {
  let nowMs = atMs;
  return {
    nowMs: () => {
      nowMs += 40;
      return nowMs;
    },
    pause: REAL_CLOCK.pause,
    random: Math.random,
  };
}

function countsOf(
  counter: WindowedCounter,
  requests: readonly Request[],
  nowMs: number,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { atMs } of requests) {
    const name = attributeAt(counter, atMs);
    if (isCurrent(counter, atMs, nowMs)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
