import { describe, expect, test } from '@jest/globals';
import {
  ALWAYS_CLOSED,
  attemptDeadlineMs,
  breakerAfterFailure,
  type Candidate,
  healthOf,
  healthSinceMs,
  planAttempts,
  type RegistryState,
  retryAfterSeconds,
} from '../../shared/registries/breaker.ts';

const T = 1_700_000_000_000;

function state(changes: Partial<RegistryState>): RegistryState {
  return { ...ALWAYS_CLOSED, ...changes };
}
/** Returns the state of a breaker that changed `ageMs` ago and was last probed `probeAgeMs` ago. */
function since(breaker: 'suspect' | 'open', ageMs: number, probeAgeMs = ageMs): RegistryState {
  return state({ breaker, sinceMs: T - ageMs, probedAtMs: T - probeAgeMs, streak: 1 });
}
const disabled = (changes: Partial<RegistryState> = {}): RegistryState =>
  state({ ...changes, disabled: { actor: 'ada', reason: 'wrong records', atMs: T - 7_000 } });
const candidates = (...states: readonly RegistryState[]): Candidate[] =>
  states.map((one, index) => ({ name: 'abc'.charAt(index), state: one }));
/** Returns the plan as a string: `ab` means that a is asked before b. Brackets mark a probe. */
const planOf = (...states: readonly RegistryState[]) =>
  planAttempts(candidates(...states), T)
    .map(({ name, isProbe }) => (isProbe ? `[${name}]` : name))
    .join('');

const banks = (count: number) => new Set(['044', '058', '011', '033', '057'].slice(0, count));
const manyBanks = { breaker: 'suspect', failures: 40, streak: 40, banks: banks(5) } as const;

describe('the breaker after a failure', () => {
  test.each([
    ['the first failure', { failures: 1 }, 'suspect'],
    ['one failure for nine successes', { failures: 1, successes: 9 }, 'suspect'],
    ['one failure for ten successes', { failures: 1, successes: 10 }, 'closed'],
    ['nineteen failures', { breaker: 'suspect', failures: 19, sinceMs: T }, 'suspect'],
    ['twenty failures', { breaker: 'suspect', failures: 20, sinceMs: T }, 'open'],
    ['twenty failures in forty look-ups', { failures: 20, successes: 20 }, 'open'],
    ['twenty failures in forty-one look-ups', { failures: 20, successes: 21 }, 'suspect'],
    ['five in a row over 4.9 s', { breaker: 'suspect', streak: 5, sinceMs: T - 4_900 }, 'suspect'],
    ['five in a row over 5 s', { breaker: 'suspect', streak: 5, sinceMs: T - 5_000 }, 'open'],
    ['four in a row over a minute', { breaker: 'suspect', streak: 4, sinceMs: T - 60_000 }, 'suspect'],
    ['failures at four banks', { failures: 40, banks: banks(4) }, 'closed'],
    ['failures at five banks', { failures: 40, banks: banks(5) }, 'suspect'],
    ['failures at five banks over 4.9 s', { ...manyBanks, sinceMs: T - 4_900 }, 'suspect'],
    ['failures at five banks over 5 s', { ...manyBanks, sinceMs: T - 5_000 }, 'open'],
    ['a failed probe', { breaker: 'open', failures: 1 }, 'open'],
  ] as const)('%s: %j gives %s', (_, changes, breaker) => {
    expect(breakerAfterFailure(state({ failures: 1, ...changes }), T)).toBe(breaker);
  });
});

describe('the plan of providers to ask', () => {
  const closed = ALWAYS_CLOSED;
  test.each([
    ['closed providers are asked in order', [closed, closed], 'ab'],
    ['a suspect provider is asked last', [since('suspect', 9_999), closed], 'ba'],
    ['a suspect provider is probed by one request after 10 s', [since('suspect', 10_000), closed], '[a]ba'],
    ['a suspect provider is not probed again within 10 s', [since('suspect', 30_000, 9_999), closed], 'ba'],
    ['a suspect provider is probed again after 10 s', [since('suspect', 30_000, 10_000), closed], '[a]ba'],
    ['a suspect provider without alternatives is asked by all requests', [since('suspect', 60_000)], 'a'],
    ['two suspect providers are asked in order', [since('suspect', 5_000), since('suspect', 5_000)], 'ab'],
    ['an open provider is not asked', [since('open', 9_999), closed], 'b'],
    ['an open provider is probed after 10 s', [since('open', 10_000), closed], '[a]b'],
    ['the only provider is not asked while open', [since('open', 9_999)], ''],
    ['the only provider is probed after 10 s', [since('open', 10_000)], '[a]'],
    ['the only provider is not probed again within 1 s', [since('open', 15_000, 999)], ''],
    ['the only provider is probed again after 1 s', [since('open', 15_000, 1_000)], '[a]'],
    [
      'an open provider with an alternative is not probed again after 1 s',
      [since('open', 15_000, 1_000), closed],
      'b',
    ],
    ['no provider is asked if all are open', [since('open', 1_000), since('open', 2_000)], ''],
    [
      'a suspect provider is asked after a closed one, and an open one is not',
      [since('open', 1), since('suspect', 1), closed],
      'cb',
    ],
    ['a disabled provider is not asked', [disabled(), closed], 'b'],
    [
      'a disabled provider that is suspect is not asked even as the last one',
      [disabled(since('suspect', 5_000)), closed],
      'b',
    ],
    ['a disabled provider that is open is not probed', [disabled(since('open', 60_000)), closed], 'b'],
    [
      'a suspect provider whose only alternative is disabled is not probed',
      [since('suspect', 60_000), disabled()],
      'a',
    ],
    [
      'an open provider whose only alternative is disabled is probed each second',
      [since('open', 15_000, 1_000), disabled()],
      '[a]',
    ],
    ['no provider is asked if all are disabled', [disabled(), disabled(since('open', 60_000))], ''],
  ] as const)('%s', (_, states, plan) => {
    expect(planOf(...states)).toBe(plan);
  });

  test.each([
    ['a bank that did not fail is asked', '214', 0, [{ isProbe: false }]],
    ['a look-up without a bank is made', '', 0, [{ isProbe: false }]],
    ['one that failed is not probed within 3 s', '044', 2_999, []],
    ['one that failed is then probed', '044', 3_000, [{ isProbe: true }]],
  ])('of an open provider, %s', (_, bankCode, probeAgeMs, plan) => {
    const open = { ...since('open', 60_000, probeAgeMs), banks: banks(5) };
    expect(planAttempts(candidates(open), T, { bankCodes: [bankCode] })).toMatchObject(plan);
  });

  test('if it is empty, the time until the first probe is known', () => {
    expect(retryAfterSeconds(candidates(since('open', 1_000), since('open', 8_500)), T)).toBe(2);
    expect(retryAfterSeconds(candidates(since('open', 60_000, 999)), T)).toBe(1);
    expect(retryAfterSeconds(candidates(disabled(), since('open', 8_500)), T)).toBe(2);
  });

  test('if all providers are disabled, there is no time at which one will be asked', () => {
    expect(retryAfterSeconds(candidates(disabled(), disabled(since('open', 60_000))), T)).toBeUndefined();
  });
});

describe('the deadline of one provider', () => {
  test.each([
    ['the last one gets all the time', ALWAYS_CLOSED, 0, 20_000, 20_000],
    ['the first of two leaves 5 s', ALWAYS_CLOSED, 1, 20_000, 15_000],
    ['the first of three leaves 10 s', ALWAYS_CLOSED, 2, 20_000, 10_000],
    ['the first of two gets half if less than 10 s remain', ALWAYS_CLOSED, 1, 6_000, 3_000],
    ['a suspect one gets 5 s', since('suspect', 10_000), 1, 20_000, 5_000],
    ['a suspect one gets all the time if it is the last', since('suspect', 10_000), 0, 20_000, 20_000],
  ] as const)('%s', (_, breaker, providersLeft, leftMs, shareMs) => {
    expect(attemptDeadlineMs(breaker, providersLeft, T + leftMs, T)).toBe(T + shareMs);
  });
});

describe('the health of a provider', () => {
  test.each([
    [{}, 'up'],
    [{ breaker: 'suspect', streak: 1 }, 'degraded'],
    [{ breaker: 'suspect', streak: 5 }, 'down'],
    [{ breaker: 'open' }, 'down'],
    [{ windowMs: T - 5_000, failures: 5, successes: 50 }, 'degraded'],
    [{ windowMs: T - 5_000, failures: 5, successes: 51 }, 'up'],
    [{ windowMs: T - 20_000, failures: 50 }, 'up'],
    [{ windowMs: T - 5_000, failures: 50, banks: banks(4) }, 'up'],
    [manyBanks, 'degraded'],
    [{ ...manyBanks, breaker: 'open' }, 'degraded'],
    [{ breaker: 'open', sinceMs: T - 899_999, organisations: new Set('ab') }, 'degraded'],
    [{ breaker: 'open', sinceMs: T - 900_000, organisations: new Set('ab') }, 'down'],
    [{ breaker: 'open', sinceMs: T, organisations: new Set('abc') }, 'down'],
    [{ ...manyBanks, breaker: 'open', banks: new Set('abcdefghijklmno') }, 'down'],
  ] as const)('%j is %s', (changes, health) => {
    expect(healthOf(state(changes), T)).toBe(health);
  });

  test('is down from the time when it was disabled, whatever the state of its breaker', () => {
    for (const one of [disabled(), disabled(since('open', 60_000))]) {
      expect(healthOf(one, T)).toBe('down');
      expect(healthSinceMs(one, T)).toBe(T - 7_000);
    }
  });
});
