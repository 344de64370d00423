import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DAY_MS, MINUTE_MS } from '../../../shared/core/clock.ts';
import { ID_TYPES } from '../../../shared/core/id-types.ts';
import { ALWAYS_CLOSED, type Breaker } from '../../../shared/registries/breaker.ts';
import {
  incidentsOf,
  MERGED_MS,
  SHORTEST_DEGRADED_MS,
} from '../../../shared/registries/console/incidents.ts';
import {
  downMs,
  type RegistryCondition,
  SUSPECT_MS,
  spansOf,
} from '../../../shared/registries/console/registry-spans.ts';
import { STATUS_DAYS, type StatusRows, statusView } from '../../../shared/registries/console/status-view.ts';
import type { ProviderChange } from '../../../shared/registries/health/provider-change.ts';
import type { ProviderHistory } from '../../../shared/registries/health/provider-history-table.ts';

/** Uptime and incidents of registries, derived from the histories of their providers. */

const SECOND_MS = 1_000;
const NOW_MS = Date.parse('2026-11-23T12:00:00.000Z');

/** An event of a provider: the seconds since the previous event, and its new state. */
type Event = readonly [afterSeconds: number, became: Breaker | 'disabled' | 'enabled'];

/** Returns the history that these events leave in the tables. Events that change nothing leave no row. */
function historyOf(events: readonly Event[], startMs: number): ProviderHistory {
  const changes: ProviderChange[] = [];
  let state = ALWAYS_CLOSED;
  let atMs = startMs;
  for (const [afterSeconds, became] of events) {
    atMs += afterSeconds * SECOND_MS;
    if (became === 'disabled' || became === 'enabled') {
      const { disabled } = state;
      if ((became === 'disabled') === (disabled !== undefined)) continue;
      const was = disabled ? 'disabled' : 'enabled';
      changes.push({ became, atMs, was, wasSinceMs: disabled?.atMs ?? 0 });
      state = { ...state, disabled: disabled ? undefined : { actor: 'ada', reason: 'test', atMs } };
    } else if (became !== state.breaker) {
      changes.push({ became, atMs, was: state.breaker, wasSinceMs: state.sinceMs });
      state = { ...state, breaker: became, sinceMs: atMs };
    }
  }
  return { state, changes: changes.toReversed(), readFromMs: 0 };
}

/** Returns the events with their seconds since the start. */
function timed(events: readonly Event[]) {
  let at = 0;
  return events.map(([after, became]) => {
    at += after;
    return { at, became };
  });
}

/** Simulates the states second by second. Shares no code with the implementation. */
function simulate(all: readonly (readonly Event[])[], seconds: number): RegistryCondition[] {
  const providers = all.map((events) => ({ timeline: timed(events) }));
  return Array.from({ length: seconds }, (_, now) => {
    const states = providers.map(({ timeline }) => {
      let breaker: string = 'closed';
      let since = 0;
      let disabled = false;
      for (const { at, became } of timeline) {
        if (at > now) continue;
        if (became === 'disabled') disabled = true;
        else if (became === 'enabled') disabled = false;
        else if (became !== breaker) [breaker, since] = [became, at];
      }
      if (breaker === 'suspect' && now - since >= SUSPECT_MS / SECOND_MS) breaker = 'closed';
      return { breaker, disabled };
    });
    const asked = states.filter(({ disabled }) => !disabled);
    if (!asked.some(({ breaker }) => breaker !== 'open')) return 'down';
    return asked.some(({ breaker }) => breaker !== 'closed') ? 'degraded' : 'up';
  });
}

const event = fc.tuple(
  fc.integer({ min: 1, max: 400 }),
  fc.constantFrom<Event[1]>('closed', 'suspect', 'open', 'open', 'disabled', 'enabled', 'enabled'),
);
const events = fc.array(event, { maxLength: 25 });
const providers = fc.array(events, { minLength: 1, maxLength: 3 });
const SECONDS = 4_000;
const START_MS = NOW_MS - SECONDS * SECOND_MS;
const cut = (all: readonly Event[]): Event[] =>
  all.slice(0, timed(all).filter(({ at }) => at < SECONDS).length);

describe('the status spans of random histories', () => {
  test('agree with a simulation at every second', () => {
    fc.assert(
      fc.property(providers, (all) => {
        const kept = all.map(cut);
        const spans = spansOf(
          kept.map((one) => historyOf(one, START_MS)),
          NOW_MS,
        );
        const seconds = simulate(kept, SECONDS);
        const atSecond = (second: number) =>
          spans.find(
            ({ fromMs, toMs }) =>
              fromMs <= START_MS + second * SECOND_MS && toMs > START_MS + second * SECOND_MS,
          )?.condition ?? 'up';
        expect(seconds.map((_, second) => atSecond(second))).toEqual(seconds);
        const down = seconds.filter((condition) => condition === 'down').length;
        expect(downMs(spans, START_MS, NOW_MS)).toBe(down * SECOND_MS);
      }),
      { numRuns: 20 },
    );
  });

  test('are the same if any single row of the history is missing', () => {
    fc.assert(
      fc.property(events, fc.nat(), (all, lost) => {
        // An operator's change and its row are written in one transaction, so only rows of the breaker can be missing.
        const history = historyOf(
          cut(all).filter(([, became]) => !became.endsWith('abled')),
          START_MS,
        );
        const changes = history.changes.filter((_, index) => index !== lost % (history.changes.length || 1));
        expect(spansOf([{ ...history, changes }], NOW_MS)).toEqual(spansOf([history], NOW_MS));
      }),
    );
  });

  test('have no gaps, and consecutive spans have different states', () => {
    fc.assert(
      fc.property(providers, (all) => {
        const spans = spansOf(
          all.map((one) => historyOf(cut(one), START_MS)),
          NOW_MS,
        );
        for (const [index, { toMs, condition }] of spans.entries()) {
          const next = spans[index + 1];
          expect(toMs).toBe(next?.fromMs ?? NOW_MS);
          expect(condition).not.toBe(next?.condition);
        }
      }),
    );
  });
});

describe('incidents', () => {
  test('of random histories cover all downtime and do not overlap', () => {
    fc.assert(
      fc.property(providers, (all) => {
        const spans = spansOf(
          all.map((one) => historyOf(cut(one), START_MS)),
          NOW_MS,
        );
        const incidents = incidentsOf(spans, NOW_MS);
        for (const [index, { toMs = NOW_MS }] of incidents.entries())
          expect(toMs).toBeLessThanOrEqual(incidents[index + 1]?.fromMs ?? NOW_MS);
        const down = incidents.filter(({ condition }) => condition === 'down');
        for (const span of spans.filter(({ condition }) => condition === 'down'))
          expect(
            down.filter(({ fromMs, toMs = NOW_MS }) => fromMs <= span.fromMs && toMs >= span.toMs),
          ).toHaveLength(1);
        // `MERGED_MS` is the shortest time between two incidents of downtime.
        for (const [index, { toMs = NOW_MS }] of down.entries())
          expect((down[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY) - toMs).toBeGreaterThanOrEqual(
            MERGED_MS,
          );
      }),
    );
  });

  const at = (minute: number) => NOW_MS + minute * MINUTE_MS;
  const span = (condition: RegistryCondition, from: number, to: number) => ({
    condition,
    fromMs: at(from),
    toMs: at(to),
  });
  const shown = (...spans: readonly ReturnType<typeof span>[]) =>
    incidentsOf(spans, at(0)).map(({ condition, fromMs, toMs }) => [
      condition,
      (fromMs - NOW_MS) / MINUTE_MS,
      toMs === undefined ? 'now' : (toMs - NOW_MS) / MINUTE_MS,
    ]);

  test('include all downtime, however short', () => {
    expect(shown(span('down', -30, -29.9), span('up', -29.9, 0))).toEqual([['down', -30, -29.9]]);
  });

  test('include short recoveries', () => {
    expect(
      shown(span('down', -30, -20), span('up', -20, -16), span('down', -16, -10), span('up', -10, 0)),
    ).toEqual([['down', -30, -10]]);
    expect(
      shown(span('down', -30, -20), span('degraded', -20, -15), span('down', -15, -10), span('up', -10, 0)),
    ).toEqual([
      ['down', -30, -20],
      ['degraded', -20, -15],
      ['down', -15, -10],
    ]);
  });

  test(`exclude degraded states shorter than ${SHORTEST_DEGRADED_MS / MINUTE_MS} minutes`, () => {
    expect(shown(span('degraded', -30, -25.1), span('up', -25.1, 0))).toEqual([]);
    expect(shown(span('degraded', -30, -25), span('up', -25, 0))).toEqual([['degraded', -30, -25]]);
    expect(
      shown(span('degraded', -30, -29), span('up', -29, -26), span('degraded', -26, -24), span('up', -24, 0)),
    ).toEqual([['degraded', -30, -24]]);
  });

  test('that are ongoing have no end', () => {
    expect(shown(span('degraded', -30, -20), span('down', -20, 0))).toEqual([
      ['degraded', -30, -20],
      ['down', -20, 'now'],
    ]);
  });
});

describe('the status page', () => {
  /** The first provider serves NIN and BVN, the second NIN only. */
  const serving = (first: ProviderHistory, second?: ProviderHistory): StatusRows['histories'] => [
    { key: { provider: 'first', env: 'live', idType: 'NIN' }, history: first },
    { key: { provider: 'first', env: 'live', idType: 'BVN' }, history: first },
    ...(second
      ? [{ key: { provider: 'second', env: 'live', idType: 'NIN' } as const, history: second }]
      : []),
  ];
  const view = (rows: Partial<StatusRows> = {}) =>
    statusView({ histories: serving(historyOf([], 0), historyOf([], 0)), days: [], ...rows }, NOW_MS);
  const registry = (shown: ReturnType<typeof view>, idType: string) => {
    const found = shown.registries.find(({ id_type }) => id_type === idType);
    if (!found) throw new Error(`There is no ${idType}.`);
    return found;
  };
  const day = (shown: ReturnType<typeof view>, idType: string, name: string) =>
    registry(shown, idType).days.find((one) => one.day === name);
  const asked = (idType: 'NIN' | 'BVN', name: string) =>
    ({ idType, day: name, requests: 5, p95Ms: 812 }) as const;

  test('has 90 days for each registry, ending with today, and names no providers', () => {
    const shown = view();
    expect(shown.registries.map(({ id_type }) => id_type)).toEqual(ID_TYPES);
    for (const { days } of shown.registries) {
      expect(days).toHaveLength(STATUS_DAYS);
      expect(days.at(-1)?.day).toBe('2026-11-23');
    }
    expect(JSON.stringify(shown)).not.toMatch(/first|second/);
  });

  test('shows no uptime for days before the first known look-up or change', () => {
    const shown = view({ days: [asked('NIN', '2026-11-20')] });
    expect(day(shown, 'NIN', '2026-11-19')).toEqual({
      day: '2026-11-19',
      uptime: null,
      down_minutes: 0,
      p95_ms: null,
    });
    expect(day(shown, 'NIN', '2026-11-20')).toEqual({
      day: '2026-11-20',
      uptime: 1,
      down_minutes: 0,
      p95_ms: 812,
    });
    expect(day(shown, 'NIN', '2026-11-21')).toEqual({
      day: '2026-11-21',
      uptime: 1,
      down_minutes: 0,
      p95_ms: null,
    });
    expect(registry(shown, 'NIN').uptime).toBe(1);
    expect(registry(shown, 'BVN').uptime).toBeNull();
    expect(registry(shown, 'CAC')).toMatchObject({ status: 'off', uptime: null });
  });

  test('counts the time when no provider could be called, for each day and in total', () => {
    // Down for twelve hours before midnight and six hours after it.
    const startMs = Date.parse('2026-11-21T12:00:00.000Z');
    const outage = historyOf(
      [
        [0, 'open'],
        [18 * 3600, 'closed'],
      ],
      startMs,
    );
    const histories = serving(outage, historyOf([[0, 'disabled']], startMs - DAY_MS));
    const shown = view({ histories, days: [asked('BVN', '2026-11-20')] });
    for (const idType of ['NIN', 'BVN']) {
      expect(day(shown, idType, '2026-11-21')?.uptime).toBe(0.5);
      expect(day(shown, idType, '2026-11-22')).toMatchObject({ uptime: 0.75, down_minutes: 360 });
    }
    expect(registry(shown, 'BVN').uptime).toBeCloseTo(1 - 18 / 84);
    expect(shown.incidents).toEqual(
      ['NIN', 'BVN'].map((id_type) => ({
        id: `${id_type.toLowerCase()}-down-20261121T120000000Z`,
        id_type,
        status: 'down',
        started_at: '2026-11-21T12:00:00.000Z',
        ended_at: '2026-11-22T06:00:00.000Z',
      })),
    );
  });

  test('shows degraded, not down, while another provider can be called', () => {
    const histories = serving(historyOf([[0, 'open']], NOW_MS - 600 * SECOND_MS), historyOf([], 0));
    const shown = view({ histories, days: [asked('NIN', '2026-11-20'), asked('BVN', '2026-11-20')] });
    expect(registry(shown, 'NIN')).toMatchObject({ status: 'degraded', uptime: 1 });
    expect(registry(shown, 'BVN').status).toBe('down');
    expect(shown.incidents.map(({ id_type, status, ended_at }) => [id_type, status, ended_at])).toEqual([
      ['NIN', 'degraded', null],
      ['BVN', 'down', null],
    ]);
  });

  test('shows no uptime for the time before the first change that could be read', () => {
    const readFromMs = NOW_MS - DAY_MS;
    const history = {
      ...historyOf(
        [
          [0, 'open'],
          [60, 'closed'],
        ],
        readFromMs,
      ),
      readFromMs,
    };
    const histories = serving(history);
    const shown = view({ histories, days: [asked('BVN', '2026-11-01')] });
    expect(day(shown, 'BVN', '2026-11-21')?.uptime).toBeNull();
    expect(day(shown, 'BVN', '2026-11-22')?.uptime).toBeCloseTo(1 - 60 / (12 * 3600));
  });

  test('omits incidents that ended more than 90 days ago', () => {
    const outage = (days: number) =>
      [
        historyOf(
          [
            [0, 'open'],
            [600, 'closed'],
          ],
          NOW_MS - days * DAY_MS,
        ),
      ] as const;
    expect(view({ histories: serving(outage(91)[0]) }).incidents).toEqual([]);
    expect(view({ histories: serving(outage(89)[0]) }).incidents).toHaveLength(2);
  });
});
