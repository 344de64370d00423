import { BatchGetCommand, DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { accountTable } from '../../shared/accounts/account-table.ts';
import { hashOf, newApiKeyText } from '../../shared/accounts/api-key.ts';
import { type KeyUsageTable, keyUsageTable } from '../../shared/accounts/key-usage-table.ts';
import { rateLimitTable } from '../../shared/accounts/rate-limit-table.ts';
import { rejectedKeyTable } from '../../shared/accounts/rejected-key-table.ts';
import { rejectedRequestTable } from '../../shared/accounts/rejected-request-table.ts';
import type { TestTrafficLimits } from '../../shared/accounts/test-traffic.ts';
import { testTrafficTable } from '../../shared/accounts/test-traffic-table.ts';
import type { Row } from '../../shared/core/database.ts';
import type { Environment } from '../../shared/core/environment.ts';
import { apiKeyKey, organisationKey } from '../../shared/core/keys.ts';
import type { Secret } from '../../shared/core/secrets.ts';
import { instanceMemory } from '../../shared/ledger/dependencies.ts';
import type { ErasureTable } from '../../shared/ledger/erase.ts';
import { type Balance, balanceOf } from '../../shared/ledger/rows/wallet.ts';
import type { CreditTable } from '../../shared/ledger/tables/credit-table.ts';
import { creditWallet } from '../../shared/ledger/top-up.ts';
import { NO_STATES } from '../../shared/registries/health/state-copies.ts';
import type { RegistryQuery, RegistryResult } from '../../shared/registries/port.ts';
import type { RegistryRouter } from '../../shared/registries/router.ts';
import { erasureTable } from '../../shared/verifications/erasure-table.ts';
import type { VerificationDependencies } from '../../shared/verifications/middleware/dependencies.ts';
import { realTables } from '../ledger/storage/database.ts';
import { MemoryStore, type RowChange } from '../ledger/storage/memory-store.ts';
import { type Caller, type CallerChanges, caller } from './in-process.ts';

/** A budget for test traffic that no test exceeds by accident. */
const UNLIMITED: TestTrafficLimits = {
  requestsPerSecond: 10_000,
  concurrentRequests: 10_000,
  perOrganisation: { requestsPerSecond: 10_000, concurrentRequests: 10_000 },
};

/**
 * The dependencies of charged routes in this process: the real table modules over an in-memory store, a registry that
 * the test controls, and a clock that only the test moves. For tests that count calls, control times or inject faults.
 */
export interface MemoryService {
  readonly client: DynamoDBDocumentClient;
  readonly deps: VerificationDependencies & { readonly credits: CreditTable };
  readonly clock: { nowMs: number };
  /** What the registry returns, and how often it was called. */
  readonly registry: { lookUp: (query: RegistryQuery) => Promise<RegistryResult>; calls: number };
  /** Runs before each database call. If it throws, the call fails with its error. */
  onCall: (command: { readonly input: object }) => void;
  /** Returns whether a database call never ends. Its write is then not applied. */
  hangs: (command: { readonly input: object }) => boolean;
  /** Returns whether DynamoDB leaves a row out of a batch, because it throttles the reads of the row. */
  throttles: (key: Row) => boolean;
  /** Runs between two items of a batch, which are not read at one instant. */
  betweenReads: (tableName: string) => Promise<void>;
  /** The use of keys, from the rows of the rate limiter. */
  readonly usage: KeyUsageTable;
  /** Every write, in order. */
  readonly writes: RowChange[];
  /** Returns the dependencies of an additional function instance, which shares the tables but not the memory. */
  newInstance(): VerificationDependencies;
  /** Creates an approved organisation with every service and this many credits, and a key, with the given changes. */
  newCaller(credits: number, env?: Environment, changes?: CallerChanges): Promise<Caller>;
  /** Creates an additional key of the caller's organisation. */
  newKey(who: Caller): Promise<Caller>;
  balance(who: Caller): Promise<Balance>;
  /** Returns the CHARGED rows so far. */
  charges(): RowChange[];
  /** Returns all current rows of VerificationLogs. */
  logRows(): RowChange[];
  /** Operations on VerificationLogs that only the operator may perform. */
  readonly erasures: ErasureTable;
  /**
   * Returns the dependencies of another instance, which has cached the pepper `cached` while the secret is `stored`.
   */
  instance(cached: Secret, stored: Secret): VerificationDependencies;
}

export function memoryService({ testTraffic = UNLIMITED } = {}): MemoryService {
  const writes: RowChange[] = [];
  const store = new MemoryStore((changes) => writes.push(...changes));
  // The SDK's paginators accept only an instance of the class.
  const client: DynamoDBDocumentClient = Object.assign(Object.create(DynamoDBDocumentClient.prototype), {
    send: async (command: { readonly input: object }) => {
      service.onCall(command);
      if (service.hangs(command)) return new Promise(() => undefined);
      return command instanceof BatchGetCommand ? readInTurn(command, store, service) : store.apply(command);
    },
  });
  const { credits, ...ledger } = realTables(client, client);
  const time = { nowMs: Date.now() };
  const registry: MemoryService['registry'] = {
    lookUp: async () => ({ kind: 'not-found', detail: '' }),
    calls: 0,
  };
  const clock = { nowMs: () => time.nowMs, pause: async () => undefined, random: Math.random };
  const deps = {
    accounts: accountTable(client, 'ApiKeys'),
    limiter: rateLimitTable(client, 'ApiKeys'),
    rejections: rejectedKeyTable(client, 'ApiKeys'),
    rejectedRequests: rejectedRequestTable(client, 'ApiKeys'),
    clock,
    ledger,
    credits,
    log: ledger.log as VerificationDependencies['log'],
    memory: instanceMemory(),
    registries: routerTo(registry),
    testTraffic: testTrafficTable(client, 'ApiKeys', testTraffic),
    pepper: async () => PEPPER,
    refreshPepper: async () => PEPPER,
    registryTimeoutMs: 20_000,
    publishSoon: async () => undefined,
    lowBalanceCredits: 0,
  };
  const put = (tableName: string, item: object) =>
    client.send(new PutCommand({ TableName: tableName, Item: { ...item } }));
  const service: MemoryService = {
    client,
    deps,
    clock: time,
    registry,
    onCall: () => undefined,
    hangs: () => false,
    throttles: () => false,
    betweenReads: async () => undefined,
    usage: keyUsageTable(client, 'ApiKeys'),
    writes,
    newInstance: () => ({ ...deps, limiter: rateLimitTable(client, 'ApiKeys'), memory: instanceMemory() }),
    async newCaller(amount, env = 'live', changes = {}) {
      const who = caller(env, changes);
      const { organisation, key } = required(who);
      await put('ApiKeys', { ...organisationKey(organisation.id), ...organisation });
      await put('ApiKeys', { ...apiKeyKey(organisation.id, key.hash), ...key });
      const wallet = { env, organisationId: organisation.id };
      const { walletShards } = organisation;
      for (let shard = 0; shard < walletShards; shard += 1) await ledger.shards.createShard(wallet, shard);
      const order = {
        reference: `story-${organisation.id}`,
        kind: 'TOP_UP',
        amount,
        actor: 'test',
        reason: '',
      } as const;
      const all = { credits, shards: ledger.shards };
      if (amount > 0) await creditWallet(wallet, walletShards, order, all, clock);
      return who;
    },
    async newKey(who) {
      const { key } = required(who);
      const text = newApiKeyText(key.env, key.organisationId);
      const row = { ...key, hash: hashOf(text), lastFour: text.slice(-4) };
      await put('ApiKeys', { ...apiKeyKey(row.organisationId, row.hash), ...row });
      return { text, account: { ...who.account, key: row } };
    },
    async balance(who) {
      const { organisation, key } = required(who);
      const wallet = { env: key.env, organisationId: organisation.id };
      return balanceOf((await ledger.shards.snapshot(wallet, organisation.walletShards)) ?? []);
    },
    charges: () => writes.filter(({ sk, row }) => sk === 'CHARGE' && row?.['state'] === 'CHARGED'),
    logRows() {
      const current = new Map<string, RowChange>();
      for (const change of writes)
        if (change.tableName === 'VerificationLogs') current.set(`${change.pk} ${change.sk}`, change);
      return [...current.values()].filter(({ row }) => row !== null);
    },
    erasures: erasureTable(client, 'VerificationLogs', 365),
    instance(cached, stored) {
      let pepper = cached;
      return {
        ...deps,
        memory: instanceMemory(),
        pepper: async () => pepper,
        async refreshPepper() {
          pepper = stored;
          return pepper;
        },
      };
    },
  };
  return service;
}

/** Reads the items of a batch one after another, as DynamoDB may. */
async function readInTurn({ input }: BatchGetCommand, store: MemoryStore, service: MemoryService) {
  const responses: Record<string, unknown[]> = {};
  const left: Record<string, { Keys: Row[] }> = {};
  for (const [tableName, { Keys = [] }] of Object.entries(input.RequestItems ?? {})) {
    const rows: unknown[] = [];
    for (const [index, key] of Keys.entries()) {
      if (index > 0) await service.betweenReads(tableName);
      if (service.throttles(key)) {
        left[tableName] ??= { Keys: [] };
        left[tableName].Keys.push(key);
        continue;
      }
      const { Item } = store.apply(new GetCommand({ TableName: tableName, Key: key }));
      if (Item) rows.push(Item);
    }
    responses[tableName] = rows;
  }
  return { Responses: responses, UnprocessedKeys: left };
}

export const PEPPER: Secret = { current: 'a pepper of tests' };

/** Returns a router with one provider for every ID type. */
function routerTo(registry: MemoryService['registry']): RegistryRouter {
  const provider = { name: 'scripted', displayName: 'Scripted' };
  return {
    providerKeys: () => [],
    beginRead: () => NO_STATES,
    availability: () => ({ kind: 'available' }),
    async lookUp(_, query) {
      registry.calls += 1;
      return { result: await registry.lookUp(query), provider, failedProviders: [] };
    },
    rejectsNumber: () => false,
    findsBankOfAccount: () => true,
    async lookUpAtBanks() {
      throw new Error('The scripted provider needs no bank code.');
    },
  };
}

function required({ account: { organisation, key } }: Caller) {
  if (!organisation || !key) throw new Error('The caller has no account.');
  return { organisation, key };
}
