import { randomBytes } from 'node:crypto';
import { traceHeader } from './config.ts';
import { hasDaemon, reachDaemon, sendToDaemon } from './trace-daemon.ts';

/**
 * Subsegments of X-Ray traces, as AWS's "segment documents" (docs/design/decisions/0006-tracing.md): one for each outgoing
 * call and one for the request, for requests that API Gateway or Lambda sampled. They contain only what a log line may
 * contain: no number, name, key, path or body (rule 13 of docs/design/architecture.md).
 */

export interface SubsegmentEnd {
  /** HTTP status of the response; absent if there was none. */
  readonly status?: number | undefined;
  /** The name of the error, never its message. */
  readonly errorName?: string | undefined;
  readonly isThrottled?: boolean | undefined;
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Ends a subsegment and sends it. Never rejects. */
export type EndSubsegment = (end: SubsegmentEnd) => Promise<void>;

/** A scheduled run may make a million calls. X-Ray guarantees 100 KB for a trace, and a subsegment takes 0.4 KB. */
const MAX_PER_TRACE = 200;
/** Characters that a subsegment's name may not contain. */
const NO_NAME = /[^\w .:/%&#=+@-]/g;

let countedTrace = '';
let count = 0;

/**
 * Begins a subsegment of the function's segment. Returns undefined if the request is not sampled, or if its trace has
 * reached the limit.
 */
export function beginSubsegment(name: string): EndSubsegment | undefined {
  if (!hasDaemon()) return undefined;
  const parent = sampledParent(traceHeader());
  if (!parent || !mayAdd(parent.trace_id)) return undefined;
  void reachDaemon();
  const start = { ...parent, id: newId(), name: name.replace(NO_NAME, '_').slice(0, 200) };
  const startedMs = Date.now();
  const startedAt = performance.now();
  return async (end) => {
    // Measured with the monotonic clock, so that the end never precedes the beginning.
    const endedMs = startedMs + performance.now() - startedAt;
    const times = { start_time: startedMs / 1000, end_time: endedMs / 1000 };
    try {
      await sendToDaemon({ type: 'subsegment', ...start, ...times, ...outcomeOf(end), ...end.fields });
    } catch {
      // A lost trace must not affect the request.
    }
  };
}

/** Returns the trace and the parent segment in the header, or undefined if the request is not sampled. */
function sampledParent(header: string): { trace_id: string; parent_id: string } | undefined {
  if (!/(^|;)Sampled=1(;|$)/.test(header)) return undefined;
  const [, traceId] = /(?:^|;)Root=(1-[0-9a-f]{8}-[0-9a-f]{24})(?:;|$)/.exec(header) ?? [];
  const [, parentId] = /(?:^|;)Parent=([0-9a-f]{16})(?:;|$)/.exec(header) ?? [];
  return traceId && parentId ? { trace_id: traceId, parent_id: parentId } : undefined;
}

function mayAdd(traceId: string): boolean {
  if (traceId !== countedTrace) [countedTrace, count] = [traceId, 0];
  count += 1;
  return count <= MAX_PER_TRACE;
}

function newId(): string {
  return randomBytes(8).toString('hex');
}

/**
 * Returns the fields of an outcome in X-Ray's format: the status, the name of the error, and the flags `error` for 4xx,
 * `throttle` for 429 or an error marked as throttled, and `fault` for 5xx or an error without a response.
 */
function outcomeOf({ status, errorName, isThrottled = status === 429 }: SubsegmentEnd): object {
  return {
    ...(status !== undefined && { http: { response: { status } } }),
    ...(status !== undefined && status >= 400 && status < 500 && { error: true }),
    ...(isThrottled && { throttle: true }),
    ...((status === undefined ? errorName !== undefined : status >= 500) && { fault: true }),
    ...(errorName !== undefined && {
      cause: { exceptions: [{ id: newId(), type: errorName, remote: true }] },
    }),
  };
}
