import type { Breaker } from '../breaker.ts';
import type { ProviderCondition } from '../health/provider-change.ts';
import type { ProviderHistory } from '../health/provider-history-table.ts';

/**
 * Derives the state of a registry over time from the histories of its providers. Times are epoch milliseconds.
 */

export type RegistryCondition = 'up' | 'degraded' | 'down';

export interface Span {
  readonly condition: RegistryCondition;
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * How long a suspect provider counts as suspect. Without this limit, a provider that receives no requests would never
 * recover (decision 5, "History").
 */
export const SUSPECT_MS = 60_000;

interface Point {
  readonly atMs: number;
  readonly became: ProviderCondition;
}

/** Points with the same time are sorted in this order. */
const ORDER: readonly ProviderCondition[] = ['enabled', 'closed', 'suspect', 'open', 'disabled'];

function byTime(one: Point, other: Point): number {
  return one.atMs - other.atMs || ORDER.indexOf(one.became) - ORDER.indexOf(other.became);
}

/**
 * Returns the spans of a registry from the first known change of one of its providers to now, without gaps.
 */
export function spansOf(histories: readonly ProviderHistory[], nowMs: number): Span[] {
  const points = histories
    .flatMap((history, provider) => pointsOf(history).map((point) => ({ ...point, provider })))
    .filter(({ atMs }) => atMs < nowMs);
  points.sort(byTime);
  const providers = histories.map(() => ({ breaker: 'closed' as Breaker, isDisabled: false }));
  const spans: Span[] = [];
  points.forEach(({ atMs, provider, became }, index) => {
    const one = providers[provider];
    if (!one) return;
    if (became === 'enabled' || became === 'disabled') one.isDisabled = became === 'disabled';
    else one.breaker = became;
    addSpan(spans, {
      condition: conditionOf(providers),
      fromMs: atMs,
      toMs: points[index + 1]?.atMs ?? nowMs,
    });
  });
  return spans;
}

/** Returns the earliest time in the histories of a registry's providers. Undefined if there is none. */
export function firstKnownMs(histories: readonly ProviderHistory[]): number | undefined {
  const times = histories.flatMap((history) => pointsOf(history).map(({ atMs }) => atMs));
  return times.length === 0 ? undefined : times.reduce((first, atMs) => Math.min(first, atMs));
}

/**
 * Returns the changes of a provider. A change of its breaker whose row was lost is taken from the next row, or from the
 * current state.
 */
function pointsOf({ state, changes }: ProviderHistory): Point[] {
  const all: Point[] = [
    ...changes.flatMap(({ became, atMs, was, wasSinceMs }) => [
      { became: was, atMs: wasSinceMs },
      { became, atMs },
    ]),
    { became: state.breaker, atMs: state.sinceMs },
    ...(state.disabled ? [{ became: 'disabled' as const, atMs: state.disabled.atMs }] : []),
  ];
  const known = all.filter(({ atMs }) => atMs > 0);
  return [...known, ...endsOfSuspicion(known)];
}

function endsOfSuspicion(known: readonly Point[]): Point[] {
  const ofBreaker = known.filter(({ became }) => became !== 'enabled' && became !== 'disabled').sort(byTime);
  return ofBreaker.flatMap(({ became, atMs }, index) => {
    const nextMs = ofBreaker[index + 1]?.atMs ?? Number.POSITIVE_INFINITY;
    if (became !== 'suspect' || nextMs <= atMs + SUSPECT_MS) return [];
    return [{ became: 'closed' as const, atMs: atMs + SUSPECT_MS }];
  });
}

function conditionOf(
  providers: readonly { readonly breaker: Breaker; readonly isDisabled: boolean }[],
): RegistryCondition {
  const enabled = providers.filter(({ isDisabled }) => !isDisabled);
  if (enabled.every(({ breaker }) => breaker === 'open')) return 'down';
  return enabled.every(({ breaker }) => breaker === 'closed') ? 'up' : 'degraded';
}

/** Adds a span, or extends the last span if the state has not changed. */
function addSpan(spans: Span[], span: Span): void {
  if (span.fromMs === span.toMs) return;
  const last = spans.at(-1);
  if (last?.condition === span.condition) spans[spans.length - 1] = { ...last, toMs: span.toMs };
  else spans.push(span);
}

/** Returns how long the registry was down within a period, in milliseconds. */
export function downMs(spans: readonly Span[], fromMs: number, toMs: number): number {
  const parts = spans
    .filter(({ condition }) => condition === 'down')
    .map((span) => Math.min(span.toMs, toMs) - Math.max(span.fromMs, fromMs));
  return parts.reduce((sum, ms) => sum + Math.max(0, ms), 0);
}
