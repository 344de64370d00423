import { BatchGetCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { accountTable } from '../../shared/accounts/account-table.ts';
import type { LimiterDecision } from '../../shared/accounts/limiter-row.ts';
import type { RateLimit } from '../../shared/accounts/organisation.ts';
import { rateLimitTable } from '../../shared/accounts/rate-limit-table.ts';
import { type Random, seededRandom } from '../ledger/simulation/random.ts';
import { MemoryStore } from '../ledger/storage/memory-store.ts';

/**
 * Sends requests with one key to function instances that serve one request at a time, as Lambda runs them, on a
 * simulated clock. A request reads the limiter's row and then asks the limiter. Each call takes a random time, so other
 * requests can write between the read and the update, and between two updates of a request.
 */

export interface LoadPlan {
  readonly seed: number;
  readonly rate: RateLimit;
  /** When each request is sent, in milliseconds since the start. */
  readonly sentMs: readonly number[];
  /** The maximum error of an instance's clock, in either direction. */
  readonly skewMs?: number;
  /** A tenth of the requests freeze for up to this long after the read. */
  readonly freezeMs?: number;
}

export interface Served {
  readonly decision: LimiterDecision;
  /** When the request was counted or rejected, by its instance's clock. */
  readonly decidedAtMs: number;
  readonly updates: number;
}

const START_MS = Date.parse('2026-11-21T12:00:00Z');
const KEY = { env: 'live', organisationId: 'organisation', hash: 'hash' } as const;
/** The duration of the longest call. The shortest takes a quarter of that. */
const CALL_MS = 10;

/** Returns the decisions, in the order in which they were made. */
export async function runLoad(plan: LoadPlan): Promise<Served[]> {
  const { seed, rate, sentMs, skewMs = 0, freezeMs = 0 } = plan;
  const random = seededRandom(seed);
  const agenda = new Agenda();
  const store = new MemoryStore(() => undefined);
  const idle: Instance[] = [];
  const served: Served[] = [];

  async function request(): Promise<void> {
    const instance = idle.pop() ?? new Instance(store, agenda, random, skewMs);
    const { limits } = await instance.accounts.readAccount(KEY);
    if (random.chance(0.1)) await agenda.pause(freezeMs * random.next());
    const before = instance.updates;
    let decidedAtMs = 0;
    const asked = { keyHash: KEY.hash, rate, rows: limits, isLiveLookUp: true, network: '203.0.113.0/24' };
    const decision = await instance.limiter.take(asked, () => {
      decidedAtMs = instance.nowMs();
      return decidedAtMs;
    });
    served.push({ decision, decidedAtMs, updates: instance.updates - before });
    idle.push(instance);
  }

  for (const atMs of sentMs) agenda.at(atMs, () => void request());
  await agenda.run();
  return served;
}

class Instance {
  updates = 0;
  readonly accounts;
  readonly limiter;
  private readonly agenda: Agenda;
  private readonly aheadMs: number;

  constructor(store: MemoryStore, agenda: Agenda, random: Random, skewMs: number) {
    this.agenda = agenda;
    this.aheadMs = skewMs * (2 * random.next() - 1);
    const halfOfCall = () => agenda.pause((CALL_MS / 2) * (0.25 + 0.75 * random.next()));
    const client: DynamoDBDocumentClient = Object.assign(Object.create(DynamoDBDocumentClient.prototype), {
      send: async (command: unknown) => {
        if (!(command instanceof BatchGetCommand)) this.updates += 1;
        await halfOfCall();
        try {
          return store.apply(command);
        } finally {
          await halfOfCall();
        }
      },
    });
    this.accounts = accountTable(client, 'ApiKeys');
    this.limiter = rateLimitTable(client, 'ApiKeys');
  }

  nowMs(): number {
    return START_MS + this.agenda.nowMs + this.aheadMs;
  }
}

/** The pending actions, earliest first. Time passes only from one action to the next. */
class Agenda {
  nowMs = 0;
  private readonly actions: { readonly atMs: number; readonly action: () => void }[] = [];

  at(atMs: number, action: () => void): void {
    const index = this.actions.findLastIndex((one) => one.atMs <= atMs) + 1;
    this.actions.splice(index, 0, { atMs, action });
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.at(this.nowMs + ms, resolve));
  }

  async run(): Promise<void> {
    for (let next = this.actions.shift(); next; next = this.actions.shift()) {
      this.nowMs = next.atMs;
      next.action();
      // All in-memory work is done once the promise queue is empty.
      await new Promise(setImmediate);
    }
  }
}
