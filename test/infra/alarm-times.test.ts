import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { MINUTE_MS } from '../../shared/core/clock.ts';
import { openTopUp } from '../../shared/payments/orders/open-top-up.ts';
import { sweepTopUps } from '../../shared/payments/orders/sweep-top-ups.ts';
import { paymentMetrics } from '../../shared/payments/run-payments.ts';
import { type AlarmState, type MissingData, nextState, type Point } from '../support/alarm-evaluation.ts';
import {
  fakeProvider,
  memoryClient,
  memoryClock,
  setUp,
  topUpDependencies,
  WALLET,
} from '../unit/payments/memory-payments.ts';
import { evaluatedAlarm, type Signal, signalsOf, statesOf, timesOf } from './alarm-times.ts';
import { EVERY_ALARM } from './expected-alarms.ts';
import { propertiesOf, synthesize } from './synthesis.ts';

/** Evaluates every alarm with the algorithm that AWS publishes. */

const HOW: readonly MissingData[] = ['missing', 'ignore', 'breaching', 'notBreaching'];
/** The state is retained. */
const KEPT = undefined;
type Row = readonly [points: string, ...states: readonly (AlarmState | undefined)[]];

/** The tables of AWS: the points, the newest last, and the state for each way to treat missing data. */
const THREE_OF_THREE: readonly Row[] = [
  ['0 - X - X', 'OK', 'OK', 'OK', 'OK'],
  ['0 - - - -', 'OK', 'OK', 'OK', 'OK'],
  ['- - - - -', 'INSUFFICIENT_DATA', KEPT, 'ALARM', 'OK'],
  ['0 X X - X', 'ALARM', 'ALARM', 'ALARM', 'ALARM'],
  ['- - X - -', 'ALARM', KEPT, 'ALARM', 'OK'],
];
const TWO_OF_THREE: readonly Row[] = [
  ['0 - X - X', 'ALARM', 'ALARM', 'ALARM', 'ALARM'],
  ['0 0 X 0 X', 'ALARM', 'ALARM', 'ALARM', 'ALARM'],
  ['0 - X - -', 'OK', 'OK', 'ALARM', 'OK'],
  ['- - - - 0', 'OK', 'OK', 'ALARM', 'OK'],
  ['- - - X -', 'ALARM', KEPT, 'ALARM', 'OK'],
];
const POINTS: Readonly<Record<string, Point>> = { X: true, '0': false };

describe.each([
  [3, THREE_OF_THREE],
  [2, TWO_OF_THREE],
] as const)('with %i of 3 points, as in the table of AWS,', (datapointsToAlarm, rows) => {
  test.each(rows)('%s', (text, ...expected) => {
    const points = text.split(' ').map((point) => POINTS[point]);
    for (const state of ['OK', 'ALARM'] as const)
      for (const [index, missingData] of HOW.entries()) {
        const rule = { evaluationPeriods: 3, datapointsToAlarm, missingData };
        expect([missingData, nextState(points, rule, state)]).toEqual([
          missingData,
          expected[index] ?? state,
        ]);
      }
  });
});

const { functions, operations } = synthesize('prod', EVERY_ALARM);
const alarms = [operations, functions]
  .flatMap((template) => propertiesOf(template, 'AWS::CloudWatch::Alarm'))
  .map((alarm) => evaluatedAlarm(alarm));

test.each(alarms)('$name fires, and clears', (alarm) => {
  const { fires, clears } = timesOf(alarm);
  const covered = alarm.periods * alarm.periodMinutes;
  expect(fires).toBeGreaterThan(0);
  expect(fires).toBeLessThanOrEqual(covered + 60);
  expect(clears).toBeLessThanOrEqual(alarm.periodMinutes + 60);
});

/** The alarms that fire if a job is silent, and the minutes after its last run. */
const WATCHDOGS: Readonly<Record<string, number>> = {
  'hold-too-old': 5,
  'registry-down': 5,
  'payments-overdue': 15,
  'usage-overdue': 3 * 60,
  'reconciliation-overdue': 48 * 60 + 59,
  'backup-overdue': 48 * 60 + 59,
};

describe('an alarm on a silent job', () => {
  const watchdogs = alarms.filter(({ missingData }) => missingData === 'breaching');

  test('is one of these, and fires in time', () => {
    expect(Object.fromEntries(watchdogs.map((one) => [one.name, timesOf(one).fires]))).toEqual(WATCHDOGS);
  });

  test('would fire late without FILL', () => {
    for (const watchdog of watchdogs) {
      const broken = { ...watchdog, expression: 'value' };
      expect([watchdog.name, timesOf(broken).fires]).not.toEqual([watchdog.name, timesOf(watchdog).fires]);
      expect(timesOf(broken).fires).toBeGreaterThan(timesOf(watchdog).fires);
    }
  });

  test.each(watchdogs)(
    '$name does not fire if data is two minutes late, or one run is missing',
    (watchdog) => {
      const { periods, periodMinutes } = watchdog;
      const to = 4 * periods * periodMinutes;
      const silentAt = 2 * periods * periodMinutes;
      const healthy = signalsOf(watchdog, to, to + 1);
      const late = { from: 0, to: to - 1, lateMinutes: (minute: number) => (minute >= silentAt ? 2 : 0) };
      const gap = Object.fromEntries(
        Object.entries(healthy).map(([id, signal]) => {
          return [id, (minute: number) => (minute === silentAt ? undefined : signal(minute))] as const;
        }),
      );
      if (periodMinutes < 60) expect([...statesOf(watchdog, gap, late).values()]).not.toContain('ALARM');
      expect([...statesOf(watchdog, healthy, late).values()]).not.toContain('ALARM');
    },
  );
});

describe('payments-unsettled, while Paystack is down for 100 minutes', () => {
  /** Returns what settle-top-ups publishes in each minute. The outage begins with minute 0. */
  async function published(openedBefore: number): Promise<Signal> {
    const { client } = memoryClient();
    const { time, clock } = memoryClock('2026-11-25T10:00:00.000Z');
    const provider = fakeProvider();
    const deps = topUpDependencies(client, provider, clock);
    await setUp(deps);
    const startMs = time.nowMs;
    time.nowMs -= openedBefore * MINUTE_MS;
    const request = { wallet: WALLET, credits: 100, openedBy: 'server', callbackUrl: 'https://api.example' };
    await openTopUp(request, 'TOPUP-A', deps);
    const values = new Map<number, number>();
    for (let minute = -openedBefore; minute <= 160; minute += 1) {
      time.nowMs = startMs + minute * MINUTE_MS + 500;
      provider.before = () => {
        if (minute >= 0 && minute < 100) throw new Error('no response');
      };
      const counts = { ...(await sweepTopUps(deps, () => undefined)) };
      const { unsettledPayments } = paymentMetrics({ counts, paymentsToReview: 0 });
      if (unsettledPayments !== undefined) values.set(minute, Number(unsettledPayments));
    }
    return (minute) => {
      const value = values.get(minute);
      return value === undefined ? undefined : { value, count: 1 };
    };
  }

  test.each([1, 180])('fires in time, and stays, with an order opened %i minutes before', async (before) => {
    const alarm = alarms.find(({ name }) => name === 'payments-unsettled');
    if (!alarm) throw new Error('There is no such alarm.');
    const states = statesOf(alarm, { value: await published(before) }, { from: 0, to: 160 });
    const inAlarm = [...states].flatMap(([minute, state]) => (state === 'ALARM' ? [minute] : []));
    expect([inAlarm[0], inAlarm.at(-1), inAlarm.length]).toEqual([15, 100, 86]);
  });
});

/** `[amount, unit]` in the texts of runbooks. */
const QUOTED = /^\*\*Clears:\*\* (?:(?:within|after) (?:about )?)?(an?|two|\d+) (minute|hour|day)s?\b/m;

describe('a runbook', () => {
  const MINUTES = { minute: 1, hour: 60, day: 24 * 60 } as const;
  const quoted = alarms.flatMap((alarm) => {
    const page = `docs/operate/runbooks/${alarm.runbook}.md`;
    const [, amount = '', unit] = QUOTED.exec(readFileSync(page, 'utf8')) ?? [];
    if (!unit) return [];
    const count = { a: 1, an: 1, two: 2 }[amount] ?? Number(amount);
    return [{ ...alarm, minutes: count * MINUTES[unit as keyof typeof MINUTES] }];
  });

  test.each(quoted)('$runbook says when $name clears, at most a period too late', (alarm) => {
    const { clears } = timesOf(alarm);
    expect(alarm.minutes).toBeGreaterThanOrEqual(clears);
    expect(alarm.minutes).toBeLessThanOrEqual(clears + alarm.periodMinutes);
  });

  test('is about most alarms in these words', () => {
    expect(quoted.length).toBeGreaterThan(alarms.length / 2);
  });
});
