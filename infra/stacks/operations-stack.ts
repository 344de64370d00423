import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { Stage, StageConfig } from '../config.ts';
import { METRICS_NAMESPACE, serviceName } from '../constructs/physical-names.ts';
import { WATCHES, type Watch } from '../constructs/watches.ts';

export interface OperationsStackProps extends StackProps {
  readonly config: StageConfig;
}

/** What tells people that something needs them. It holds no state and can be deployed afresh at any time. */
export class OperationsStack extends Stack {
  readonly #stage: Stage;

  constructor(scope: Construct, id: string, props: OperationsStackProps) {
    super(scope, id, props);
    this.#stage = props.config.stage;
    // Whom it reaches is subscribed by the operator: addresses do not belong into a template.
    const topic = new Topic(this, 'Alarms', { enforceSSL: true });
    const action = new SnsAction(topic);
    const alarms = [
      ...Object.entries(WATCHES).map(([name, watch]) => this.#alarm(name, watch)),
      this.#reconciliationSilent(),
    ];
    for (const alarm of alarms) {
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
    }
  }

  #alarm(name: string, { metric, limit, period, periods, mustBeTold, words, section }: Watch): Alarm {
    return new Alarm(this, name, {
      metric: this.#metric(metric, 'Maximum', period),
      alarmDescription: describe(words, section),
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      threshold: limit,
      evaluationPeriods: periods,
      treatMissingData: mustBeTold ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
  }

  /** Two days, since one run and the next may fall a little more than a day apart. */
  #reconciliationSilent(): Alarm {
    return new Alarm(this, 'books-unchecked', {
      metric: this.#metric('reconciliationDifferences', 'SampleCount', Duration.days(1)),
      alarmDescription: describe('The daily reconciliation has not ended for two days.', 'The books differ'),
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      threshold: 1,
      evaluationPeriods: 2,
      treatMissingData: TreatMissingData.BREACHING,
    });
  }

  #metric(metricName: string, statistic: string, period: Duration): Metric {
    const dimensionsMap = { service: serviceName(this.#stage) };
    return new Metric({ namespace: METRICS_NAMESPACE, metricName, dimensionsMap, statistic, period });
  }
}

function describe(words: string, section: string): string {
  return `${words} What to do: docs/operations.md, "${section}".`;
}
