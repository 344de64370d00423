import { type AwsResponse, refusal } from './aws-response.ts';
import type { Secrets } from './secrets.ts';

/** The two operations of Secrets Manager that the service and its operator use. */

export interface SecretRequest {
  readonly SecretId?: string;
  readonly SecretString?: string;
}

/** The answer to a caller who may have it. */
export function secretResponse(secrets: Secrets, operation: string, request: SecretRequest): AwsResponse {
  const secret = secrets.find(request.SecretId ?? '');
  if (!secret) {
    return refusal('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
  }
  const content = { ARN: secret.arn, Name: secret.name, VersionStages: ['AWSCURRENT'] };
  if (operation === 'PutSecretValue' && request.SecretString !== undefined) {
    secrets.put(secret, request.SecretString);
    return { status: 200, content: { ...content, VersionId: secret.versionId } };
  }
  if (operation !== 'GetSecretValue') {
    return refusal('InvalidRequestException', `The local endpoint does not know ${operation}.`);
  }
  if (secret.value === undefined) {
    const words = "Secrets Manager can't find the specified secret value for staging label: AWSCURRENT";
    return refusal('ResourceNotFoundException', words);
  }
  return { status: 200, content: { ...content, VersionId: secret.versionId, SecretString: secret.value } };
}
