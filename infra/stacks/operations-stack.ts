import { ArnFormat, CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { Stage, StageConfig } from '../config.ts';
import { notifyOfBreakGlass } from '../constructs/access/break-glass.ts';
import { abuseAlarms } from '../constructs/alarms/abuse-alarms.ts';
import { addAlarm } from '../constructs/alarms/alarm.ts';
import { auditAlarms } from '../constructs/alarms/audit-alarms.ts';
import { capacityAlarms } from '../constructs/alarms/capacity-alarms.ts';
import { type CertifiedDomain, certificateAlarms } from '../constructs/alarms/certificate-alarms.ts';
import { consoleAlarms } from '../constructs/alarms/console-alarms.ts';
import { addCostBudget } from '../constructs/alarms/cost-budget.ts';
import { edgeAlarms } from '../constructs/alarms/edge-alarms.ts';
import { ledgerAlarms } from '../constructs/alarms/ledger-alarms.ts';
import { paymentAlarms } from '../constructs/alarms/payment-alarms.ts';
import { providerAlarms } from '../constructs/alarms/provider-alarms.ts';
import { registryAlarms } from '../constructs/alarms/registry-alarms.ts';
import { ServiceDashboard } from '../constructs/alarms/service-dashboard.ts';
import { ServiceMetrics } from '../constructs/alarms/service-metrics.ts';
import { addBurnAlarm, sloAlarms } from '../constructs/alarms/slo-alarms.ts';
import { trafficAlarms } from '../constructs/alarms/traffic-alarms.ts';
import { webhookAlarms } from '../constructs/alarms/webhook-alarms.ts';
import { notifyOfFailedRollouts } from '../constructs/rollout/rollout-notification.ts';
import type { DataStack } from './data-stack.ts';

interface OperationsStackProps extends StackProps {
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
    const alarms = [
      addBurnAlarm(this, config, metrics),
      ...specs.map((spec) => addAlarm(this, config, spec)),
    ];

    const topic = new Topic(this, 'Alarms', { enforceSSL: true });
    topic.addToResourcePolicy(this.#alarmsMayPublish(topic, stage));
    if (operations?.alarmEmail) topic.addSubscription(new EmailSubscription(operations.alarmEmail));
    const action = new SnsAction(topic);
    for (const alarm of alarms) {
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
    }
    if (operations?.rollout) notifyOfFailedRollouts(this, config, topic);
    notifyOfBreakGlass(this, config, topic);
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
