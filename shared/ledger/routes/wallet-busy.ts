import { ServiceError } from '../../core/errors.ts';

/** The message of a 503, because the catalogue's message names a registry as the cause. */
const MESSAGE =
  'The wallet is so busy that its balance cannot be read. Retry after the number of seconds in Retry-After.';
const RETRY_AFTER_SECONDS = 2;

/** Returns the error for a wallet whose balance cannot be read at the moment. */
export function walletBusy(): ServiceError {
  return new ServiceError('SERVICE_UNAVAILABLE', {
    message: MESSAGE,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
