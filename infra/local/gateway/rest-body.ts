import * as v from 'valibot';
import { REGION, URL_SUFFIX } from '../templates/physical-names.ts';
import type { Deployment, Resource } from '../templates/template.ts';

const operationShape = v.strictObject({
  parameters: v.optional(v.array(v.looseObject({ in: v.literal('path') }))),
  responses: v.optional(v.record(v.string(), v.unknown())),
  security: v.optional(v.strictTuple([v.strictObject({ sigv4: v.strictTuple([]) })])),
  'x-amazon-apigateway-integration': v.strictObject({
    type: v.literal('aws_proxy'),
    httpMethod: v.literal('POST'),
    uri: v.string(),
    timeoutInMillis: v.optional(v.number(), 29_000),
  }),
});

const METHODS = [
  'get',
  'head',
  'options',
  'put',
  'post',
  'patch',
  'delete',
  'x-amazon-apigateway-any-method',
];

const responseShape = v.strictObject({
  statusCode: v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(Number))),
  responseParameters: v.optional(v.record(v.string(), v.string()), {}),
  responseTemplates: v.optional(v.record(v.string(), v.string()), {}),
});

/** The only security scheme. */
const sigv4Shape = v.strictObject({
  type: v.literal('apiKey'),
  name: v.literal('Authorization'),
  in: v.literal('header'),
  'x-amazon-apigateway-authtype': v.literal('awsSigv4'),
});

const bodyShape = v.strictObject({
  openapi: v.string(),
  info: v.unknown(),
  servers: v.optional(v.unknown()),
  paths: v.record(v.string(), v.record(v.picklist(METHODS), operationShape)),
  components: v.optional(v.strictObject({ securitySchemes: v.strictObject({ sigv4: sigv4Shape }) })),
  'x-amazon-apigateway-binary-media-types': v.optional(v.array(v.string()), []),
  'x-amazon-apigateway-gateway-responses': v.optional(v.record(v.string(), responseShape), {}),
});

const apiShape = v.object({
  Body: v.pipe(
    bodyShape,
    v.check(
      ({ paths, components }) =>
        components !== undefined ||
        !Object.values(paths).some((operations) =>
          Object.values(operations).some(({ security }) => security),
        ),
      'The security scheme sigv4 is not declared.',
    ),
  ),
  BinaryMediaTypes: v.optional(v.array(v.string()), []),
});

const stageShape = v.object({ StageName: v.string(), RestApiId: v.string() });

/** By lower-case name or `x-amazon-apigateway-any-method`. */
export type Paths = v.InferOutput<typeof bodyShape>['paths'];

type DeclaredResponse = v.InferOutput<typeof responseShape>;

export interface RestApi {
  readonly apiId: string;
  readonly stage: string;
  readonly paths: Paths;
  /** Whether every body is binary. */
  readonly binary: boolean;
  /** By type, such as `DEFAULT_4XX`. */
  readonly gatewayResponses: Readonly<Record<string, DeclaredResponse>>;
}

/** Each API has its own port. */
export interface PerApi<T> {
  readonly api: T;
  readonly console?: T;
  readonly operators?: T;
}

/** By the end of the stack's name. */
const OWN_STACKS = ['console', 'operators'] as const;

const PARTS = ['AWS::ApiGateway::Resource', 'AWS::ApiGateway::Method', 'AWS::ApiGateway::GatewayResponse'];

/**
 * Throws if there are others than in `PerApi`, if an API has not exactly one stage, or if parts are declared outside
 * its body.
 */
export function restApisOf(deployment: Deployment): PerApi<RestApi> {
  const [part] = deployment.ofType(...PARTS);
  if (part)
    throw new Error(
      `The local runtime does not support the ${part.type} ${part.logicalId}. Declare it in the Body of the REST API.`,
    );
  const declared: { -readonly [K in keyof PerApi<Resource>]?: Resource } = {};
  for (const resource of deployment.ofType('AWS::ApiGateway::RestApi')) {
    const name = OWN_STACKS.find((stack) => `-${resource.stack.name}`.endsWith(`-${stack}`)) ?? 'api';
    if (declared[name])
      throw new Error(
        `The local runtime serves one REST API, and one in the stacks of the console and of the operators. It has no port for ${resource.logicalId} of ${resource.stack.name}.`,
      );
    declared[name] = resource;
  }
  const { api, console: consoleApi, operators } = declared;
  if (!api) throw new Error('The templates contain no REST API.');
  return {
    api: restApiOf(deployment, api),
    ...(consoleApi && { console: restApiOf(deployment, consoleApi) }),
    ...(operators && { operators: restApiOf(deployment, operators) }),
  };
}

function restApiOf(deployment: Deployment, api: Resource): RestApi {
  const apiId = deployment.name(api);
  const [stage, secondStage] = deployment
    .ofType('AWS::ApiGateway::Stage')
    .map((resource) => v.parse(stageShape, deployment.properties(resource)))
    .filter(({ RestApiId }) => RestApiId === apiId);
  if (!stage || secondStage) throw new Error(`The REST API ${api.logicalId} must have one stage.`);
  const { success, output, issues } = v.safeParse(apiShape, deployment.properties(api));
  if (!success) {
    const problems = issues.map((issue) => `\n- ${v.getDotPath(issue)}: ${issue.message}`);
    throw new Error(
      `The local runtime does not support this REST API (${api.logicalId}):${problems.join('')}`,
    );
  }
  const { Body, BinaryMediaTypes } = output;
  return {
    apiId,
    stage: stage.StageName,
    paths: Body.paths,
    binary: [...BinaryMediaTypes, ...Body['x-amazon-apigateway-binary-media-types']].includes('*/*'),
    gatewayResponses: Body['x-amazon-apigateway-gateway-responses'],
  };
}

/** Without a custom domain. */
export function invokeUrl({ apiId, stage }: RestApi): string {
  return `https://${apiId}.execute-api.${REGION}.${URL_SUFFIX}/${stage}`;
}
