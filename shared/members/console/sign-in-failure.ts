import { ServiceError } from '../../core/errors.ts';
import { errorFields } from '../../core/logger.ts';
import type { ConsoleContext } from '../../http/console/context.ts';
import { isFaultOfProvider } from '../identity-provider.ts';

/** Rejects a sign-in that failed at the identity provider. Only the log contains the reason. */
export function signInFailed(requestContext: ConsoleContext, error: unknown): never {
  requestContext.line.isSignInFault = isFaultOfProvider(error);
  requestContext.line.detail = JSON.stringify(errorFields(error));
  throw new ServiceError('SIGN_IN_FAILED', { cause: error });
}
