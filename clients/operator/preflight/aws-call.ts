import type { Stage } from '../../../infra/config.ts';
import { credentialsAdvice } from '../aws-profile.ts';
import { fault, type Row } from './rows.ts';

/** Calls to AWS whose failures become findings, so that one missing permission does not stop the other checks. */

/** A person is waiting for the preflight, so it must end even if a service does not respond. */
export const CLIENT_SETTINGS = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 5_000, requestTimeout: 10_000, throwOnRequestTimeout: true },
} as const;

/** A call to AWS that failed. `action` is the IAM action that the call needs. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly action: string;
  override readonly cause: Error;

  constructor(action: string, cause: Error) {
    super(cause.message);
    this.action = action;
    this.cause = cause;
  }

  is(...names: readonly string[]): boolean {
    return names.includes(this.cause.name);
  }
}

/** Runs a call that needs an IAM action. Throws a `CallError` if it fails. */
export async function call<T>(action: string, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    throw new CallError(action, error instanceof Error ? error : new Error(String(error)));
  }
}

/** Runs a call. Returns undefined if the name of the error is one of these, such as "not found". */
export async function callUnless<T>(
  names: readonly string[],
  action: string,
  send: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await call(action, send);
  } catch (error) {
    if (error instanceof CallError && error.is(...names)) return undefined;
    throw error;
  }
}

const DENIED = /^(AccessDenied|AuthorizationError|UnauthorizedOperation)/;

export function failedCall(check: string, { action, cause }: CallError, stage: Stage): Row {
  if (DENIED.test(cause.name))
    return fault(
      check,
      `Not checked: your credentials do not allow ${action}.`,
      '# Before the stage has roles, use the credentials of an administrator. Afterwards, use the engineer role:',
      `eval "$(aws configure export-credentials --profile ${stage}-engineer --format env)"`,
    );
  const reason = credentialsAdvice(cause) ?? `${action} failed: ${describe(cause)}`;
  return fault(check, `Not checked. ${reason}`, '# Then run the preflight again.');
}

export function describe({ name, message }: Error): string {
  const [first = ''] = message.split('\n');
  return `${name}${first ? `: ${first.slice(0, 200)}` : ''}`;
}
