import { ServiceError } from '../../core/errors.ts';
import { type RequestContext, requestValue } from '../../http/context.ts';
import { isChargeUnknown } from '../../http/report-request.ts';
import type { CreditState } from './settle.ts';

/** The credit of one request, which `idempotency` and `wallet` claim, reserve and settle. */
export interface RequestCredit {
  state: CreditState;
  /** How long the request waited to claim its idempotency key and reserve its cost, in milliseconds. */
  ledgerMs: number;
  /** Whether the request has reserved a credit or is a free replay, so that it has a log row. */
  hasLogRow: boolean;
}

/** Says whether a request was charged under the Idempotency-Key. Absent if that is not known (contract C10). */
export const KEY_CHARGED_HEADER = 'Idempotency-Key-Charged';

const credits = requestValue<RequestCredit>('credit');

/** Returns the credit of a request. */
export function creditOf(requestContext: RequestContext): RequestCredit {
  const known = credits.find(requestContext);
  if (known) return known;
  const credit: RequestCredit = { state: { kind: 'none' }, ledgerMs: 0, hasLogRow: false };
  credits.set(requestContext, credit);
  return credit;
}

/** Replaces the state of the credit. The log line and the response say what was charged or repeated. */
export function setCredit(requestContext: RequestContext, state: CreditState): void {
  creditOf(requestContext).state = state;
  const { line, headers } = requestContext;
  if (state.kind === 'claimed') headers[KEY_CHARGED_HEADER] = 'false';
  if (state.kind === 'replay') line.replayOf = state.of.operationId;
  if (state.kind !== 'settled') return;
  line.creditsCharged = state.creditsCharged;
  const { result } = state;
  if (result instanceof ServiceError && isChargeUnknown(result.code)) delete headers[KEY_CHARGED_HEADER];
  else if (state.creditsCharged > 0 && headers[KEY_CHARGED_HEADER]) headers[KEY_CHARGED_HEADER] = 'true';
}
