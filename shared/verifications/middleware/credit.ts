import { type ApiContext, type RequestContext, requestValue } from '../../http/context.ts';
import type { CreditState } from './settle.ts';

/** The credit of one request, which `idempotency` and `wallet` claim, reserve and settle. */
export interface RequestCredit {
  state: CreditState;
  /** How long the request waited to claim its idempotency key and reserve its cost, in milliseconds. */
  ledgerMs: number;
  /** Whether the request has reserved a credit or is a free replay, so that it has a log row. */
  hasLogRow: boolean;
}

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
export function setCredit(requestContext: ApiContext, state: CreditState): void {
  creditOf(requestContext).state = state;
  const { line } = requestContext;
  if (state.kind === 'claimed') requestContext.keyState = 'not_charged';
  if (state.kind === 'replay') requestContext.keyState = 'charged';
  if (state.kind === 'replay') line.replayOf = state.of.operationId;
  if (state.kind !== 'settled') return;
  line.creditsCharged = state.creditsCharged;
  if (state.creditsCharged > 0 && requestContext.keyState) requestContext.keyState = 'charged';
}
