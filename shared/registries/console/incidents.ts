import type { RegistryCondition, Span } from './registry-spans.ts';

/** Derives the incidents of a registry from its spans. */

export interface Incident {
  readonly condition: Exclude<RegistryCondition, 'up'>;
  readonly fromMs: number;
  /** Undefined if the incident continues. */
  readonly toMs: number | undefined;
}

/** If a registry recovers for a shorter time than this, the incident continues. */
export const MERGED_MS = 5 * 60_000;
/** Shorter degraded periods are not incidents, because failover covers them. */
export const SHORTEST_DEGRADED_MS = 5 * 60_000;

/**
 * Returns the incidents of a registry, oldest first. Even a short outage is an incident, because look-ups failed.
 */
export function incidentsOf(spans: readonly Span[], nowMs: number): Incident[] {
  const down = merged(spans.filter(({ condition }) => condition === 'down'));
  const degraded = merged(spans.filter(({ condition }) => condition === 'degraded'))
    .flatMap((span) => without(span, down))
    .filter(({ fromMs, toMs }) => toMs - fromMs >= SHORTEST_DEGRADED_MS);
  return [...down, ...degraded]
    .sort((a, b) => a.fromMs - b.fromMs)
    .map(({ condition, fromMs, toMs }) => ({
      condition: condition === 'down' ? 'down' : 'degraded',
      fromMs,
      toMs: toMs >= nowMs ? undefined : toMs,
    }));
}

/** Joins spans with short gaps between them. */
function merged(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (last && span.fromMs - last.toMs < MERGED_MS) joined[joined.length - 1] = { ...last, toMs: span.toMs };
    else joined.push(span);
  }
  return joined;
}

/** Returns the parts of a span that are outside the other spans, which must be sorted and must not overlap. */
function without(span: Span, others: readonly Span[]): Span[] {
  const left: Span[] = [];
  let { fromMs } = span;
  for (const other of others) {
    if (other.toMs <= fromMs || other.fromMs >= span.toMs) continue;
    if (other.fromMs > fromMs) left.push({ ...span, fromMs, toMs: other.fromMs });
    fromMs = other.toMs;
  }
  return fromMs < span.toMs ? [...left, { ...span, fromMs }] : left;
}
