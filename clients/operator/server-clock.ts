import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { MINUTE_MS } from '../../shared/core/clock.ts';

/**
 * AWS's clock, from the `Date` header of DynamoDB (contract P3): a wrong clock of the operator's machine would move
 * credits into another month.
 */
export type ServerClock = ReturnType<typeof serverClock>;

/** In milliseconds. */
interface Reading {
  readonly serverMs: number;
  readonly localMs: number;
  /** Changes to the machine's clock do not affect it. */
  readonly monotonicMs: number;
}

const MAX_ERROR_MS = 120_000;
const SECOND_MS = 1_000;

/** From every later response of `client`. */
export function serverClock(client: DynamoDBDocumentClient) {
  let last: Reading | undefined;
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const dateMs = dateOf(result.response);
      if (dateMs !== undefined) last = readingAt(dateMs, Date.now());
      return result;
    },
    // Error responses also count.
    { name: 'readServerTime', step: 'deserialize', priority: 'low' },
  );
  /** Epoch milliseconds. Before the first response, this machine's time. */
  const nowMs = () => {
    if (!last) return Date.now();
    return Math.floor(last.serverMs + performance.now() - last.monotonicMs);
  };
  return {
    nowMs,
    /** Throws without a response, or if this machine is more than 2 minutes off. */
    changeTimeMs() {
      if (!last)
        throw new Error('The response from DynamoDB contains no time (header `Date`). Nothing was changed.');
      rejectWrongClock(last);
      return nowMs();
    },
  };
}

/** The header has whole seconds; the fraction keeps changes in order. */
function readingAt(dateMs: number, localMs: number): Reading {
  const serverMs = Math.min(Math.max(localMs, dateMs), dateMs + SECOND_MS - 1);
  return { serverMs, localMs, monotonicMs: performance.now() };
}

/** Epoch milliseconds. Undefined if not valid. */
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
