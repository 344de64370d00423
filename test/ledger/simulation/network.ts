import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { Process } from './process.ts';
import type { Random } from './random.ts';

/** How often what goes wrong, as a share of all sends. */
export interface FaultRates {
  /** Applied, but the answer never comes. */
  readonly lost: number;
  /** Never arrives. */
  readonly notApplied: number;
  /** Given up by the sender and applied at some later time. */
  readonly late: number;
  /** Refused for a transaction on the same item. DynamoDB Local never does this by itself. */
  readonly conflict: number;
  readonly throttled: number;
  /** The sender is killed: before the send, or between send and answer. */
  readonly kill: number;
  /** The sender is frozen for up to 100 s between send and answer. */
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

export type Fault = keyof FaultRates;

/** One call to the database, as far as its fate goes. */
export interface Send<T> {
  readonly isWrite: boolean;
  /** The items of a transaction; 1 for a plain call. */
  readonly items: number;
  readonly isTransaction: boolean;
  /** Are there transactions on this item? */
  readonly meetsTransactions: boolean;
  apply(): T | Promise<T>;
}

/** An error that a client sees; the SDK repeats it by itself, as far as it may. */
export function networkError(name: string): Error {
  return Object.assign(new Error(name), { name, $metadata: {} });
}

function conflictError(items: number, isTransaction: boolean): Error {
  if (!isTransaction) return networkError('TransactionConflictException');
  const reasons = Array.from({ length: items }, (_, place) => ({
    Code: place === 0 ? 'TransactionConflict' : 'None',
  }));
  return new TransactionCanceledException({
    message: 'cancelled',
    $metadata: {},
    CancellationReasons: reasons,
  });
}

const GIVE_UP_MS = 1000;

/** Between the processes and the database: every send passes here, and here it meets its fate. */
export class Network {
  rates: FaultRates;
  readonly counts: Record<Fault | 'sends', number>;
  private readonly random: Random;

  constructor(random: Random, rates: FaultRates, counts: Record<Fault | 'sends', number>) {
    this.random = random;
    this.rates = rates;
    this.counts = counts;
  }

  /** A draw for the SDK's own waits. */
  draw(): number {
    return this.random.next();
  }

  send<T>(process: Process, message: Send<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      // Code that a dead or frozen process would not have reached waits with it.
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
    if (this.draws('kill', 0.5)) {
      process.kill();
      return;
    }
    const fate = this.fate(message);
    const arrivalMs = world.nowMs + this.random.between(1, this.random.chance(0.1) ? 400 : 12);
    const gaveUpMs = world.nowMs + (this.random.chance(0.5) ? GIVE_UP_MS : this.random.between(1, 40));
    if (this.draws('freeze'))
      world.at(arrivalMs - 1, () => process.freeze(this.random.between(500, 100_000)));
    if (this.draws('kill', 0.5)) world.at(arrivalMs, () => process.kill());
    if (fate === 'conflict' || fate === 'throttled') {
      const error =
        fate === 'conflict'
          ? conflictError(message.items, message.isTransaction)
          : networkError('ThrottlingException');
      process.resume(arrivalMs, () => reject(error));
      return;
    }
    if (fate !== 'answered') process.resume(gaveUpMs, () => reject(networkError('TimeoutError')));
    if (fate === 'notApplied') return;
    world.at(fate === 'late' ? gaveUpMs + this.delayMs() : arrivalMs, async () => {
      const answering = answerMs(world.nowMs, this.random);
      try {
        const answer = await message.apply();
        if (fate === 'answered') process.resume(answering, () => resolve(answer));
      } catch (error) {
        if (fate === 'answered') process.resume(answering, () => reject(error));
      }
    });
  }

  private fate<T>({ isWrite, isTransaction, meetsTransactions }: Send<T>) {
    if ((isTransaction || (isWrite && meetsTransactions)) && this.draws('conflict')) return 'conflict';
    if (this.draws('throttled')) return 'throttled';
    if (this.draws('notApplied')) return 'notApplied';
    if (!isWrite) return this.draws('lost', 0.3) ? 'lost' : 'answered';
    if (this.draws('late')) return 'late';
    return this.draws('lost') ? 'lost' : 'answered';
  }

  private draws(fault: Fault, share = 1): boolean {
    const isDrawn = this.random.chance(this.rates[fault] * share);
    if (isDrawn) this.counts[fault] += 1;
    return isDrawn;
  }

  /** Most late writes come within a second, some within minutes, a few long after every sweep. */
  private delayMs(): number {
    if (this.random.chance(0.5)) return this.random.between(1, 1500);
    return this.random.chance(0.8) ? this.random.between(1_000, 200_000) : this.random.between(1, 7_200_000);
  }
}

function answerMs(nowMs: number, random: Random): number {
  return nowMs + random.between(1, 8);
}
