import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { Stage } from '../config.ts';

/** One thing that may go wrong, and from when on a person must know. */
export interface AlarmSpec {
  /** The alarm's name after the stage, and the section of docs/operations.md that tells what to do. */
  readonly name: string;
  /** What it means, in one sentence. */
  readonly description: string;
  readonly metric: IMetric;
  /** The largest value that is still good. */
  readonly limit: number;
  /** Periods in a row that must be bad. @default 1 */
  readonly periods?: number;
  /** True where smaller values than `limit` are bad, and not larger ones. */
  readonly isFloor?: true;
  /** True where silence is bad too. */
  readonly mustNotify?: true;
  /** The section, where several alarms share one. @default the name */
  readonly section?: string;
}

/** The alarm of a watch. Its description leads to the runbook. */
export function alarmOf(scope: Construct, stage: Stage, spec: AlarmSpec): Alarm {
  const { name, description, metric, limit, periods = 1, isFloor, mustNotify, section = name } = spec;
  return new Alarm(scope, name, {
    alarmName: `identity-${stage}-${name}`,
    alarmDescription: `${description} Runbook: docs/operations.md#${section}`,
    metric,
    threshold: limit,
    comparisonOperator: isFloor
      ? ComparisonOperator.LESS_THAN_THRESHOLD
      : ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: periods,
    treatMissingData: mustNotify ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
  });
}
