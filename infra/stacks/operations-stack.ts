import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import { moneyWatches } from '../constructs/money-watches.ts';
import { roomWatches } from '../constructs/room-watches.ts';
import { ServiceDashboard } from '../constructs/service-dashboard.ts';
import { ServiceMetrics } from '../constructs/service-metrics.ts';
import { trafficWatches } from '../constructs/traffic-watches.ts';
import { alarmOf } from '../constructs/watch.ts';
import type { DataStack } from './data-stack.ts';

export interface OperationsStackProps extends StackProps {
  readonly config: StageConfig;
  readonly data: DataStack;
}

/** What tells people that something needs them. It holds no state and can be deployed afresh at any time. */
export class OperationsStack extends Stack {
  constructor(scope: Construct, id: string, props: OperationsStackProps) {
    super(scope, id, props);
    const { config, data } = props;
    const { stage, operations } = config;
    const metrics = new ServiceMetrics(stage);
    const tables = Object.values(data.tables).map(({ tableName }) => tableName);
    const watches = [
      ...moneyWatches(metrics, data.tables.Wallets.tableName),
      ...trafficWatches(metrics),
      ...roomWatches(config, metrics, tables),
    ];
    const alarms = watches.map((watch) => alarmOf(this, stage, watch));

    const topic = new Topic(this, 'Alarms', { enforceSSL: true });
    if (operations?.alarmEmail) topic.addSubscription(new EmailSubscription(operations.alarmEmail));
    const action = new SnsAction(topic);
    for (const alarm of alarms) {
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
    }
    new ServiceDashboard(this, 'Dashboard', { stage, metrics, alarms });
    new CfnOutput(this, 'AlarmTopic', { value: topic.topicArn });
  }
}
