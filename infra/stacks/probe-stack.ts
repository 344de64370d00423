import { Duration, Fn, Stack, type StackProps } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import { addAlarm } from '../constructs/alarms/alarm.ts';
import { AlarmTopic } from '../constructs/alarms/alarm-topic.ts';
import { ServiceMetrics } from '../constructs/alarms/service-metrics.ts';
import { serviceFunction } from '../constructs/functions/service-function.ts';
import { PROBE } from '../routes.ts';
import type { DataStack } from './data-stack.ts';

interface ProbeStackProps extends StackProps {
  readonly config: StageConfig;
  readonly data: DataStack;
  readonly bundles: ReadonlyMap<string, string>;
}

/**
 * Checks the API from another region, as customers reach it. If the region of the stage fails, this stack still fires
 * its alarm. It contains no data. A canary of CloudWatch Synthetics would cost $0.0012 for each run, $53 a month, and a
 * health check of Route 53 cannot send a key.
 */
export class ProbeStack extends Stack {
  constructor(scope: Construct, id: string, { config, data, bundles, ...props }: ProbeStackProps) {
    super(scope, id, props);
    const { stage, operations } = config;
    const { name: domain } = operations?.domain ?? {};
    if (!domain) throw new Error('The probe needs the domain of the API.');
    const secretArn = Fn.getStackOutput(data.stackName, 'TestKeySecret', data.region);
    const secrets = { ...data.secrets, TEST_KEY: { secretArn } };
    const resources = { config, tables: data.tables, secrets, key: data.key };
    const handler = serviceFunction(this, PROBE, { config, bundles }, resources);
    handler.addEnvironment('PROBED_URL', `https://${domain}`);
    handler.addEnvironment('SECRETS_REGION', data.region);
    new Rule(this, 'EveryMinute', {
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new FunctionTarget(handler)],
    });
    const alarm = addAlarm(this, config, {
      name: 'probe-failed',
      pages: true,
      description:
        'Customers may be unable to reach the API. For three minutes, requests from another region got no or a wrong response, or the probe did not run.',
      metric: new ServiceMetrics(stage).own('failedProbes', 'Maximum', Duration.minutes(1)),
      threshold: 0,
      periods: 3,
      firesWithoutData: true,
    });
    new AlarmTopic(this, 'Alarm', stage, operations?.alarmEmail).receive(alarm);
  }
}
