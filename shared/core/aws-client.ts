import { setting } from './config.ts';

/**
 * The common parts of the DynamoDB, Secrets Manager and SQS clients. All settings are explicit. Otherwise, the SDK
 * would look for them in the environment and the home directory during the first request of each client
 * (docs/design/performance.md).
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

/**
 * Returns the settings of a client. The variable that `endpoint` names is set only locally and in tests. On AWS, the
 * region determines the endpoint.
 */
export function clientSettings(endpoint: Endpoint) {
  const url = setting(endpoint);
  return {
    region: setting('AWS_REGION'),
    ...(url && { endpoint: url }),
    ...EXPLICIT_SETTINGS,
  };
}

/**
 * The middlewares that calls to DynamoDB and Secrets Manager do not need. The SDK's user agent header is for AWS's
 * statistics. Its logger has no destination. The header that detects recursion is for functions that invoke themselves
 * through a queue, topic, bucket or Lambda, and neither DynamoDB nor Secrets Manager invokes a function.
 */
const UNUSED = ['getUserAgentMiddleware', 'loggerMiddleware', 'recursionDetectionMiddleware'] as const;

/** Removes the unused middlewares from a client. They would take about a fifth of the processor time of a call. */
export function removeUnusedMiddleware(client: {
  readonly middlewareStack: { remove(name: string): boolean };
}): void {
  for (const name of UNUSED) client.middlewareStack.remove(name);
}
