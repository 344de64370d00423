import { randomBytes } from 'node:crypto';
import { traceHeader } from './config.ts';
import { hasDaemon, reachDaemon, sendToDaemon } from './trace-daemon.ts';

/**
 * Subsegments of X-Ray traces, by AWS's "segment documents" (docs/decisions/0006-tracing.md): one for each call that
 * leaves the function, and one for the request. Only where API Gateway or Lambda chose the request as a sample. What
 * they carry is what a log line may carry: no number, name, key, path or body (house rule 7).
 */
export interface SubsegmentEnd {
  /** HTTP status of what came back; absent where nothing did. */
  readonly status?: number | undefined;
  /** The name of what went wrong, never its words. */
  readonly trouble?: string | undefined;
  readonly isThrottled?: boolean | undefined;
  /** Further fields of a segment document. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Ends a subsegment and sends it; resolves once the system has it. Never rejects, whatever becomes of it. */
export type EndSubsegment = (end: SubsegmentEnd) => Promise<void>;

/** A scheduled run may make a million calls; X-Ray promises 100 KB for a trace, and ours are 0.4 KB each. */
const MOST_OF_TRACE = 200;
/** Names may have more letters than these, ours need none. */
const NO_NAME = /[^\w .:/%&#=+@-]/g;

let countedTrace = '';
let count = 0;

/** Begins a subsegment under the function's own segment; undefined, and at no cost, where nothing is sampled. */
export function beginSubsegment(name: string): EndSubsegment | undefined {
  if (!hasDaemon()) return undefined;
  const parent = sampledParent(traceHeader());
  if (!parent || !mayAdd(parent.trace_id)) return undefined;
  void reachDaemon();
  const start = { ...parent, id: newId(), name: name.replace(NO_NAME, '_').slice(0, 200) };
  const startedMs = Date.now();
  const startedAt = performance.now();
  return async (end) => {
    // By the clock that nobody sets: an end may not come before its beginning.
    const endedMs = startedMs + performance.now() - startedAt;
    const times = { start_time: startedMs / 1000, end_time: endedMs / 1000 };
    try {
      await sendToDaemon({ type: 'subsegment', ...start, ...times, ...outcomeOf(end), ...end.fields });
    } catch {
      // A trace is a courtesy: the request is not to learn of it.
    }
  };
}

/** The segment that the header names as parent, if the request is a sample. */
function sampledParent(header: string): { trace_id: string; parent_id: string } | undefined {
  if (!/(^|;)Sampled=1(;|$)/.test(header)) return undefined;
  const [, traceId] = /(?:^|;)Root=(1-[0-9a-f]{8}-[0-9a-f]{24})(?:;|$)/.exec(header) ?? [];
  const [, parentId] = /(?:^|;)Parent=([0-9a-f]{16})(?:;|$)/.exec(header) ?? [];
  return traceId && parentId ? { trace_id: traceId, parent_id: parentId } : undefined;
}

function mayAdd(traceId: string): boolean {
  if (traceId !== countedTrace) [countedTrace, count] = [traceId, 0];
  count += 1;
  return count <= MOST_OF_TRACE;
}

function newId(): string {
  return randomBytes(8).toString('hex');
}

/** `error` is for 4xx, `throttle` for 429, `fault` for 5xx and for calls without an answer. */
function outcomeOf({ status, trouble, isThrottled = status === 429 }: SubsegmentEnd): object {
  return {
    ...(status !== undefined && { http: { response: { status } } }),
    ...(status !== undefined && status >= 400 && status < 500 && { error: true }),
    ...(isThrottled && { throttle: true }),
    ...((status === undefined ? trouble !== undefined : status >= 500) && { fault: true }),
    ...(trouble !== undefined && { cause: { exceptions: [{ id: newId(), type: trouble, remote: true }] } }),
  };
}
