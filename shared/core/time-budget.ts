/** The deadlines of one request in epoch milliseconds (docs/design/ledger.md). */
export interface TimeBudget {
  /**
   * No CHARGED decision begins after this time, because the gateway could send a timeout to the caller before the
   * decision is complete.
   */
  readonly chargeByMs: number;
  readonly respondByMs: number;
}

const CHARGE_BY_MS = 25_500;
const RESPOND_BY_MS = 27_500;
const REGISTRY_BY_MS = 24_000;

export function timeBudget(requestedAtMs: number): TimeBudget {
  return { chargeByMs: requestedAtMs + CHARGE_BY_MS, respondByMs: requestedAtMs + RESPOND_BY_MS };
}

/**
 * Returns when to stop waiting for the registry: 24 s after the request began or `timeoutMs` from now, whichever is
 * first.
 */
export function registryDeadlineMs(requestedAtMs: number, nowMs: number, timeoutMs: number): number {
  return Math.min(nowMs + timeoutMs, requestedAtMs + REGISTRY_BY_MS);
}
