import { describe, expect, test } from '@jest/globals';
import {
  ALWAYS_CLOSED,
  askOrder,
  breakerAfterFailure,
  type Candidate,
  healthOf,
  type RegistryState,
  retryAfterSeconds,
  shareOf,
} from '../../shared/registries/breaker.ts';

const T = 1_700_000_000_000;

function state(changes: Partial<RegistryState>): RegistryState {
  return { ...ALWAYS_CLOSED, ...changes };
}
/** In trouble since `ageMs`, and not probed since then unless told otherwise. */
function since(breaker: 'suspect' | 'open', ageMs: number, probeAgeMs = ageMs): RegistryState {
  return state({ breaker, sinceMs: T - ageMs, probedAtMs: T - probeAgeMs, streak: 1 });
}
const candidates = (...states: readonly RegistryState[]): Candidate[] =>
  states.map((one, place) => ({ name: 'abc'.charAt(place), state: one }));
/** The order in a word: `a` before `b`; a probe stands in brackets. */
const orderOf = (...states: readonly RegistryState[]) =>
  askOrder(candidates(...states), T)
    .map(({ name, needsLease }) => (needsLease ? `[${name}]` : name))
    .join('');

describe('what a failure makes of a provider', () => {
  test.each([
    ['the first failure', { failures: 1 }, 'suspect'],
    ['one failure among nine answers', { failures: 1, successes: 9 }, 'suspect'],
    ['one failure among ten answers', { failures: 1, successes: 10 }, 'closed'],
    ['nineteen failures', { breaker: 'suspect', failures: 19, sinceMs: T }, 'suspect'],
    ['twenty failures', { breaker: 'suspect', failures: 20, sinceMs: T }, 'open'],
    ['twenty failures of forty', { failures: 20, successes: 20 }, 'open'],
    ['twenty failures of forty-one', { failures: 20, successes: 21 }, 'suspect'],
    ['five in a row within 4.9 s', { breaker: 'suspect', streak: 5, sinceMs: T - 4_900 }, 'suspect'],
    ['five in a row within 5 s', { breaker: 'suspect', streak: 5, sinceMs: T - 5_000 }, 'open'],
    ['four in a row within a minute', { breaker: 'suspect', streak: 4, sinceMs: T - 60_000 }, 'suspect'],
    ['a failed probe', { breaker: 'open', failures: 1 }, 'open'],
  ] as const)('%s: %j is %s', (_, changes, breaker) => {
    expect(breakerAfterFailure(state({ failures: 1, ...changes }), T)).toBe(breaker);
  });
});

describe('whom to ask', () => {
  const closed = ALWAYS_CLOSED;
  test.each([
    ['all well', [closed, closed], 'ab'],
    ['a suspect is asked last', [since('suspect', 9_999), closed], 'ba'],
    ['after 10 s one request asks it first', [since('suspect', 10_000), closed], '[a]ba'],
    ['10 s after that the next one', [since('suspect', 30_000, 9_999), closed], 'ba'],
    ['and again', [since('suspect', 30_000, 10_000), closed], '[a]ba'],
    ['a suspect alone is asked without a lease', [since('suspect', 60_000)], 'a'],
    ['two suspects', [since('suspect', 5_000), since('suspect', 5_000)], 'ab'],
    ['an open one is not asked', [since('open', 9_999), closed], 'b'],
    ['but by its probe', [since('open', 10_000), closed], '[a]b'],
    ['open, and alone: nobody', [since('open', 9_999)], ''],
    ['open for 10 s, and alone: one', [since('open', 10_000)], '[a]'],
    ['open, alone, probed 0.9 s ago: nobody', [since('open', 15_000, 999)], ''],
    ['open, alone, probed 1 s ago: one', [since('open', 15_000, 1_000)], '[a]'],
    ['open, probed 1 s ago, while another serves', [since('open', 15_000, 1_000), closed], 'b'],
    ['all open', [since('open', 1_000), since('open', 2_000)], ''],
    ['an open primary, a suspect, a closed one', [since('open', 1), since('suspect', 1), closed], 'cb'],
  ] as const)('%s', (_, states, order) => {
    expect(orderOf(...states)).toBe(order);
  });

  test('who is refused is told when the first of them is tried again', () => {
    expect(retryAfterSeconds(candidates(since('open', 1_000), since('open', 8_500)), T)).toBe(2);
    expect(retryAfterSeconds(candidates(since('open', 60_000, 999)), T)).toBe(1);
  });
});

describe('how long a provider may take', () => {
  test.each([
    ['the only one takes all', ALWAYS_CLOSED, 0, 20_000, 20_000],
    ['the first of two leaves 5 s', ALWAYS_CLOSED, 1, 20_000, 15_000],
    ['the first of three leaves 10 s', ALWAYS_CLOSED, 2, 20_000, 10_000],
    ['short of time, half', ALWAYS_CLOSED, 1, 6_000, 3_000],
    ['one on trial gets 5 s', since('suspect', 10_000), 1, 20_000, 5_000],
    ['unless nobody stands behind it', since('suspect', 10_000), 0, 20_000, 20_000],
  ] as const)('%s', (_, breaker, later, leftMs, shareMs) => {
    expect(shareOf(breaker, later, T + leftMs, T)).toBe(T + shareMs);
  });
});

describe('what the health page tells', () => {
  test.each([
    [{}, 'up'],
    [{ breaker: 'suspect', streak: 1 }, 'degraded'],
    [{ breaker: 'suspect', streak: 5 }, 'down'],
    [{ breaker: 'open' }, 'down'],
    [{ windowMs: T - 5_000, failures: 5, successes: 50 }, 'degraded'],
    [{ windowMs: T - 5_000, failures: 5, successes: 51 }, 'up'],
    [{ windowMs: T - 20_000, failures: 50 }, 'up'],
  ] as const)('%j is %s', (changes, health) => {
    expect(healthOf(state(changes), T)).toBe(health);
  });
});
