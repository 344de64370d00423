import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { EventBus, Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { Code, FunctionUrlAuthType, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import { accessTo, type StageResources } from '../constructs/access.ts';
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
  /** The directory of each function's bundle, by the function's name. */
  readonly bundles: ReadonlyMap<string, string>;
}

/** Everything that can be deleted and deployed again: functions, the REST API, schedules, firewall and rollouts. */
export class ApiStack extends Stack {
  constructor(scope: Construct, id: string, props: ApiStackProps) {
    super(scope, id, props);
    const { config, data } = props;
    const { operations, stage } = config;
    const stored = { config, tables: data.tables, secrets: data.secrets, key: data.key };

    const sandbox = this.#function(SANDBOX_REGISTRY, props, stored);
    // Requests must be signed by a role that may use the URL, and its code also requires the shared secret (decision A9).
    const { url } = sandbox.addFunctionUrl({ authType: FunctionUrlAuthType.AWS_IAM });
    const eventBus = operations && new EventBus(this, 'Events', { eventBusName: eventBusName(stage) });
    const resources = { ...stored, sandbox: { url, functionArn: sandbox.functionArn }, eventBus };

    const api = new EnvelopeApi(this, 'Api', config);
    const rollout = operations?.rollout && new Rollout(this, 'Rollout', stage, operations.rollout);
    const invocable = (spec: FunctionSpec): IFunction => {
      const handler = this.#function(spec, props, resources);
      return (rollout ? rollout.aliasOf(spec.name, handler) : handler) as IFunction;
    };
    for (const route of ROUTES) {
      const handler = invocable(route);
      for (const prefix of PREFIXES) api.addRoute(route.method, prefix + route.path, handler);
    }
    api.addFallback(invocable(UNKNOWN_ROUTE));
    const apiStageArn = api.deploymentStage.stageArn;
    if (operations?.firewall)
      new ApiFirewall(this, 'Firewall', { stage, apiStageArn, ...operations.firewall });
    this.#schedule(props, resources);
  }

  /** Runs the scheduled functions. If every attempt of a run fails, its event is kept and an alarm fires. */
  #schedule(props: ApiStackProps, resources: StageResources): void {
    const { stage, operations } = props.config;
    const deadLetterQueue =
      operations &&
      new Queue(this, 'FailedSchedules', {
        queueName: failedSchedulesName(stage),
        encryption: QueueEncryption.SQS_MANAGED,
        enforceSSL: true,
        retentionPeriod: Duration.days(14),
      });
    for (const spec of SCHEDULES.filter(({ isAwsOnly }) => operations || !isAwsOnly)) {
      const handler = this.#function({ ...spec, deadLetterQueue }, props, resources);
      new Rule(this, `${spec.name}-schedule`, {
        schedule: Schedule.rate(Duration.minutes(spec.everyMinutes)),
        targets: [new FunctionTarget(handler, deadLetterQueue && { deadLetterQueue })],
      });
    }
  }

  #function(
    spec: FunctionSpec & { readonly deadLetterQueue?: Queue | undefined },
    { config, bundles }: ApiStackProps,
    resources: StageResources,
  ): ServiceFunction {
    const { name, access, timeoutSeconds, deadLetterQueue } = spec;
    const bundle = bundles.get(name);
    if (!bundle) throw new Error(`The function ${name} has no bundle.`);
    return new ServiceFunction(this, name, {
      config,
      code: Code.fromAsset(bundle, { exclude: ['*.map'] }),
      access: accessTo(resources, access),
      timeoutSeconds,
      deadLetterQueue,
    });
  }
}
