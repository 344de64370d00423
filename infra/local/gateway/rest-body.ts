import * as v from 'valibot';
import type { Deployment } from '../templates/template.ts';

/** The OpenAPI document from which API Gateway creates the REST API of the templates. */

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

const stageShape = v.object({ StageName: v.string() });

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

/** Types that declare parts of a REST API outside its body. */
const PARTS = ['AWS::ApiGateway::Resource', 'AWS::ApiGateway::Method', 'AWS::ApiGateway::GatewayResponse'];

/** Returns the REST API. Throws unless the templates have one REST API with one stage, and all of it in its body. */
export function restApiOf(deployment: Deployment): RestApi {
  const [api, secondApi] = deployment.ofType('AWS::ApiGateway::RestApi');
  const [stage, secondStage] = deployment.ofType('AWS::ApiGateway::Stage');
  if (!api || !stage || secondApi || secondStage)
    throw new Error('The templates must have one REST API with one stage.');
  const [part] = deployment.ofType(...PARTS);
  if (part)
    throw new Error(
      `The local runtime does not support the ${part.type} ${part.logicalId}. Declare it in the Body of the REST API.`,
    );
  const { success, output, issues } = v.safeParse(apiShape, deployment.properties(api));
  if (!success) {
    const problems = issues.map((issue) => `\n- ${v.getDotPath(issue)}: ${issue.message}`);
    throw new Error(
      `The local runtime does not support this REST API (${api.logicalId}):${problems.join('')}`,
    );
  }
  const { Body, BinaryMediaTypes } = output;
  return {
    apiId: deployment.name(api),
    stage: v.parse(stageShape, deployment.properties(stage)).StageName,
    paths: Body.paths,
    binary: [...BinaryMediaTypes, ...Body['x-amazon-apigateway-binary-media-types']].includes('*/*'),
    gatewayResponses: Body['x-amazon-apigateway-gateway-responses'],
  };
}
