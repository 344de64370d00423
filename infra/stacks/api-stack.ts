import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { EventBus, Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { FunctionUrlAuthType, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import type { StageResources } from '../constructs/access.ts';
import type { ServedRoute } from '../constructs/api-body.ts';
import { ApiFirewall } from '../constructs/api-firewall.ts';
import { warnWithoutBulkheads } from '../constructs/bulkheads.ts';
import { EnvelopeApi } from '../constructs/envelope-api.ts';
import { eventBusName, failedSchedulesName } from '../constructs/physical-names.ts';
import { Rollout } from '../constructs/rollout.ts';
import { serviceFunction } from '../constructs/service-function.ts';
import { versionCheckAccess } from '../constructs/version-check.ts';
import {
  type FunctionSpec,
  methodsOf,
  PREFIXES,
  ROUTES,
  SANDBOX_REGISTRY,
  SCHEDULES,
  UNKNOWN_ROUTE,
  VERSION_CHECK,
} from '../routes.ts';
import type { DataStack } from './data-stack.ts';

export interface ApiStackProps extends StackProps {
  readonly config: StageConfig;
  readonly data: DataStack;
  /** The directory of each function's bundle, by the function's name. */
  readonly bundles: ReadonlyMap<string, string>;
  /** Shifts all traffic at once in this deployment (docs/operations.md, "Deploy without a rollout"). */
  readonly deployNow: boolean;
}

/** Everything that can be deleted and deployed again: functions, the REST API, schedules, firewall and rollouts. */
export class ApiStack extends Stack {
  readonly restApi: EnvelopeApi;

  constructor(scope: Construct, id: string, props: ApiStackProps) {
    super(scope, id, props);
    const { config, data, deployNow } = props;
    const { operations, stage } = config;
    const stored = { config, tables: data.tables, secrets: data.secrets, key: data.key };

    const sandbox = serviceFunction(this, SANDBOX_REGISTRY, props, stored);
    // Requests must be signed by a role that may use the URL, and its code also requires the shared secret (decision A9).
    const { url } = sandbox.addFunctionUrl({ authType: FunctionUrlAuthType.AWS_IAM });
    const eventBus = operations && new EventBus(this, 'Events', { eventBusName: eventBusName(stage) });
    const resources = {
      ...stored,
      sandbox: { url, functionArn: sandbox.functionArn },
      versionCheck: versionCheckAccess(this, stage),
      eventBus,
    };

    const versionCheck = operations?.rollout && serviceFunction(this, VERSION_CHECK, props, resources);
    const rollout =
      operations && new Rollout(this, 'Rollout', { ...operations, stage, deployNow, versionCheck });
    const invocable = (spec: FunctionSpec): IFunction => {
      const handler = serviceFunction(this, spec, props, resources);
      return (rollout ? rollout.aliasOf(spec.name, handler) : handler) as IFunction;
    };
    const routes = ROUTES.flatMap((route): ServedRoute[] => {
      const handler = invocable(route);
      return PREFIXES.flatMap((prefix) =>
        methodsOf(route).map((method) => ({ method, path: prefix + route.path, handler })),
      );
    });
    this.restApi = new EnvelopeApi(this, 'Api', { config, routes, fallback: invocable(UNKNOWN_ROUTE) });
    const apiStageArn = this.restApi.deploymentStage.stageArn;
    if (operations?.firewall)
      new ApiFirewall(this, 'Firewall', { stage, apiStageArn, ...operations.firewall });
    this.#schedule(props, resources);
    warnWithoutBulkheads(this, config);
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
      const handler = serviceFunction(this, { ...spec, deadLetterQueue }, props, resources);
      new Rule(this, `${spec.name}-schedule`, {
        schedule: Schedule.rate(Duration.minutes(spec.everyMinutes)),
        targets: [new FunctionTarget(handler, deadLetterQueue && { deadLetterQueue })],
      });
    }
  }
}
