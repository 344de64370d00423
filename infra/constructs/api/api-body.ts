import { Aws } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { resourcePaths } from './resource-paths.ts';

/** Callers read a different document, docs/openapi.json. */

export interface ServedRoute {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT';
  /** Such as `/v1/verifications/{request_id}`, without a trailing slash. */
  readonly path: string;
  readonly handler: IFunction;
}

interface ApiBodyProps {
  readonly title: string;
  readonly routes: readonly ServedRoute[];
  /** Serves all other methods and paths (contract A8), instead of MISSING_AUTHENTICATION_TOKEN. */
  readonly fallback?: IFunction;
  /** `iam`: callers sign requests, and their policies must allow `execute-api:Invoke`. @default every caller is served */
  readonly authorisation?: 'iam';
  /** By type. */
  readonly gatewayResponses: object;
  /** Closes the address that API Gateway generates. */
  readonly disableExecuteApiEndpoint: boolean;
}

/** Returned unchanged, whatever the Accept header (contract A2). */
export const BINARY_MEDIA_TYPES = ['*/*'];

/** API Gateway developer guide, "x-amazon-apigateway-authtype property". */
const SIGNATURE = {
  type: 'apiKey',
  name: 'Authorization',
  in: 'header',
  'x-amazon-apigateway-authtype': 'awsSigv4',
};

/**
 * Contains everything that an import overwrites: an update would otherwise remove gateway responses and binary media
 * types, and open the closed endpoint (docs/design/decisions/0009-one-api-body.md).
 */
export function apiBody(props: ApiBodyProps): object {
  const { title, routes, fallback, authorisation, disableExecuteApiEndpoint } = props;
  const served = routes.map((route) => route.path);
  const paths = (fallback ? resourcePaths(served) : [...new Set(served)]).map((path) => {
    const own = routes.filter((route) => route.path === path);
    const operations = own.map(({ method, handler }) => [
      method.toLowerCase(),
      operation(path, handler, authorisation),
    ]);
    const anyOther = fallback && {
      'x-amazon-apigateway-any-method': operation(path, fallback, authorisation),
    };
    return [path, { ...Object.fromEntries(operations), ...anyOther }];
  });
  return {
    openapi: '3.0.1',
    info: { title, version: '1' },
    servers: [{ url: '/', 'x-amazon-apigateway-endpoint-configuration': { disableExecuteApiEndpoint } }],
    paths: Object.fromEntries(paths),
    ...(authorisation && { components: { securitySchemes: { sigv4: SIGNATURE } } }),
    'x-amazon-apigateway-binary-media-types': BINARY_MEDIA_TYPES,
    'x-amazon-apigateway-gateway-responses': props.gatewayResponses,
  };
}

function operation(path: string, handler: IFunction, authorisation?: 'iam'): object {
  const names = [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => name);
  return {
    parameters: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    responses: {},
    ...(authorisation && { security: [{ sigv4: [] }] }),
    'x-amazon-apigateway-integration': {
      type: 'aws_proxy',
      // Lambda is always invoked with POST.
      httpMethod: 'POST',
      uri: `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}:lambda:path/2015-03-31/functions/${handler.functionArn}/invocations`,
    },
  };
}
