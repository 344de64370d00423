import { withDeadline } from '../../core/deadline.ts';
import { type ErrorCode, type ErrorDetails, ServiceError } from '../../core/errors.ts';
import type { WalletId } from '../../core/keys.ts';
import { errorFields, logger } from '../../core/logger.ts';
import { timeBudget } from '../../core/time-budget.ts';
import type { ApiContext, ErrorStyle } from '../../http/context.ts';
import type { LimiterRows } from '../account-table.ts';
import type { CallerDependencies } from './dependencies.ts';

export type KeyRejectionDependencies = Pick<CallerDependencies, 'rejections' | 'clock'>;

interface KeyError {
  readonly problem: string;
  readonly details: ErrorDetails;
}

const FORM = 'Send the whole key as "Authorization: Bearer <API key>".';
/** The same for every key in the documented form, so that a thief learns nothing about a key. */
const UNKNOWN: KeyError = {
  problem:
    'The API key is not valid: it is unknown, has expired, is revoked, or may not be used from this address.',
  details: {
    reason: 'unknown_key',
    field: 'Authorization',
    hint: 'Check the key and its addresses in the account console, or ask the operator.',
  },
};
/** Why a key is rejected, as the log line names it, and what the caller gets. */
const KEY_ERRORS = {
  'key-in-query': {
    problem: 'The URL contains an API key.',
    details: {
      reason: 'malformed_key',
      field: '',
      hint: 'Replace this key, because logs store URLs, and send the new one in the header Authorization.',
    },
  },
  'missing-key': {
    problem: 'The API key is missing.',
    details: { reason: 'missing_key', field: 'Authorization', hint: FORM },
  },
  'malformed-key': {
    problem: 'The header Authorization does not contain one complete API key.',
    details: { reason: 'malformed_key', field: 'Authorization', hint: FORM },
  },
  'unknown-key': UNKNOWN,
  'revoked-key': UNKNOWN,
  'expired-key': UNKNOWN,
  'address-not-allowed': UNKNOWN,
} as const satisfies Readonly<Record<string, KeyError>>;
export type KeyProblem = keyof typeof KEY_ERRORS;

/**
 * Returns the error for a rejected API key (contract B5). If the key names an existing organisation, counts the
 * rejection for it, because a burst of rejections may be an attack on it.
 */
export async function rejectKey(
  requestContext: ApiContext,
  problem: KeyProblem,
  named: { readonly wallet: WalletId; readonly limits: LimiterRows } | undefined,
  { rejections, clock }: KeyRejectionDependencies,
): Promise<ServiceError> {
  requestContext.line.detail = problem;
  requestContext.headers['WWW-Authenticate'] = 'Bearer';
  if (named) {
    const { wallet, limits } = named;
    requestContext.line.organisationOfBadKey = wallet.organisationId;
    const recording = rejections
      .recordRejection(wallet, limits.organisation, clock.nowMs())
      .catch((error: unknown) => logger.warn('A rejected key was not counted.', errorFields(error)));
    const { respondByMs } = timeBudget(requestContext.requestedAtMs);
    await withDeadline(recording, respondByMs, clock.nowMs(), () => undefined);
  }
  const { problem: text, details } = KEY_ERRORS[problem];
  return new ServiceError(keyCode(requestContext.errorStyle), {
    message: `${text} ${details.hint}`,
    details,
  });
}

/** Returns the error code of a missing, malformed, unknown, expired or revoked key (contract B5). */
export function keyCode(errorStyle: ErrorStyle): ErrorCode {
  return errorStyle === 'gateway' ? 'AUTH_FAILURE' : 'INVALID_API_KEY';
}
