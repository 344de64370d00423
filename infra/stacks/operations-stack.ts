import { ArnFormat, CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { Stage, StageConfig } from '../config.ts';
import { abuseAlarms } from '../constructs/abuse-alarms.ts';
import { addAlarm } from '../constructs/alarm.ts';
import { auditAlarms } from '../constructs/audit-alarms.ts';
import { notifyOfBreakGlass } from '../constructs/break-glass.ts';
import { capacityAlarms } from '../constructs/capacity-alarms.ts';
import { type CertifiedDomain, certificateAlarms } from '../constructs/certificate-alarms.ts';
import { consoleAlarms } from '../constructs/console-alarms.ts';
import { addCostBudget } from '../constructs/cost-budget.ts';
import { edgeAlarms } from '../constructs/edge-alarms.ts';
import { ledgerAlarms } from '../constructs/ledger-alarms.ts';
import { paymentAlarms } from '../constructs/payment-alarms.ts';
import { providerAlarms } from '../constructs/provider-alarms.ts';
import { registryAlarms } from '../constructs/registry-alarms.ts';
import { notifyOfFailedRollouts } from '../constructs/rollout-notification.ts';
import { ServiceDashboard } from '../constructs/service-dashboard.ts';
import { ServiceMetrics } from '../constructs/service-metrics.ts';
import { addBurnAlarm, sloAlarms } from '../constructs/slo-alarms.ts';
import { trafficAlarms } from '../constructs/traffic-alarms.ts';
import { webhookAlarms } from '../constructs/webhook-alarms.ts';
import type { DataStack } from './data-stack.ts';

export interface OperationsStackProps extends StackProps {
  readonly config: StageConfig;
  readonly data: DataStack;
  /** The domains that get alarms on their certificates. */
  readonly domains: readonly CertifiedDomain[];
}

/** Alarms, their SNS topic and the dashboard. The stack contains no data and can be deleted and deployed again. */
export class OperationsStack extends Stack {
  constructor(scope: Construct, id: string, props: OperationsStackProps) {
    super(scope, id, props);
    const { config, data, domains } = props;
    const { stage, operations } = config;
    const metrics = new ServiceMetrics(stage);
    const { Console, ...others } = data.tables;
    const tables = [...Object.values(others), ...(config.console ? [Console] : [])];
    const specs = [
      ...auditAlarms(metrics),
      ...ledgerAlarms(metrics, data.tables.Wallets.tableName),
      ...sloAlarms(metrics),
      ...trafficAlarms(metrics),
      ...registryAlarms(metrics),
      ...edgeAlarms(config, metrics),
      ...abuseAlarms(metrics),
      ...paymentAlarms(config, metrics),
      ...providerAlarms(config.registries, metrics),
      ...capacityAlarms(config, metrics, tables),
      ...consoleAlarms(config),
      ...webhookAlarms(config),
      ...certificateAlarms(domains),
    ];
    const alarms = [addBurnAlarm(this, stage, metrics), ...specs.map((spec) => addAlarm(this, stage, spec))];

    const topic = new Topic(this, 'Alarms', { enforceSSL: true });
    topic.addToResourcePolicy(this.#alarmsMayPublish(topic, stage));
    if (operations?.alarmEmail) topic.addSubscription(new EmailSubscription(operations.alarmEmail));
    const action = new SnsAction(topic);
    for (const alarm of alarms) {
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
    }
    if (operations?.rollout) notifyOfFailedRollouts(this, stage, topic);
    notifyOfBreakGlass(this, stage, topic);
    if (operations?.monthlyBudget && operations.alarmEmail)
      addCostBudget(this, stage, { ...operations.monthlyBudget, email: operations.alarmEmail });
    new ServiceDashboard(this, 'Dashboard', { config, metrics, alarms });
    new CfnOutput(this, 'AlarmTopic', { value: topic.topicArn });
  }

  /**
   * Returns the statement that lets alarms publish. The default policy permits this, but `enforceSSL` adds a topic
   * policy that replaces it.
   */
  #alarmsMayPublish({ topicArn }: Topic, stage: Stage): PolicyStatement {
    const alarms = { service: 'cloudwatch', resource: 'alarm', resourceName: `identity-${stage}-*` };
    const sourceArn = this.formatArn({ ...alarms, arnFormat: ArnFormat.COLON_RESOURCE_NAME });
    return new PolicyStatement({
      sid: 'AlarmsOfTheStage',
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topicArn],
      conditions: {
        ArnLike: { 'aws:SourceArn': sourceArn },
        StringEquals: { 'aws:SourceAccount': this.account },
      },
    });
  }
}
