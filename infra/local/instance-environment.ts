import type { AwsCredentials } from './callers.ts';
import type { FunctionDefinition } from './functions.ts';
import { REGION } from './physical-names.ts';

/** The variables with which AWS SDKs find this machine's endpoint, under the given credentials. */
export function sdkEnvironment(endpoint: string, credentials: AwsCredentials): Record<string, string> {
  return {
    ...credentials,
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoint,
  };
}

/**
 * All that a function finds in its environment: what the template declares, and what Lambda itself sets
 * (developer guide, "Defined runtime environment variables"). Nothing of this machine's own environment: a
 * variable that is missing in the template is missing here too.
 */
export function instanceEnvironment(
  definition: FunctionDefinition,
  sdk: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    ...definition.environment,
    ...sdk,
    _HANDLER: definition.handler,
    LAMBDA_TASK_ROOT: definition.directory,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: definition.physicalName,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(definition.memoryMb),
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${definition.physicalName}`,
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
  };
}
