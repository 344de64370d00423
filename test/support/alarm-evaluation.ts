/**
 * How CloudWatch evaluates alarms (CloudWatch User Guide, "Alarm evaluation" and "Configuring how CloudWatch alarms treat
 * missing data").
 */

export type AlarmState = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';
export type MissingData = 'missing' | 'ignore' | 'breaching' | 'notBreaching';

export interface AlarmRule {
  readonly evaluationPeriods: number;
  /** @default all */
  readonly datapointsToAlarm?: number;
  readonly missingData: MissingData;
}

/** Whether a period breaches the threshold. Undefined: it has no data. */
export type Point = boolean | undefined;

/** AWS publishes only that the range for three periods has five points. */
export const evaluationRange = (periods: number) => periods + 2;

/** Returns the next state. `points` are those of the evaluation range, the oldest first. */
export function nextState(points: readonly Point[], rule: AlarmRule, state: AlarmState): AlarmState {
  const { evaluationPeriods: periods, missingData } = rule;
  const toAlarm = rule.datapointsToAlarm ?? periods;
  const real = points.filter((point) => point !== undefined);
  const stateOf = (breaching: number): AlarmState => (breaching >= toAlarm ? 'ALARM' : 'OK');
  const breachingIn = (some: readonly Point[]) => some.filter((point) => point === true).length;
  if (real.length >= periods) return stateOf(breachingIn(real.slice(-periods)));
  if (missingData === 'breaching') return stateOf(breachingIn(real) + periods - real.length);
  if (missingData === 'notBreaching') return stateOf(breachingIn(real));
  const kept = missingData === 'ignore' ? state : undefined;
  if (real.length === 0) return kept ?? 'INSUFFICIENT_DATA';
  // "Avoiding premature transitions to alarm state".
  const isOldEnough = points.length - points.indexOf(true) >= toAlarm;
  if (breachingIn(real) === real.length && isOldEnough) return kept ?? 'ALARM';
  return stateOf(breachingIn(real));
}
