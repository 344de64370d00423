import { randomBytes } from 'node:crypto';
import type { Authorise } from './policy.ts';

/** Who may call the AWS endpoint: each function under the policies of its role, and the operator. */
export interface Caller {
  /** The ARN that a refusal names. */
  readonly arn: string;
  readonly authorise: Authorise;
}

/** The variables from which every AWS SDK takes its credentials. */
export interface AwsCredentials {
  readonly AWS_ACCESS_KEY_ID: string;
  readonly AWS_SECRET_ACCESS_KEY: string;
  readonly AWS_SESSION_TOKEN: string;
}

/**
 * The callers by their access keys. Keys are drawn anew at each start: nobody else on the machine can guess
 * them, so a signature need not be checked, and the key alone tells who calls.
 */
export class Callers {
  readonly #byKey = new Map<string, Caller>();

  register(caller: Caller): AwsCredentials {
    const key = `LOCAL${randomBytes(20).toString('hex').toUpperCase()}`;
    this.#byKey.set(key, caller);
    return {
      AWS_ACCESS_KEY_ID: key,
      AWS_SECRET_ACCESS_KEY: randomBytes(20).toString('hex'),
      AWS_SESSION_TOKEN: 'local',
    };
  }

  /** The caller who signed a request, by its Authorization header. */
  of(authorization: string | undefined): Caller | undefined {
    const [, key = ''] = /Credential=([^/,]+)\//.exec(authorization ?? '') ?? [];
    return this.#byKey.get(key);
  }
}
