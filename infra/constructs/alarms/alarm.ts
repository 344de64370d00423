import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { Stage } from '../../config.ts';

export interface AlarmSpec {
  /** Follows `identity-<stage>-` in the alarm's name. */
  readonly name: string;
  /** What customers experience and the probable cause, in at most two sentences. */
  readonly description: string;
  readonly metric: IMetric;
  /** The largest acceptable value, or the smallest with `firesBelow`. */
  readonly threshold: number;
  /** How many consecutive periods must breach the threshold. @default 1 */
  readonly periods?: number;
  readonly firesBelow?: true;
  /** Also fires when data is missing. */
  readonly firesWithoutData?: true;
  /** Of the alarm's name. A change replaces the alarm. */
  readonly suffix?: string;
  /** The section of docs/operate/operations.md, if several alarms share one. @default the name */
  readonly section?: string;
}

/** The description ends with a reference to the runbook. */
export function alarmTexts(
  stage: Stage,
  { name, suffix = '', description, section = name }: Omit<AlarmSpec, 'metric' | 'threshold'>,
) {
  return {
    alarmName: `identity-${stage}-${name}${suffix}`,
    alarmDescription: `${description} Runbook: docs/operate/operations.md#${section}`,
  };
}

export function addAlarm(scope: Construct, stage: Stage, spec: AlarmSpec): Alarm {
  const { name, metric, threshold, periods = 1 } = spec;
  return new Alarm(scope, name, {
    ...alarmTexts(stage, spec),
    metric,
    threshold,
    comparisonOperator: spec.firesBelow
      ? ComparisonOperator.LESS_THAN_THRESHOLD
      : ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: periods,
    treatMissingData: spec.firesWithoutData ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
  });
}
