import * as v from 'valibot';
import type { FunctionPool } from './function-pool.ts';
import { callPermissions } from './functions.ts';
import type { GatewayResponseType } from './gateway-responses.ts';
import { arn } from './physical-names.ts';
import { type Integration, type Match, matchPath, resourceTree } from './resource-tree.ts';
import type { RestTarget } from './rest-event.ts';
import type { Deployment } from './template.ts';

/** What serves a request. */
export interface RestRoute {
  readonly pool: FunctionPool;
  /** How long the gateway waits for the function. */
  readonly timeoutMs: number;
  readonly target: RestTarget;
}

export interface RestRoutes {
  readonly apiId: string;
  /** The route of a request, or the gateway's own answer where there is none. */
  find(method: string, url: string): RestRoute | GatewayResponseType;
}

const apiShape = v.object({ BinaryMediaTypes: v.optional(v.array(v.string()), []) });
const stageShape = v.object({ StageName: v.string() });

/** The routes of the one REST API of the templates. */
export function restRoutes(
  deployment: Deployment,
  poolOf: (functionArn: string) => FunctionPool | undefined,
): RestRoutes {
  const [api, another] = deployment.ofType('AWS::ApiGateway::RestApi');
  const [stageResource] = deployment.ofType('AWS::ApiGateway::Stage');
  if (!api || !stageResource || another)
    throw new Error('The templates must have one REST API with one stage.');
  const apiId = deployment.name(api);
  const stage = v.parse(stageShape, deployment.properties(stageResource)).StageName;
  const binary = v.parse(apiShape, deployment.properties(api)).BinaryMediaTypes.includes('*/*');
  const root = resourceTree(deployment, apiId, `${api.logicalId}/root`);
  const mayCall = callPermissions(deployment);
  const pools = new Map<Integration, FunctionPool | undefined>();

  /** The function of an integration, if the API may call it. */
  function permittedPool(integration: Integration, path: string): FunctionPool | undefined {
    if (pools.has(integration)) return pools.get(integration);
    const method = integration.httpMethod === 'ANY' ? '*' : integration.httpMethod;
    const source = arn('execute-api', `${apiId}/${stage}/${method}${path.replace(/\{[^}]+\}/g, '*')}`);
    const isAllowed = mayCall('apigateway.amazonaws.com', source, integration.functionArn);
    const pool = isAllowed ? poolOf(integration.functionArn) : undefined;
    pools.set(integration, pool);
    return pool;
  }

  return {
    apiId,
    find(method, url) {
      const query = url.indexOf('?');
      let match: Match | undefined;
      try {
        match = matchPath(root, query < 0 ? url : url.slice(0, query));
      } catch {
        return 'BAD_REQUEST_PARAMETERS';
      }
      const integration = match?.node.integrations.get(method) ?? match?.node.integrations.get('ANY');
      if (!match || !integration) return 'MISSING_AUTHENTICATION_TOKEN';
      const { node, pathParameters } = match;
      const pool = permittedPool(integration, node.path);
      if (!pool) return 'API_CONFIGURATION_ERROR';
      const { path: resourcePath, id: resourceId } = node;
      const target = { apiId, stage, resourcePath, resourceId, pathParameters, binary };
      return { pool, timeoutMs: integration.timeoutMs, target };
    },
  };
}
