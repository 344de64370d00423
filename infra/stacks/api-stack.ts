import { ArnFormat, Stack, type StackProps } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import type { ServedRoute } from '../constructs/api/api-body.ts';
import { ApiFirewall } from '../constructs/api/api-firewall.ts';
import { apiLimits, stageLimits } from '../constructs/api/api-limits.ts';
import { warnWithoutBulkheads } from '../constructs/api/bulkheads.ts';
import { EnvelopeApi } from '../constructs/api/envelope-api.ts';
import { gatewayResponses } from '../constructs/api/gateway-responses.ts';
import { addSchedules } from '../constructs/functions/scheduled-functions.ts';
import { addTrailCopy } from '../constructs/functions/trail-copy.ts';
import { eventBusName, functionNameOf, LIVE_ALIAS, serviceName } from '../constructs/physical-names.ts';
import { type FunctionSpec, KEYLESS_PATHS, methodsOf, PREFIXES, ROUTES, UNKNOWN_ROUTE } from '../routes.ts';
import type { DataStack } from './data-stack.ts';

interface ApiStackProps extends StackProps {
  readonly config: StageConfig;
  readonly data: DataStack;
  /** The directory of each function's bundle, by the function's name. */
  readonly bundles: ReadonlyMap<string, string>;
}

/**
 * The API: the REST API, schedules, event bus and firewall. It contains no data and can be deleted and deployed again.
 * The functions that it invokes are in a stack of their own.
 */
export class ApiStack extends Stack {
  readonly restApi: EnvelopeApi;

  constructor(scope: Construct, id: string, props: ApiStackProps) {
    super(scope, id, props);
    const { config, data } = props;
    const { operations, stage } = config;
    const title = serviceName(stage);
    const eventBus = new EventBus(this, 'Events', { eventBusName: eventBusName(stage) });
    const routes = ROUTES.flatMap((route): ServedRoute[] => {
      const handler = this.#invocable(config, route);
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
      fallback: this.#invocable(config, UNKNOWN_ROUTE),
    });
    const apiStageArn = this.restApi.deploymentStage.stageArn;
    if (operations?.firewall)
      new ApiFirewall(this, 'Firewall', {
        title,
        apiStageArn,
        openPaths: KEYLESS_PATHS,
        ...operations.firewall,
      });
    const { tables, secrets, key, archive } = data;
    const resources = { config, tables, secrets, key, archive, eventBus };
    addTrailCopy(this, props, resources, addSchedules(this, props, resources));
    warnWithoutBulkheads(this, config);
  }

  /**
   * Refers to the function by its name: CloudFormation does not remove what another stack imports, so a route could not
   * be removed.
   */
  #invocable({ operations, stage }: StageConfig, { name }: FunctionSpec) {
    const functionName = functionNameOf(stage, name);
    const resourceName = operations ? `${functionName}:${LIVE_ALIAS}` : functionName;
    const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
    const arn = this.formatArn({ service: 'lambda', resource: 'function', resourceName, arnFormat });
    return LambdaFunction.fromFunctionArn(this, name, arn);
  }
}
