import { setting } from './config.ts';

/**
 * The common parts of the DynamoDB, Secrets Manager and SQS clients. Otherwise, the SDK would look for them in the
 * environment and the home directory during the first request of each client (docs/design/performance.md).
 */

/** What the SDK would otherwise read from the environment and from the profile of the home directory. */
export const EXPLICIT_SETTINGS = {
  ignoreConfiguredEndpointUrls: true,
  useFipsEndpoint: false,
  useDualstackEndpoint: false,
  accountIdEndpointMode: 'disabled' as const,
  authSchemePreference: [] as string[],
  defaultsMode: 'standard' as const,
  retryMode: 'standard',
  disableClockSkewCorrection: false,
};

type Endpoint = 'AWS_ENDPOINT_URL_DYNAMODB' | 'AWS_ENDPOINT_URL_SECRETS_MANAGER' | 'AWS_ENDPOINT_URL_SQS';

/** Returns the settings of a client. */
export function clientSettings(endpoint: Endpoint) {
  const url = setting(endpoint);
  return {
    region: setting('AWS_REGION'),
    ...(url && { endpoint: url }),
    ...EXPLICIT_SETTINGS,
  };
}

/** The middlewares that calls to DynamoDB and Secrets Manager do not need. */
const UNUSED = ['getUserAgentMiddleware', 'loggerMiddleware', 'recursionDetectionMiddleware'] as const;

/** Removes the unused middlewares from a client. */
export function removeUnusedMiddleware(client: {
  readonly middlewareStack: { remove(name: string): boolean };
}): void {
  for (const name of UNUSED) client.middlewareStack.remove(name);
}
