import { Stack, type StackProps } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { FunctionUrlAuthType, type IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import type { ServedRoute } from '../constructs/api/api-body.ts';
import { ApiFirewall } from '../constructs/api/api-firewall.ts';
import { apiLimits, stageLimits } from '../constructs/api/api-limits.ts';
import { warnWithoutBulkheads } from '../constructs/api/bulkheads.ts';
import { EnvelopeApi } from '../constructs/api/envelope-api.ts';
import { gatewayResponses } from '../constructs/api/gateway-responses.ts';
import { addSchedules } from '../constructs/functions/scheduled-functions.ts';
import { serviceFunction } from '../constructs/functions/service-function.ts';
import { addTrailCopy } from '../constructs/functions/trail-copy.ts';
import { eventBusName, serviceName } from '../constructs/physical-names.ts';
import { Rollout } from '../constructs/rollout/rollout.ts';
import { versionCheckAccess } from '../constructs/rollout/version-check.ts';
import {
  type FunctionSpec,
  KEYLESS_PATHS,
  methodsOf,
  PREFIXES,
  ROUTES,
  SANDBOX_REGISTRY,
  UNKNOWN_ROUTE,
  VERSION_CHECK,
} from '../routes.ts';
import type { DataStack } from './data-stack.ts';

interface ApiStackProps extends StackProps {
  readonly config: StageConfig;
  readonly data: DataStack;
  /** The directory of each function's bundle, by the function's name. */
  readonly bundles: ReadonlyMap<string, string>;
  /** Shifts all traffic at once in this deployment (docs/operate/new-versions.md, "Deploy without a rollout"). */
  readonly deployNow: boolean;
}

/**
 * The API: its functions, REST API, schedules, event bus, firewall and rollouts. It contains no data and can be deleted
 * and deployed again.
 */
export class ApiStack extends Stack {
  readonly restApi: EnvelopeApi;
  /** The sandbox registry, which the console of the stage `local` also calls. */
  readonly sandbox: { readonly url: string; readonly functionArn: string };

  constructor(scope: Construct, id: string, props: ApiStackProps) {
    super(scope, id, props);
    const { config, data, deployNow } = props;
    const { operations, stage } = config;
    const title = serviceName(stage);
    const stored = { config, ...storedIn(data) };

    const sandbox = serviceFunction(this, SANDBOX_REGISTRY, props, stored);
    // Requests must be signed by a role that may use the URL. The sandbox also requires the shared secret (contract
    // A9).
    const { url } = sandbox.addFunctionUrl({ authType: FunctionUrlAuthType.AWS_IAM });
    this.sandbox = { url, functionArn: sandbox.functionArn };
    const eventBus = new EventBus(this, 'Events', { eventBusName: eventBusName(stage) });
    const resources = {
      ...stored,
      sandbox: this.sandbox,
      versionCheck: versionCheckAccess(this, stage),
      eventBus,
    };

    const versionCheck = operations?.rollout && serviceFunction(this, VERSION_CHECK, props, resources);
    const rollout =
      operations && new Rollout(this, 'Rollout', { ...config, ...operations, deployNow, versionCheck });
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
    this.restApi = new EnvelopeApi(this, 'Api', {
      config,
      title,
      addresses: operations ?? {},
      output: 'ApiUrl',
      setsLogRole: true,
      limits: stageLimits(apiLimits(config)),
      gatewayResponses: gatewayResponses(),
      routes,
      fallback: invocable(UNKNOWN_ROUTE),
    });
    const apiStageArn = this.restApi.deploymentStage.stageArn;
    if (operations?.firewall)
      new ApiFirewall(this, 'Firewall', {
        title,
        apiStageArn,
        openPaths: KEYLESS_PATHS,
        ...operations.firewall,
      });
    addTrailCopy(this, props, resources, addSchedules(this, props, resources));
    warnWithoutBulkheads(this, config);
  }
}

/** Returns what functions can be given access to in the data stack. */
const storedIn = ({ tables, secrets, key, archive }: DataStack) => ({ tables, secrets, key, archive });
