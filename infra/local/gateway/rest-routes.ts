import { createHash } from 'node:crypto';
import { callPermissions } from '../functions/definitions.ts';
import type { FunctionPool } from '../functions/function-pool.ts';
import { arn } from '../templates/physical-names.ts';
import type { Deployment } from '../templates/template.ts';
import type { GatewayResponseType } from './gateway-responses.ts';
import type { Paths, RestApi } from './rest-body.ts';
import type { RestTarget } from './rest-event.ts';

/** The routes of the REST API. */

interface RestRoute {
  readonly pool: FunctionPool;
  /** For the function. */
  readonly timeoutMs: number;
  readonly needsSignature: boolean;
  readonly target: RestTarget;
}

interface Integration {
  readonly functionArn: string;
  readonly timeoutMs: number;
  readonly needsSignature: boolean;
  /** Such as `POST` or `ANY`. */
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

/** Returns the routes of a REST API. */
export function restRoutes(
  { apiId, stage, paths, binary }: RestApi,
  deployment: Deployment,
  poolOf: (functionArn: string) => FunctionPool | undefined,
) {
  const root = resourceTree(paths);
  const mayCall = callPermissions(deployment);
  const pools = new Map<Integration, FunctionPool | undefined>();

  /** Undefined without permission to invoke it. */
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
    find(method: string, url: string): RestRoute | GatewayResponseType {
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
      const { timeoutMs, needsSignature } = integration;
      return { pool, timeoutMs, needsSignature, target };
    },
  };
}

/** Throws for a method that does not call a function. */
export function resourceTree(paths: Paths): ResourceNode {
  const root = createNode('/');
  for (const [path, operations] of Object.entries(paths)) {
    const parts = path.split('/').filter((part) => part !== '');
    const node = parts.reduce(childOf, root);
    for (const [method, operation] of Object.entries(operations)) {
      const { uri, timeoutInMillis } = operation['x-amazon-apigateway-integration'];
      const [, functionArn] = /\/functions\/(.+)\/invocations$/.exec(uri) ?? [];
      if (!functionArn) throw new Error(`The method ${method} of ${path} does not call a function.`);
      const httpMethod = method === 'x-amazon-apigateway-any-method' ? 'ANY' : method.toUpperCase();
      const needsSignature = operation.security !== undefined;
      const integration = { functionArn, timeoutMs: timeoutInMillis, needsSignature, httpMethod };
      node.integrations.set(httpMethod, integration);
    }
  }
  return root;
}

/**
 * Without the query. An exact name wins over `{name}`, and `{name}` over `{name+}`. A trailing slash is ignored. Throws
 * URIError for an invalid encoding.
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

/** Derived from the path. */
function createNode(path: string): ResourceNode {
  const id = createHash('sha256').update(path).digest('hex').slice(0, 6);
  return { path, id, integrations: new Map(), children: new Map() };
}

function childOf(parent: ResourceNode, pathPart: string): ResourceNode {
  const [, name = '', plus] = /^\{([^+}]+)(\+)?\}$/.exec(pathPart) ?? [];
  const known = plus ? parent.greedy : parent.parameter;
  const existing = name === '' ? parent.children.get(pathPart) : known?.node;
  if (known && existing && known.name !== name)
    throw new Error(`${parent.path} has two children with a parameter: {${known.name}} and ${pathPart}.`);
  if (existing) return existing;
  const child = createNode(`${parent.path === '/' ? '' : parent.path}/${pathPart}`);
  if (name === '') parent.children.set(pathPart, child);
  else if (plus) parent.greedy = { name, node: child };
  else parent.parameter = { name, node: child };
  return child;
}
