import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { StageConfig } from '../../config.ts';

export interface AlarmSpec {
  /** Follows `identity-<stage>-` in the alarm's name. */
  readonly name: string;
  /** What customers experience and the probable cause, in at most two sentences. */
  readonly description: string;
  readonly metric: IMetric;
  /** Someone must act at once, at night too. The others are tickets. */
  readonly pages?: true;
  /** The largest acceptable value, or the smallest with `firesBelow`. */
  readonly threshold: number;
  /** How many consecutive periods must breach the threshold. @default 1 */
  readonly periods?: number;
  readonly firesBelow?: true;
  /** Also fires when data is missing. */
  readonly firesWithoutData?: true;
  /** Of the alarm's name. A change replaces the alarm. */
  readonly suffix?: string;
  /** The page in docs/operate/runbooks, if several alarms share one. @default the name */
  readonly runbook?: string;
}

export type AlarmStage = Pick<StageConfig, 'stage' | 'docsUrl'>;

/** Returns the address of a runbook if the stage says where the documentation is, and its path otherwise. */
export function runbookOf({ docsUrl }: Pick<AlarmStage, 'docsUrl'>, name: string): string {
  const page = `operate/runbooks/${name}`;
  return docsUrl ? `${docsUrl.replace(/\/$/, '')}/${page}.html` : `docs/${page}.md`;
}

/** The description ends with a reference to the runbook. */
export function alarmTexts(
  config: AlarmStage,
  { name, suffix = '', description, runbook = name }: Omit<AlarmSpec, 'metric' | 'threshold'>,
) {
  return {
    alarmName: `identity-${config.stage}-${name}${suffix}`,
    alarmDescription: `${description} Runbook: ${runbookOf(config, runbook)}`,
  };
}

export function addAlarm(scope: Construct, config: AlarmStage, spec: AlarmSpec): Alarm {
  const { name, threshold, periods = 1 } = spec;
  return new Alarm(scope, name, {
    ...alarmTexts(config, spec),
    metric: filled(spec),
    threshold,
    comparisonOperator: spec.firesBelow
      ? ComparisonOperator.LESS_THAN_THRESHOLD
      : ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: periods,
    treatMissingData: spec.firesWithoutData ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
  });
}

/**
 * As long as CloudWatch finds enough older values in its range, it evaluates them again and ignores how missing data are
 * treated ("Configuring how CloudWatch alarms treat missing data"): a silent job would be noticed late, and a counter
 * without new events would keep its alarm firing. Periods without data therefore get a value.
 */
function filled({ metric, threshold, firesBelow, firesWithoutData }: AlarmSpec): IMetric {
  const { metricStat } = metric.toMetricConfig();
  if (!metricStat || !(firesWithoutData || metricStat.statistic === 'Sum')) return metric;
  const breaching = firesBelow ? threshold - 1 : threshold + 1;
  return new MathExpression({
    expression: `FILL(value, ${firesWithoutData ? breaching : 0})`,
    usingMetrics: { value: metric },
    label: metricStat.metricName,
    period: metricStat.period,
  });
}
