import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Row } from '../../../shared/core/database.ts';
import { type RowKey, registryStateKey } from '../../../shared/core/keys.ts';
import { ALWAYS_CLOSED } from '../../../shared/registries/breaker.ts';
import { type StateCopies, stateCopies } from '../../../shared/registries/health/state-copies.ts';

/** Tests when an instance reads a provider's state again, and which state it uses until then. */

const T = 1_700_000_000_000;
const FIRST = { provider: 'prembly', env: 'live', idType: 'NIN' } as const;
const SECOND = { provider: 'dojah', env: 'live', idType: 'NIN' } as const;
const DISABLED = { actor: 'ada', reason: 'wrong records', atMs: T };
const rowOf = (key: typeof FIRST | typeof SECOND, state: object): Row => ({
  ...registryStateKey(key),
  ...state,
});

let nowMs: number;
let copies: StateCopies;
beforeEach(() => {
  nowMs = T;
  copies = stateCopies(() => nowMs);
});

function request(rows: readonly Row[] = [], leftOut: readonly RowKey[] = [], keys = [FIRST, SECOND]) {
  const { required, spare, complete } = copies.beginRead(keys);
  const names = (some: readonly RowKey[]) => some.map(({ pk }) => pk.split('#')[1]);
  return { required: names(required), spare: names(spare), states: complete(rows, leftOut) };
}

describe('an instance of a function', () => {
  test('reads a state once within a second and uses its copy for later requests', () => {
    const open = rowOf(FIRST, { breaker: 'open', sinceMs: T, probedAtMs: T });
    expect(request([open]).required).toEqual(['prembly', 'dojah']);
    nowMs += 999;
    const { required, spare, states } = request();

    expect([required, spare]).toEqual([[], []]);
    expect(states(FIRST)).toMatchObject({ breaker: 'open' });
    expect(states(SECOND)).toEqual(ALWAYS_CLOSED);
  });

  test('sees after one second what another instance or an operator has written', () => {
    request();
    nowMs += 1_000;
    const { required, spare, states } = request([rowOf(FIRST, { disabled: DISABLED })]);

    expect([required, spare]).toEqual([[], ['prembly', 'dojah']]);
    expect(states(FIRST)).toMatchObject({ disabled: DISABLED });
  });

  test('measures the age of a copy from the start of the read', () => {
    const { complete } = copies.beginRead([FIRST]);
    nowMs += 900;
    complete([], []);
    nowMs += 100;
    expect(request([], [], [FIRST]).spare).toEqual(['prembly']);
  });

  test('reads only the states that are due', () => {
    request([], [], [FIRST]);
    expect(request().required).toEqual(['dojah']);
  });
});

describe('after its own write, an instance', () => {
  test('reads the state again, whatever the age of its copy', () => {
    request();
    copies.drop(FIRST);
    expect(request().required).toEqual(['prembly']);
  });

  test('does not keep a state that it read during the write', () => {
    nowMs += 1;
    const { complete } = copies.beginRead([FIRST]);
    nowMs += 1;
    copies.drop(FIRST);
    complete([], []);
    expect(request([], [], [FIRST]).required).toEqual(['prembly']);

    nowMs += 1;
    request([], [], [FIRST]);
    expect(request([], [], [FIRST]).required).toEqual([]);
  });
});

describe('a request that may probe a provider', () => {
  test('reads the state first, so that only one of many instances makes the probe', () => {
    const suspect = { breaker: 'suspect', sinceMs: T - 9_500, probedAtMs: T - 9_500, streak: 1 };
    request([rowOf(FIRST, suspect)]);
    nowMs += 499;
    expect(request().spare).toEqual([]);
    nowMs += 1;
    expect(request([rowOf(FIRST, { ...suspect, probedAtMs: nowMs })]).spare).toEqual(['prembly']);
    expect(request().spare).toEqual([]);
  });

  test('reads the state first even if no other provider can serve', () => {
    const open = { breaker: 'open', sinceMs: T - 60_000, probedAtMs: T - 500 };
    request([rowOf(FIRST, open)], [], [FIRST]);
    expect(request([], [], [FIRST]).spare).toEqual([]);
    nowMs += 500;
    expect(request([], [], [FIRST]).spare).toEqual(['prembly']);
  });
});

describe('if DynamoDB throttles the row,', () => {
  const leftOut = [registryStateKey(FIRST)];

  test('an instance uses the state that it has read within the last 10 s', () => {
    request([rowOf(FIRST, { disabled: DISABLED })]);
    nowMs += 9_999;
    const { required, spare, states } = request([], leftOut);

    expect([required, spare]).toEqual([[], ['prembly', 'dojah']]);
    expect(states(FIRST)).toMatchObject({ disabled: DISABLED });
    expect(request([], leftOut).spare).toEqual(['prembly']);
  });

  test('an instance without such a copy waits for the row, because an operator may have disabled the provider', () => {
    request();
    nowMs += 10_000;
    expect(request()).toMatchObject({ required: ['prembly', 'dojah'], spare: [] });
  });
});
