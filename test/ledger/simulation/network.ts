import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { Process } from './process.ts';
import type { Random } from './random.ts';

export interface FaultRates {
  /** The call is applied, but its response is lost. */
  readonly lost: number;
  /** The call never arrives. */
  readonly notApplied: number;
  /** The call is applied after the sender's timeout. */
  readonly late: number;
  /** The call is rejected because of a transaction on the same item. Real conflicts are rejected as well. */
  readonly conflict: number;
  readonly throttled: number;
  /** The sender is killed before the call, or between the call and its response. */
  readonly kill: number;
  /** The sender freezes for up to 100 s between the call and its response. */
  readonly freeze: number;
}

export const NO_FAULTS: FaultRates = {
  lost: 0,
  notApplied: 0,
  late: 0,
  conflict: 0,
  throttled: 0,
  kill: 0,
  freeze: 0,
};

/** A time during which one or both tables do not respond. */
export interface Blackout {
  readonly table: 'Wallets' | 'VerificationLogs' | 'all';
  /** Milliseconds from the start of the history. */
  readonly atMs: number;
  readonly forMs: number;
  /** The function instance that cannot reach the table. If absent, no process can. */
  readonly instance?: number;
}

export type Fault = keyof FaultRates | 'blackout';

/** One call to the database, with the properties that decide which faults can occur. */
export interface Send<T> {
  readonly isWrite: boolean;
  readonly table: 'Wallets' | 'VerificationLogs';
  /** The number of items in the transaction, or 1. */
  readonly items: number;
  readonly isTransaction: boolean;
  readonly mayConflict: boolean;
  readonly claimed: readonly string[];
  apply(): T | Promise<T>;
}

/** Returns an error as the client receives it. Its name decides whether the SDK retries the call. */
export function networkError(name: string): Error {
  return Object.assign(new Error(name), { name, $metadata: {} });
}

function conflictError(items: number, isTransaction: boolean): Error {
  if (!isTransaction) return networkError('TransactionConflictException');
  const reasons = Array.from({ length: items }, (_, index) => ({
    Code: index === 0 ? 'TransactionConflict' : 'None',
  }));
  return new TransactionCanceledException({
    message: 'cancelled',
    $metadata: {},
    CancellationReasons: reasons,
  });
}

const CLIENT_TIMEOUT_MS = 1000;
/** A transaction conflicts with calls on its items that arrive less than this time before or after it. */
const TRANSACTION_MS = 8;

/** The network between the processes and the database. Delays every call and injects faults. */
export class Network {
  rates: FaultRates;
  private blackouts: readonly Blackout[] = [];
  private blackoutsStartMs = 0;
  readonly counts: Record<Fault | 'sends', number>;
  private readonly random: Random;
  /** When the last transaction on each item arrives. */
  private readonly transactions = new Map<string, number>();

  constructor(random: Random, rates: FaultRates, counts: Record<Fault | 'sends', number>) {
    this.random = random;
    this.rates = rates;
    this.counts = counts;
  }

  /** Begins the blackouts of a plan whose history starts at `startMs`. */
  beginBlackouts(blackouts: readonly Blackout[], startMs: number): void {
    this.blackouts = blackouts;
    this.blackoutsStartMs = startMs;
  }

  calm(): void {
    this.rates = NO_FAULTS;
    this.blackouts = [];
  }

  /** Returns a random number for the SDK's waits between attempts. */
  nextRandom(): number {
    return this.random.next();
  }

  send<T>(process: Process, message: Send<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      // A killed process sends nothing, and a frozen process sends later.
      process.resume(process.world.nowMs, () => this.dispatch(process, message, resolve, reject));
    });
  }

  private dispatch<T>(
    process: Process,
    message: Send<T>,
    resolve: (value: T) => void,
    reject: (error: unknown) => void,
  ): void {
    const { world } = process;
    this.counts.sends += 1;
    if (this.occurs('kill', 0.5)) {
      process.kill();
      return;
    }
    const planned = this.isBlackedOut(process, message) ? this.blackedOut(message) : this.deliveryOf(message);
    const arrivalMs = world.nowMs + this.random.between(1, this.random.chance(0.1) ? 400 : 12);
    const delivery = this.collides(message, planned, arrivalMs) ? 'conflict' : planned;
    const timeoutAtMs =
      world.nowMs + (this.random.chance(0.5) ? CLIENT_TIMEOUT_MS : this.random.between(1, 40));
    if (this.occurs('freeze'))
      world.at(arrivalMs - 1, () => process.freeze(this.random.between(500, 100_000)));
    if (this.occurs('kill', 0.5)) world.at(arrivalMs, () => process.kill());
    if (delivery === 'conflict' || delivery === 'throttled') {
      const error =
        delivery === 'conflict'
          ? conflictError(message.items, message.isTransaction)
          : networkError('ThrottlingException');
      process.resume(arrivalMs, () => reject(error));
      return;
    }
    if (delivery !== 'delivered') process.resume(timeoutAtMs, () => reject(networkError('TimeoutError')));
    if (delivery === 'notApplied') return;
    world.at(delivery === 'late' ? timeoutAtMs + this.delayMs() : arrivalMs, async () => {
      const respondAtMs = world.nowMs + this.random.between(1, 8);
      try {
        const response = await message.apply();
        if (delivery === 'delivered') process.resume(respondAtMs, () => resolve(response));
      } catch (error) {
        if (delivery === 'delivered') process.resume(respondAtMs, () => reject(error));
      }
    });
  }

  private deliveryOf<T>({ isWrite, isTransaction, mayConflict }: Send<T>) {
    if ((isTransaction || (isWrite && mayConflict)) && this.occurs('conflict')) return 'conflict';
    if (this.occurs('throttled')) return 'throttled';
    if (this.occurs('notApplied')) return 'notApplied';
    if (!isWrite) return this.occurs('lost', 0.3) ? 'lost' : 'delivered';
    if (this.occurs('late')) return 'late';
    return this.occurs('lost') ? 'lost' : 'delivered';
  }

  /** Returns whether the call meets a transaction on the same item. DynamoDB Local never rejects such calls. */
  private collides<T>({ isTransaction, claimed }: Send<T>, planned: string, arrivalMs: number): boolean {
    if (planned !== 'delivered' && planned !== 'lost') return false;
    const collides = claimed.some(
      (item) => Math.abs((this.transactions.get(item) ?? -Infinity) - arrivalMs) < TRANSACTION_MS,
    );
    if (collides) this.counts.conflict += 1;
    else if (isTransaction) for (const item of claimed) this.transactions.set(item, arrivalMs);
    return collides;
  }

  private isBlackedOut<T>({ instance, world }: Process, { table }: Send<T>): boolean {
    const sinceMs = world.nowMs - this.blackoutsStartMs;
    return this.blackouts.some(
      (blackout) =>
        (blackout.table === 'all' || blackout.table === table) &&
        sinceMs >= blackout.atMs &&
        sinceMs < blackout.atMs + blackout.forMs &&
        (blackout.instance === undefined || blackout.instance === instance),
    );
  }

  /** Returns the fate of a call to a table that does not respond. The table may still apply some writes. */
  private blackedOut<T>({ isWrite }: Send<T>) {
    this.counts.blackout += 1;
    return isWrite && this.random.chance(0.2) ? 'lost' : 'notApplied';
  }

  private occurs(fault: keyof FaultRates, share = 1): boolean {
    const isFaulty = this.random.chance(this.rates[fault] * share);
    if (isFaulty) this.counts[fault] += 1;
    return isFaulty;
  }

  /** Returns how late a write arrives: half arrive within 1.5 s, most others within 200 s, and a few within 2 hours. */
  private delayMs(): number {
    if (this.random.chance(0.5)) return this.random.between(1, 1500);
    return this.random.chance(0.8) ? this.random.between(1_000, 200_000) : this.random.between(1, 7_200_000);
  }
}
