import type { LambdaHandler } from '../../../../shared/http/chain.ts';
import { layWires } from '../stage/one-verification.ts';
import { openStage, type Stage } from '../stage/stage.ts';
import { eventOf, invoke, newNin } from '../stage/verify.ts';
import type { SentCall } from '../stage/wire.ts';
import { type RowUse, rowUsesOf } from './row-use.ts';

/** What one request of each kind uses of each partition, as stored in `recorded.json`. */
export interface Recorded {
  /** A found record, in an instance that has not read the state of the provider in the last second. */
  readonly found: readonly RowUse[];
  readonly foundAgain: readonly RowUse[];
  readonly withIdempotencyKey: readonly RowUse[];
  readonly notFound: readonly RowUse[];
  readonly withTestKey: readonly RowUse[];
}

/** Sends one request of each kind to a function that uses DynamoDB Local, and returns what each request used. */
export async function measureRows(): Promise<Recorded> {
  const sent: SentCall[] = [];
  // An instance reads the state of a provider again after one second, however long the requests take.
  using clock = stopClock();
  const stage = await openStage();
  try {
    await using _wires = await layWires(stage, sent);
    const { handler } = (await import('../../../../functions/nin-basic.ts')) as { handler: LambdaHandler };
    const verify = async (ending: string, headers = {}, key = stage.live) => {
      sent.length = 0;
      await invoke(handler, eventOf(key, { id_number: newNin(ending) }, headers));
      return rowUsesOf([...sent]);
    };
    return await stories(stage, verify, clock);
  } finally {
    await stage.close();
  }
}

type Verify = (ending: string, headers?: Record<string, string[]>, key?: string) => Promise<RowUse[]>;

async function stories({ test }: Stage, verify: Verify, clock: StoppedClock): Promise<Recorded> {
  // The first request also writes what a new key does not have yet.
  await verify('0001');
  clock.advance(1_000);
  const found = await verify('0001');
  return {
    found,
    foundAgain: await verify('0001'),
    withIdempotencyKey: await verify('0001', { 'Idempotency-Key': [`scale-${crypto.randomUUID()}`] }),
    notFound: await verify('0404'),
    withTestKey: await verify('0001', {}, test),
  };
}

interface StoppedClock extends Disposable {
  advance(byMs: number): void;
}

/** Stops `Date.now()` until the clock is disposed. Call it before importing code that keeps the function. */
function stopClock(): StoppedClock {
  const { now } = Date;
  let nowMs = now();
  Date.now = () => nowMs;
  return {
    advance(byMs) {
      nowMs += byMs;
    },
    [Symbol.dispose]() {
      Date.now = now;
    },
  };
}
