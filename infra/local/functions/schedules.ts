import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { MINUTE_MS } from '../../../shared/core/clock.ts';
import { ACCOUNT_ID, REGION } from '../templates/physical-names.ts';
import type { Deployment } from '../templates/template.ts';
import { callPermissions } from './definitions.ts';

/** EventBridge rules that run functions on a schedule. */

export interface Schedule {
  readonly ruleArn: string;
  readonly functionArn: string;
  /** Whether the rule is due in the minute that starts at this time, in epoch milliseconds. */
  readonly isDue: (minuteStartMs: number) => boolean;
}

const UNIT_MINUTES: Readonly<Record<string, number>> = { minute: 1, hour: 60, day: 24 * 60 };

const ruleShape = v.object({
  ScheduleExpression: v.string(),
  State: v.optional(v.picklist(['ENABLED', 'DISABLED']), 'ENABLED'),
  Targets: v.array(v.object({ Arn: v.string() })),
});

/** Returns the schedules of all enabled rules. Throws if a rule has no permission to invoke its function. */
export function schedulesOf(deployment: Deployment): Schedule[] {
  const mayCall = callPermissions(deployment);
  return deployment.ofType('AWS::Events::Rule').flatMap((resource) => {
    const properties = deployment.properties(resource);
    // A rule of an event bus (aws/event-bus.ts).
    if (properties['EventPattern'] !== undefined) return [];
    const { ScheduleExpression, State, Targets } = v.parse(ruleShape, properties);
    const ruleArn = deployment.arn(resource);
    if (State === 'DISABLED') return [];
    return Targets.map(({ Arn }) => {
      if (!mayCall('events.amazonaws.com', ruleArn, Arn))
        throw new Error(`${ruleArn} has no permission to invoke ${Arn}.`);
      return { ruleArn, functionArn: Arn, isDue: dueTimes(ScheduleExpression) };
    });
  });
}

export function scheduledEvent(ruleArn: string, atMs: number): object {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: ACCOUNT_ID,
    time: new Date(atMs).toISOString().replace(/\.\d+Z$/, 'Z'),
    region: REGION,
    resources: [ruleArn],
    detail: {},
  };
}

/** Calls `run` for each schedule that is due, at the start of each minute. The returned function stops this. */
export function startSchedules(
  schedules: readonly Schedule[],
  run: (schedule: Schedule) => void,
): () => void {
  let timer: NodeJS.Timeout;
  const scheduleNextMinute = () => {
    const next = (Math.floor(Date.now() / MINUTE_MS) + 1) * MINUTE_MS;
    timer = setTimeout(() => {
      for (const schedule of schedules) if (schedule.isDue(next)) run(schedule);
      scheduleNextMinute();
    }, next - Date.now());
  };
  scheduleNextMinute();
  return () => clearTimeout(timer);
}

/** Parses `rate(5 minutes)` or `cron(0 3 * * ? *)`, in UTC. Throws for other forms. */
export function dueTimes(expression: string): (minuteStartMs: number) => boolean {
  const [, count, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (count) {
    const every = Number(count) * (UNIT_MINUTES[unit] ?? 1);
    return (minuteStartMs) => Math.floor(minuteStartMs / MINUTE_MS) % every === 0;
  }
  const fields = /^cron\((.+)\)$/.exec(expression)?.[1]?.split(' ');
  if (fields?.length !== 6) throw new Error(`The local runtime does not support the schedule ${expression}.`);
  const matchers = fields.map(cronField);
  return (minuteStartMs) => {
    const date = new Date(minuteStartMs);
    const values = [
      date.getUTCMinutes(),
      date.getUTCHours(),
      date.getUTCDate(),
      date.getUTCMonth() + 1,
      date.getUTCDay() + 1,
      date.getUTCFullYear(),
    ];
    return matchers.every((matches, index) => matches(values[index] ?? 0));
  };
}

/** Parses one field of a cron expression: `*`, `?`, numbers, ranges, lists and steps. */
function cronField(field: string): (value: number) => boolean {
  if (!/^[\d*?,/-]+$/.test(field))
    throw new Error(`The local runtime does not support the cron field ${field}.`);
  const ranges = field.split(',').map((part) => {
    const [range = '', step] = part.split('/');
    const [from = 0, to] = range === '*' || range === '?' ? [0, Infinity] : range.split('-').map(Number);
    return { from, to: to ?? (step ? Infinity : from), step: Number(step ?? 1) };
  });
  return (value) =>
    ranges.some(({ from, to, step }) => value >= from && value <= to && (value - from) % step === 0);
}
