import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { MINUTE_MS } from '../../shared/core/clock.ts';

/**
 * AWS's clock, read from the `Date` header of DynamoDB's last response (contract P3). The time of a change must not
 * depend on the operator's machine, because a wrong clock would move credits into another month's statement.
 */
export type ServerClock = ReturnType<typeof serverClock>;

/** A time that AWS sent, and when it arrived according to the two clocks of this machine, in milliseconds. */
interface Reading {
  readonly serverMs: number;
  readonly localMs: number;
  /** Not affected by changes to the clock of this machine. */
  readonly monotonicMs: number;
}

const MAX_ERROR_MS = 120_000;
const SECOND_MS = 1_000;

/** Reads the time from every response that `client` receives from now on. */
export function serverClock(client: DynamoDBDocumentClient) {
  let last: Reading | undefined;
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const dateMs = dateOf(result.response);
      if (dateMs !== undefined) last = readingAt(dateMs, Date.now());
      return result;
    },
    // Runs before the response is parsed, so that error responses also count.
    { name: 'readServerTime', step: 'deserialize', priority: 'low' },
  );
  /** AWS's time in epoch milliseconds. Before the first response, the time of this machine. */
  const nowMs = () => {
    if (!last) return Date.now();
    return Math.floor(last.serverMs + performance.now() - last.monotonicMs);
  };
  return {
    nowMs,
    /**
     * The time of a change. Throws if there was no response yet, or if the clock of this machine is more than 2 minutes
     * off.
     */
    changeTimeMs() {
      if (!last)
        throw new Error('The response from DynamoDB contains no time (header `Date`). Nothing was changed.');
      rejectWrongClock(last);
      return nowMs();
    },
  };
}

/** The header contains whole seconds. The clock of this machine adds the fraction, so that changes stay in order. */
function readingAt(dateMs: number, localMs: number): Reading {
  const serverMs = Math.min(Math.max(localMs, dateMs), dateMs + SECOND_MS - 1);
  return { serverMs, localMs, monotonicMs: performance.now() };
}

/** Returns the time in the header `Date`, in epoch milliseconds. Undefined if there is no valid one. */
function dateOf(response: unknown): number | undefined {
  const { headers = {} } = (response ?? {}) as { headers?: Readonly<Record<string, string | undefined>> };
  const timeMs = Date.parse(headers['date'] ?? '');
  return Number.isNaN(timeMs) ? undefined : timeMs;
}

function rejectWrongClock({ serverMs, localMs }: Reading): void {
  const errorMs = localMs - serverMs;
  if (Math.abs(errorMs) <= MAX_ERROR_MS) return;
  const minutes = Math.round(Math.abs(errorMs) / MINUTE_MS);
  const time = (timeMs: number) => new Date(timeMs).toISOString();
  throw new Error(
    `The clock of this machine is ${minutes} minutes ${errorMs > 0 ? 'fast' : 'slow'}: it shows ${time(localMs)}, and AWS's clock shows ${time(serverMs)}. Correct it, and run the command again. Nothing was changed.`,
  );
}
