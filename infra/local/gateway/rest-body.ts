import * as v from 'valibot';
import { REGION, URL_SUFFIX } from '../templates/physical-names.ts';
import type { Deployment, Resource } from '../templates/template.ts';

/** The OpenAPI documents from which API Gateway creates the REST APIs of the templates. */

const operationShape = v.strictObject({
  parameters: v.optional(v.array(v.looseObject({ in: v.literal('path') }))),
  responses: v.optional(v.record(v.string(), v.unknown())),
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

const bodyShape = v.strictObject({
  openapi: v.string(),
  info: v.unknown(),
  servers: v.optional(v.unknown()),
  paths: v.record(v.string(), v.record(v.picklist(METHODS), operationShape)),
  'x-amazon-apigateway-binary-media-types': v.optional(v.array(v.string()), []),
  'x-amazon-apigateway-gateway-responses': v.optional(v.record(v.string(), responseShape), {}),
});

const apiShape = v.object({ Body: bodyShape, BinaryMediaTypes: v.optional(v.array(v.string()), []) });

const stageShape = v.object({ StageName: v.string(), RestApiId: v.string() });

/** Paths with their methods, by lower-case name or `x-amazon-apigateway-any-method`. */
export type Paths = v.InferOutput<typeof bodyShape>['paths'];

export type DeclaredResponse = v.InferOutput<typeof responseShape>;

export interface RestApi {
  readonly apiId: string;
  readonly stage: string;
  readonly paths: Paths;
  /** Whether every body is binary. */
  readonly binary: boolean;
  /** By type, such as `DEFAULT_4XX`. */
  readonly gatewayResponses: Readonly<Record<string, DeclaredResponse>>;
}

/** One value for each REST API of an app. Each API is served on its own port. */
export interface PerApi<T> {
  readonly api: T;
  /** The API of the account console, which is in its own stack. Absent if the app has no console. */
  readonly console?: T;
}

const CONSOLE_STACK = /(^|-)console$/;

/** Types that declare parts of a REST API outside its body. */
const PARTS = ['AWS::ApiGateway::Resource', 'AWS::ApiGateway::Method', 'AWS::ApiGateway::GatewayResponse'];

/**
 * Returns the REST APIs of the templates. Throws if there are others besides the main API and the console's, if an API
 * does not have exactly one stage, or if a part of an API is declared outside its body.
 */
export function restApisOf(deployment: Deployment): PerApi<RestApi> {
  const [part] = deployment.ofType(...PARTS);
  if (part)
    throw new Error(
      `The local runtime does not support the ${part.type} ${part.logicalId}. Declare it in the Body of the REST API.`,
    );
  const declared = deployment.ofType('AWS::ApiGateway::RestApi');
  const isConsole = ({ stack }: Resource) => CONSOLE_STACK.test(stack.name);
  const [api, ...otherApis] = declared.filter((resource) => !isConsole(resource));
  const [consoleApi, ...otherConsoles] = declared.filter(isConsole);
  if (!api) throw new Error('The templates contain no REST API.');
  const [unexpected] = [...otherApis, ...otherConsoles];
  if (unexpected)
    throw new Error(
      `The local runtime serves one REST API, and one in the stack of the console. It has no port for ${unexpected.logicalId} of ${unexpected.stack.name}.`,
    );
  return {
    api: restApiOf(deployment, api),
    ...(consoleApi && { console: restApiOf(deployment, consoleApi) }),
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

/** Returns the address under which AWS serves an API that has no custom domain. */
export function invokeUrl({ apiId, stage }: RestApi): string {
  return `https://${apiId}.execute-api.${REGION}.${URL_SUFFIX}/${stage}`;
}
