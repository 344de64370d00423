import { randomBytes } from 'node:crypto';
import { devNull } from 'node:os';
import { REGION } from '../templates/physical-names.ts';
import type { Authorise } from './policy.ts';

/** A principal that may call the AWS endpoint: a function under the policies of its role, or an operator. */
export interface Principal {
  /** The ARN that an AccessDeniedException names. */
  readonly arn: string;
  readonly authorise: Authorise;
}

/** The environment variables from which every AWS SDK reads its credentials. */
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
 * All principals by access key ID. The key IDs are random and new at each start, so no other program on this machine
 * can guess one. The AWS endpoint therefore identifies the principal by the key ID alone. Only the REST API with IAM
 * authorisation checks signatures (signature.ts).
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

  /** Returns the principal whose key an Authorization header names. */
  find(authorization: string | undefined): Principal | undefined {
    const [, keyId = ''] = /Credential=([^/,]+)\//.exec(authorization ?? '') ?? [];
    return this.withKey(keyId)?.principal;
  }

  withKey(keyId: string): RegisteredPrincipal | undefined {
    return this.#byKeyId.get(keyId);
  }
}

/** Returns the environment variables that point AWS SDKs to the local endpoint and these credentials. */
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
