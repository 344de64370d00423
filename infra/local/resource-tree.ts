import * as v from 'valibot';
import type { Deployment } from './template.ts';

/** Where a request path leads in a REST API, and what stands behind each of its methods. */

export interface Integration {
  readonly functionArn: string;
  readonly timeoutMs: number;
  /** The method as the template has it: `POST`, or `ANY`. */
  readonly httpMethod: string;
}

export interface ResourceNode {
  /** As the template has it, for example `/v1/verifications/{request_id}`. */
  readonly path: string;
  readonly id: string;
  readonly integrations: Map<string, Integration>;
  readonly children: Map<string, ResourceNode>;
  /** The child `{name}` or `{name+}`, and the name. */
  parameter?: { readonly name: string; readonly node: ResourceNode };
  greedy?: { readonly name: string; readonly node: ResourceNode };
}

export interface Match {
  readonly node: ResourceNode;
  readonly pathParameters: Readonly<Record<string, string>> | null;
}

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

/** The resources and methods of the API `restApiId`. Throws for a method that no function serves directly. */
export function resourceTree(
  deployment: Deployment,
  restApiId: string,
  rootResourceId: string,
): ResourceNode {
  const root = node(rootResourceId, '/');
  const byId = new Map([[rootResourceId, root]]);
  let open = deployment.ofType('AWS::ApiGateway::Resource').map((resource) => {
    const { ParentId, PathPart, RestApiId } = v.parse(resourceShape, deployment.properties(resource));
    return { id: deployment.name(resource), ParentId, PathPart, RestApiId };
  });
  open = open.filter(({ RestApiId }) => RestApiId === restApiId);
  while (open.length > 0) {
    const ready = open.filter(({ ParentId }) => byId.has(ParentId));
    if (ready.length === 0) throw new Error(`The resource ${open[0]?.id} of the REST API has no parent.`);
    for (const { id, ParentId, PathPart } of ready) {
      const parent = byId.get(ParentId);
      if (parent) byId.set(id, addChild(parent, id, PathPart));
    }
    open = open.filter((resource) => !ready.includes(resource));
  }
  for (const resource of deployment.ofType('AWS::ApiGateway::Method')) {
    const { Integration, HttpMethod, ResourceId, RestApiId } = v.parse(
      methodShape,
      deployment.properties(resource),
    );
    if (RestApiId !== restApiId) continue;
    const [, functionArn] = /\/functions\/(.+)\/invocations$/.exec(Integration.Uri) ?? [];
    if (!functionArn) throw new Error(`The method ${resource.logicalId} calls no function.`);
    const timeoutMs = Integration.TimeoutInMillis;
    byId.get(ResourceId)?.integrations.set(HttpMethod, { functionArn, timeoutMs, httpMethod: HttpMethod });
  }
  return root;
}

/**
 * The resource of a request path, without its query: an exact name goes before `{name}`, that before `{name+}`.
 * A slash at the end makes no difference. Throws URIError for a broken percent encoding.
 */
export function matchPath(root: ResourceNode, path: string): Match | undefined {
  const inner = path.endsWith('/') ? path.slice(1, -1) : path.slice(1);
  const found = walk(root, inner === '' ? [] : inner.split('/'), 0);
  if (!found) return undefined;
  const parameters = Object.entries(found.parameters);
  return { node: found.node, pathParameters: parameters.length > 0 ? found.parameters : null };
}

interface Found {
  readonly node: ResourceNode;
  readonly parameters: Readonly<Record<string, string>>;
}

function walk(at: ResourceNode, segments: readonly string[], index: number): Found | undefined {
  const segment = segments[index];
  if (segment === undefined) return at.integrations.size > 0 ? { node: at, parameters: {} } : undefined;
  const exact = at.children.get(segment);
  const below = exact && walk(exact, segments, index + 1);
  if (below) return below;
  if (at.parameter && segment !== '') {
    const { name, node } = at.parameter;
    const found = walk(node, segments, index + 1);
    if (found)
      return { node: found.node, parameters: { [name]: decodeURIComponent(segment), ...found.parameters } };
  }
  if (!at.greedy) return undefined;
  const rest = decodeURIComponent(segments.slice(index).join('/'));
  return { node: at.greedy.node, parameters: { [at.greedy.name]: rest } };
}

function node(id: string, path: string): ResourceNode {
  return { id, path, integrations: new Map(), children: new Map() };
}

function addChild(parent: ResourceNode, id: string, pathPart: string): ResourceNode {
  const child = node(id, `${parent.path === '/' ? '' : parent.path}/${pathPart}`);
  const [, name = '', plus] = /^\{([^+}]+)(\+)?\}$/.exec(pathPart) ?? [];
  if (name === '') parent.children.set(pathPart, child);
  else if (plus) parent.greedy = { name, node: child };
  else parent.parameter = { name, node: child };
  return child;
}
