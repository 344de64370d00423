import { randomBytes } from 'node:crypto';
import { devNull } from 'node:os';
import { REGION } from '../templates/physical-names.ts';
import type { Authorise } from './policy.ts';

/** A function under the policies of its role, or an operator. */
export interface Principal {
  /** The ARN that an AccessDeniedException names. */
  readonly arn: string;
  readonly authorise: Authorise;
}

/** As every AWS SDK reads them. */
export interface AwsCredentials {
  readonly AWS_ACCESS_KEY_ID: string;
  readonly AWS_SECRET_ACCESS_KEY: string;
  readonly AWS_SESSION_TOKEN: string;
}

/** A principal and its credentials. */
export interface RegisteredPrincipal {
  readonly principal: Principal;
  readonly credentials: AwsCredentials;
}

/**
 * By access key ID, which is random and new at each start, so that it alone identifies the principal. Only the REST API
 * with IAM authorisation checks signatures (signature.ts).
 */
export class Principals {
  readonly #byKeyId = new Map<string, RegisteredPrincipal>();

  register(principal: Principal): AwsCredentials {
    const keyId = `LOCAL${randomBytes(20).toString('hex').toUpperCase()}`;
    const credentials = {
      AWS_ACCESS_KEY_ID: keyId,
      AWS_SECRET_ACCESS_KEY: randomBytes(20).toString('hex'),
      AWS_SESSION_TOKEN: 'local',
    };
    this.#byKeyId.set(keyId, { principal, credentials });
    return credentials;
  }

  find(authorization: string | undefined): Principal | undefined {
    const [, keyId = ''] = /Credential=([^/,]+)\//.exec(authorization ?? '') ?? [];
    return this.withKey(keyId)?.principal;
  }

  withKey(keyId: string): RegisteredPrincipal | undefined {
    return this.#byKeyId.get(keyId);
  }
}

export function sdkEnvironment(endpoint: string, credentials: AwsCredentials): Record<string, string> {
  return {
    ...credentials,
    // Lambda has no profiles.
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoint,
    AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: endpoint,
    AWS_ENDPOINT_URL_SESV2: endpoint,
    AWS_ENDPOINT_URL_EVENTBRIDGE: endpoint,
    AWS_ENDPOINT_URL_SQS: endpoint,
    AWS_ENDPOINT_URL_S3: endpoint,
    AWS_ENDPOINT_URL_LAMBDA: endpoint,
  };
}
