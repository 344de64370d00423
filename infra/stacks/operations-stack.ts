import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import { notifyOfBreakGlass } from '../constructs/access/break-glass.ts';
import { abuseAlarms } from '../constructs/alarms/abuse-alarms.ts';
import { addAlarm } from '../constructs/alarms/alarm.ts';
import { AlarmTopic } from '../constructs/alarms/alarm-topic.ts';
import { auditAlarms } from '../constructs/alarms/audit-alarms.ts';
import { backupAlarms } from '../constructs/alarms/backup-alarms.ts';
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

/** Alarms, their SNS topics and the dashboard. The stack contains no data and can be deleted and deployed again. */
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
      ...backupAlarms(config, Object.keys(data.tables).length),
      ...consoleAlarms(config),
      ...webhookAlarms(config),
      ...certificateAlarms(domains),
    ];
    const { alarmEmail, ticketEmail = alarmEmail, monthlyBudget } = operations ?? {};
    const pages = new AlarmTopic(this, 'Alarm', stage, alarmEmail);
    const tickets = operations?.ticketEmail ? new AlarmTopic(this, 'Ticket', stage, ticketEmail) : pages;
    const burn = addBurnAlarm(this, config, metrics);
    pages.receive(burn);
    const alarms = specs.map((spec) => {
      const alarm = addAlarm(this, config, spec);
      (spec.pages ? pages : tickets).receive(alarm);
      return alarm;
    });
    if (operations?.rollout) notifyOfFailedRollouts(this, config, tickets);
    notifyOfBreakGlass(this, config, pages);
    if (monthlyBudget && ticketEmail) addCostBudget(this, stage, { ...monthlyBudget, email: ticketEmail });
    new ServiceDashboard(this, 'Dashboard', { config, metrics, alarms: [burn, ...alarms] });
  }
}
