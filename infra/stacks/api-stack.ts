import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { EventBus, Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { Code, FunctionUrlAuthType, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import { type AccessibleThings, accessTo } from '../constructs/access.ts';
import { ApiFirewall } from '../constructs/api-firewall.ts';
import { EnvelopeApi } from '../constructs/envelope-api.ts';
import { eventBusName, failedSchedulesName } from '../constructs/physical-names.ts';
import { Rollout } from '../constructs/rollout.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import {
  type FunctionSpec,
  PREFIXES,
  ROUTES,
  SANDBOX_REGISTRY,
  SCHEDULES,
  UNKNOWN_ROUTE,
} from '../routes.ts';
import type { DataStack } from './data-stack.ts';

export interface ApiStackProps extends StackProps {
  readonly config: StageConfig;
  readonly data: DataStack;
  /** From a function's name to the directory of its bundle. */
  readonly bundles: ReadonlyMap<string, string>;
}

/** Everything that can be thrown away and deployed again: functions, the REST API before them, and schedules. */
export class ApiStack extends Stack {
  constructor(scope: Construct, id: string, props: ApiStackProps) {
    super(scope, id, props);
    const { config, data } = props;
    const { operations, stage } = config;
    const things = { config, tables: data.tables, secrets: data.secrets };

    const sandbox = this.#function(SANDBOX_REGISTRY, props, things);
    // Open to the internet, and useless without the shared secret, which its code checks.
    const { url: sandboxUrl } = sandbox.addFunctionUrl({ authType: FunctionUrlAuthType.NONE });
    const eventBus = operations && new EventBus(this, 'Events', { eventBusName: eventBusName(stage) });
    const all = { ...things, sandboxUrl, eventBus };

    const api = new EnvelopeApi(this, 'Api', config);
    const rollout = operations?.rollout && new Rollout(this, 'Rollout', stage, operations.rollout);
    const called = (spec: FunctionSpec): IFunction => {
      const handler = this.#function(spec, props, all);
      return (rollout ? rollout.aliasOf(spec.name, handler) : handler) as IFunction;
    };
    for (const route of ROUTES) {
      const handler = called(route);
      for (const prefix of PREFIXES) api.serve(route.method, prefix + route.path, handler);
    }
    api.serveRest(called(UNKNOWN_ROUTE));
    const apiStageArn = api.deploymentStage.stageArn;
    if (operations?.firewall)
      new ApiFirewall(this, 'Firewall', { stage, apiStageArn, ...operations.firewall });
    this.#schedule(props, all);
  }

  /** Runs what runs by the clock. Events whose tries are used up are kept, and an alarm tells of them. */
  #schedule(props: ApiStackProps, things: AccessibleThings): void {
    const { stage, operations } = props.config;
    const failures =
      operations &&
      new Queue(this, 'FailedSchedules', {
        queueName: failedSchedulesName(stage),
        encryption: QueueEncryption.SQS_MANAGED,
        enforceSSL: true,
        retentionPeriod: Duration.days(14),
      });
    for (const spec of SCHEDULES.filter(({ isForAws }) => operations || !isForAws)) {
      const handler = this.#function({ ...spec, failures }, props, things);
      new Rule(this, `${spec.name}-schedule`, {
        schedule: Schedule.rate(Duration.minutes(spec.everyMinutes)),
        targets: [new FunctionTarget(handler, failures && { deadLetterQueue: failures })],
      });
    }
  }

  #function(
    { name, access, timeoutSeconds, failures }: FunctionSpec & { readonly failures?: Queue | undefined },
    { config, bundles }: ApiStackProps,
    things: AccessibleThings,
  ): ServiceFunction {
    const bundle = bundles.get(name);
    if (!bundle) throw new Error(`The function ${name} has no bundle.`);
    return new ServiceFunction(this, name, {
      config,
      code: Code.fromAsset(bundle, { exclude: ['*.map'] }),
      access: accessTo(things, access),
      timeoutSeconds,
      failures,
    });
  }
}
