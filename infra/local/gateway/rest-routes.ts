import * as v from 'valibot';
import { callPermissions } from '../functions/definitions.ts';
import type { FunctionPool } from '../functions/function-pool.ts';
import { arn } from '../templates/physical-names.ts';
import type { Deployment } from '../templates/template.ts';
import type { GatewayResponseType } from './gateway-responses.ts';
import type { RestTarget } from './rest-event.ts';

/** The routes of the REST API, from the resources and methods of the templates. */

export interface RestRoute {
  readonly pool: FunctionPool;
  /** How long the gateway waits for the function. */
  readonly timeoutMs: number;
  readonly target: RestTarget;
}

export interface RestRoutes {
  readonly apiId: string;
  /** Returns the route of a request, or the gateway's own response if no route matches. */
  find(method: string, url: string): RestRoute | GatewayResponseType;
}

interface Integration {
  readonly functionArn: string;
  readonly timeoutMs: number;
  /** The method as the template declares it, such as `POST` or `ANY`. */
  readonly httpMethod: string;
}

interface ResourceNode {
  /** As in the template, such as `/v1/verifications/{request_id}`. */
  readonly path: string;
  readonly id: string;
  /** By HTTP method. */
  readonly integrations: Map<string, Integration>;
  readonly children: Map<string, ResourceNode>;
  /** The child `{name}`. */
  parameter?: { readonly name: string; readonly node: ResourceNode };
  /** The child `{name+}`. */
  greedy?: { readonly name: string; readonly node: ResourceNode };
}

interface Match {
  readonly node: ResourceNode;
  readonly pathParameters: Readonly<Record<string, string>>;
}

const apiShape = v.object({ BinaryMediaTypes: v.optional(v.array(v.string()), []) });

const stageShape = v.object({ StageName: v.string() });

const resourceShape = v.object({ ParentId: v.string(), PathPart: v.string(), RestApiId: v.string() });

const methodShape = v.object({
  ResourceId: v.string(),
  RestApiId: v.string(),
  HttpMethod: v.string(),
  AuthorizationType: v.optional(v.literal('NONE')),
  ApiKeyRequired: v.optional(v.literal(false)),
  Integration: v.object({
    Type: v.literal('AWS_PROXY'),
    Uri: v.string(),
    TimeoutInMillis: v.optional(v.number(), 29_000),
  }),
});

/** Returns the routes of the REST API. Throws unless the templates have one REST API with one stage. */
export function restRoutes(
  deployment: Deployment,
  poolOf: (functionArn: string) => FunctionPool | undefined,
): RestRoutes {
  const [api, secondApi] = deployment.ofType('AWS::ApiGateway::RestApi');
  const [stageResource] = deployment.ofType('AWS::ApiGateway::Stage');
  if (!api || !stageResource || secondApi)
    throw new Error('The templates must have one REST API with one stage.');
  const apiId = deployment.name(api);
  const stage = v.parse(stageShape, deployment.properties(stageResource)).StageName;
  const binary = v.parse(apiShape, deployment.properties(api)).BinaryMediaTypes.includes('*/*');
  const root = resourceTree(deployment, apiId, `${api.logicalId}/root`);
  const mayCall = callPermissions(deployment);
  const pools = new Map<Integration, FunctionPool | undefined>();

  /** Returns the function of an integration, or undefined if the API has no permission to invoke it. */
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
      const [path = ''] = url.split('?');
      let match: Match | undefined;
      try {
        match = matchPath(root, path);
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

/** Builds the resources and methods of an API. Throws for a method that does not call a function directly. */
export function resourceTree(
  deployment: Deployment,
  restApiId: string,
  rootResourceId: string,
): ResourceNode {
  const root = createNode(rootResourceId, '/');
  const byId = new Map([[rootResourceId, root]]);
  let pending = deployment
    .ofType('AWS::ApiGateway::Resource')
    .map((resource) => ({
      id: deployment.name(resource),
      ...v.parse(resourceShape, deployment.properties(resource)),
    }))
    .filter(({ RestApiId }) => RestApiId === restApiId);
  // Templates have no order: a resource can come before its parent.
  while (pending.length > 0) {
    const ready = pending.filter(({ ParentId }) => byId.has(ParentId));
    if (ready.length === 0) throw new Error(`The resource ${pending[0]?.id} of the REST API has no parent.`);
    for (const { id, ParentId, PathPart } of ready) {
      const parent = byId.get(ParentId);
      if (parent) byId.set(id, addChild(parent, id, PathPart));
    }
    pending = pending.filter((resource) => !ready.includes(resource));
  }
  for (const resource of deployment.ofType('AWS::ApiGateway::Method')) {
    const { Integration, HttpMethod, ResourceId, RestApiId } = v.parse(
      methodShape,
      deployment.properties(resource),
    );
    if (RestApiId !== restApiId) continue;
    const [, functionArn] = /\/functions\/(.+)\/invocations$/.exec(Integration.Uri) ?? [];
    if (!functionArn) throw new Error(`The method ${resource.logicalId} does not call a function.`);
    const timeoutMs = Integration.TimeoutInMillis;
    byId.get(ResourceId)?.integrations.set(HttpMethod, { functionArn, timeoutMs, httpMethod: HttpMethod });
  }
  return root;
}

/**
 * Finds the resource of a request path without its query. An exact name wins over `{name}`, and `{name}` over
 * `{name+}`. A trailing slash is ignored. Throws URIError for an invalid percent encoding.
 */
export function matchPath(root: ResourceNode, path: string): Match | undefined {
  const inner = path.endsWith('/') ? path.slice(1, -1) : path.slice(1);
  return matchSegments(root, inner === '' ? [] : inner.split('/'));
}

function matchSegments(parent: ResourceNode, segments: readonly string[]): Match | undefined {
  const [segment, ...rest] = segments;
  if (segment === undefined)
    return parent.integrations.size > 0 ? { node: parent, pathParameters: {} } : undefined;
  const child = parent.children.get(segment);
  const exact = child && matchSegments(child, rest);
  if (exact) return exact;
  if (parent.parameter && segment !== '') {
    const match = matchSegments(parent.parameter.node, rest);
    const value = { [parent.parameter.name]: decodeURIComponent(segment) };
    if (match) return { node: match.node, pathParameters: { ...value, ...match.pathParameters } };
  }
  if (!parent.greedy) return undefined;
  const { name, node } = parent.greedy;
  return { node, pathParameters: { [name]: decodeURIComponent(segments.join('/')) } };
}

function createNode(id: string, path: string): ResourceNode {
  return { id, path, integrations: new Map(), children: new Map() };
}

function addChild(parent: ResourceNode, id: string, pathPart: string): ResourceNode {
  const child = createNode(id, `${parent.path === '/' ? '' : parent.path}/${pathPart}`);
  const [, name = '', plus] = /^\{([^+}]+)(\+)?\}$/.exec(pathPart) ?? [];
  if (name === '') parent.children.set(pathPart, child);
  else if (plus) parent.greedy = { name, node: child };
  else parent.parameter = { name, node: child };
  return child;
}
