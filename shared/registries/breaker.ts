import { MINUTE_MS } from '../core/clock.ts';

/**
 * The circuit breaker of a registry provider: pure functions of one row that all instances share (see
 * docs/design/decisions/0005-registry-breaker.md).
 * - `closed`: the provider is asked in its configured position.
 * - `suspect`: it failed recently. It is asked last, so that no request waits for it while another provider responds.
 * - `open`: it is not asked.
 *
 * To detect a recovery, one request in each interval (the probe) asks a suspect or open provider in its configured
 * position.
 *
 * Independently of the breaker, an operator can disable a provider: it is then neither asked nor probed.
 */
export type Breaker = 'closed' | 'suspect' | 'open';

/** For what a provider is asked. */
export interface Asker {
  /** Of an account: the banks that are asked. */
  readonly bankCodes?: readonly string[] | undefined;
  readonly organisationId?: string | undefined;
}

/** Who disabled a provider, when (in epoch milliseconds) and why. */
export interface Disabling {
  readonly actor: string;
  readonly reason: string;
  readonly atMs: number;
}

/** The shared state of one provider in one environment. Times are epoch milliseconds. */
export interface RegistryState {
  readonly breaker: Breaker;
  /** When the breaker last changed. 0 if it has always been closed. */
  readonly sinceMs: number;
  /** When the last probe was permitted, or when the breaker left `closed` if that is later. */
  readonly probedAtMs: number;
  /** The start of the window in which `failures` and `successes` are counted. */
  readonly windowMs: number;
  readonly failures: number;
  /**
   * Incomplete, so that a healthy provider costs no writes: an instance reports the successes before a failure, and the
   * success that closes the breaker.
   */
  readonly successes: number;
  /** Failures since the last recovery. Set to 1 by the failure that makes the breaker leave `closed`. */
  readonly streak: number;
  /**
   * Of account look-ups: the banks at which they have failed, since the last recovery and with less than a minute
   * between two failures.
   */
  readonly banks?: ReadonlySet<string> | undefined;
  /** The IDs of the first organisations whose look-ups have failed since then. */
  readonly organisations?: ReadonlySet<string> | undefined;
  /** The ID of the organisation that sent the last probe. */
  readonly probedBy?: string | undefined;
  /** Set while the provider is disabled. Only an operator sets or removes it, never a look-up. */
  readonly disabled?: Disabling | undefined;
}

/** The state of a provider that has never failed. */
export const ALWAYS_CLOSED: RegistryState = {
  breaker: 'closed',
  sinceMs: 0,
  probedAtMs: 0,
  windowMs: 0,
  failures: 0,
  successes: 0,
  streak: 0,
};

export const WINDOW_MS = 10_000;
/** The breaker opens after this many failures in one window, if they are at least half of its look-ups. */
const OPENING_FAILURES = 20;
const OPENING_SHARE = 0.5;
/**
 * It also opens after this many failures without a success, if they span at least 5 s, because low traffic never causes
 * 20 failures in 10 s.
 */
const OPENING_STREAK = 5;
const STREAK_MS = 5_000;
/** Account look-ups that fail at fewer banks say nothing about the provider: these banks may be down. */
const OPENING_BANKS = 5;
/** If this many banks fail without a success at any, the provider is down. */
const BANKS_OF_OUTAGE = 15;
/** An open breaker stops only the organisations whose look-ups failed, if they are fewer: they may be the cause. */
export const OPENING_ORGANISATIONS = 3;
/** After this long without a success, the provider is down, even if few organisations have asked it. */
const FEW_ORGANISATIONS_MS = 15 * MINUTE_MS;
/** A provider does not become suspect while it has at least this many successes for each failure. */
const SUCCESSES_PER_FAILURE = 10;
/** No probe is permitted for this long after the breaker opened for all, if no other provider can serve. */
const REST_MS = 10_000;
/** The time between probes if another provider can serve: a probe makes one caller wait. */
const SPARE_PROBE_MS = 10_000;
/** The time between probes if no other provider can serve: the probe's caller would get a 503 anyway. */
const SOLE_PROBE_MS = 1_000;
/**
 * For this long, requests to other banks, and of other organisations than that of the last probe, are preferred for a
 * probe, so that one bank or organisation does not fail them all.
 */
const PREFERENCE_MS = 2_000;

/**
 * Returns the breaker after a failure, which `state` already includes. If account look-ups fail at many banks, it opens
 * only after 5 s without a success at any: one customer can cause any number of failures, but no lack of successes.
 */
export function breakerAfterFailure(state: RegistryState, nowMs: number): Breaker {
  const { breaker, failures, successes, streak, sinceMs, banks } = state;
  if (failsAtFewBanks(state)) return breaker;
  const failsMostly =
    !banks && failures >= OPENING_FAILURES && failures >= OPENING_SHARE * (failures + successes);
  const failsSteadily = breaker === 'suspect' && streak >= OPENING_STREAK && nowMs - sinceMs >= STREAK_MS;
  if (breaker === 'open' || failsMostly || failsSteadily) return 'open';
  if (breaker === 'suspect') return 'suspect';
  return successes >= SUCCESSES_PER_FAILURE * failures ? 'closed' : 'suspect';
}

function failsAtFewBanks({ banks }: RegistryState): boolean {
  return banks !== undefined && banks.size < OPENING_BANKS;
}

/** Whether failures say something about the provider, rather than about the few organisations that have asked it. */
function failsForMany({ organisations }: RegistryState): boolean {
  return organisations === undefined || organisations.size >= OPENING_ORGANISATIONS;
}

/** Whether the provider has recovered since a call that started at `startedMs`. */
export function hasRecovered({ breaker, sinceMs }: RegistryState, startedMs: number): boolean {
  return breaker === 'closed' && sinceMs > startedMs;
}

/** Returns when the next probe is permitted, in epoch milliseconds. */
function probeDueMs(
  state: RegistryState,
  othersServe: boolean,
  { bankCodes = [], organisationId = '' }: Asker = {},
): number {
  const { sinceMs, probedAtMs, banks, probedBy } = state;
  const waits = probedBy === organisationId || bankCodes.some((code) => banks?.has(code));
  const lastMs = probedAtMs + (waits ? PREFERENCE_MS : 0);
  if (othersServe) return lastMs + SPARE_PROBE_MS;
  return Math.max(failsForMany(state) ? sinceMs + REST_MS : 0, lastMs + SOLE_PROBE_MS);
}

/**
 * An open breaker stops only what failed: accounts at these banks, and the look-ups of these organisations while they
 * are few. Anyone can look up numbers for which a provider returns errors.
 */
function breakerFor(state: RegistryState, asker: Asker | undefined): Breaker {
  return state.breaker === 'open' && asker && !hasFailedFor(state, asker) ? 'suspect' : state.breaker;
}

function hasFailedFor(state: RegistryState, { bankCodes = [], organisationId = '' }: Asker): boolean {
  const { banks, organisations } = state;
  if (banks && !bankCodes.some((code) => banks.has(code))) return false;
  return failsForMany(state) || organisations?.has(organisationId) === true;
}

export interface Candidate {
  readonly name: string;
  readonly state: RegistryState;
}

export interface PlannedAttempt extends Candidate {
  readonly isProbe: boolean;
}

/**
 * Plans which providers to ask, in this order:
 * 1. closed providers, and probes of others that are due, in their configured order,
 * 2. suspect providers, in their configured order.
 *
 * A suspect provider may appear twice: as a probe, and at the end. Disabled providers never appear. The plan is empty
 * if the breakers permit no attempt.
 */
export function planAttempts(all: readonly Candidate[], nowMs: number, asker?: Asker): PlannedAttempt[] {
  const candidates = all.filter(isEnabled);
  const breakerOf = ({ state }: Candidate) => breakerFor(state, asker);
  const inConfiguredOrder = candidates.flatMap((candidate): PlannedAttempt[] => {
    const breaker = breakerOf(candidate);
    if (breaker === 'closed') return [{ ...candidate, isProbe: false }];
    const othersServe = candidates.some((other) => other !== candidate && breakerOf(other) !== 'open');
    if (breaker === 'suspect' && !othersServe) return [];
    return nowMs >= probeDueMs(candidate.state, othersServe, asker) ? [{ ...candidate, isProbe: true }] : [];
  });
  const suspects = candidates.filter((candidate) => breakerOf(candidate) === 'suspect');
  return [...inConfiguredOrder, ...suspects.map((candidate) => ({ ...candidate, isProbe: false }))];
}

function isEnabled({ state }: Candidate): boolean {
  return state.disabled === undefined;
}

/**
 * Returns the whole seconds until the next probe of any candidate, for use when `planAttempts` returns an empty plan.
 * Undefined if all candidates are disabled, because no one knows when an operator will enable one.
 */
export function retryAfterSeconds(
  candidates: readonly Candidate[],
  nowMs: number,
  asker?: Asker,
): number | undefined {
  const enabled = candidates.filter(isEnabled);
  if (enabled.length === 0) return undefined;
  const dueMs = Math.min(...enabled.map(({ state }) => probeDueMs(state, false, asker)));
  return Math.max(1, Math.ceil((dueMs - nowMs) / 1000));
}

const RESERVED_MS = 5_000;
/** The maximum wait for a provider that is not closed, if another provider may still be asked. */
const PROBE_WAIT_MS = 5_000;

/**
 * Returns the deadline for one provider, in epoch milliseconds and never after `deadlineMs`. It leaves 5 s for each of
 * the `providersLeft` that may be asked next, or an equal share if there is not enough time.
 */
export function attemptDeadlineMs(
  { breaker }: RegistryState,
  providersLeft: number,
  deadlineMs: number,
  nowMs: number,
): number {
  if (providersLeft === 0) return deadlineMs;
  const leftMs = deadlineMs - nowMs;
  const shareMs = Math.max(leftMs - providersLeft * RESERVED_MS, leftMs / (providersLeft + 1));
  return nowMs + Math.floor(breaker === 'closed' ? shareMs : Math.min(shareMs, PROBE_WAIT_MS));
}

export type Health = 'up' | 'degraded' | 'down';

/**
 * Returns the health of a provider for GET /v1/health. A closed one is degraded if look-ups failed often in the last 20
 * s.
 */
export function healthOf(state: RegistryState, nowMs: number): Health {
  const { breaker, streak, windowMs, failures, successes, banks, disabled } = state;
  const failsAlways = breaker === 'open' || (breaker === 'suspect' && streak >= OPENING_STREAK);
  const isKnown = failsForMany(state) || nowMs - state.sinceMs >= FEW_ORGANISATIONS_MS;
  if (disabled || (failsAlways && isKnown && (banks?.size ?? BANKS_OF_OUTAGE) >= BANKS_OF_OUTAGE))
    return 'down';
  const isRecent = nowMs - windowMs < 2 * WINDOW_MS;
  const failsOften =
    !failsAtFewBanks(state) && failures >= OPENING_STREAK && failures * SUCCESSES_PER_FAILURE >= successes;
  return breaker !== 'closed' || (isRecent && failsOften) ? 'degraded' : 'up';
}

/**
 * Returns when the health that `healthOf` returns began: when the provider was disabled, when the window with the
 * failures started, or else when the breaker last changed. A provider that is up may have been disabled or degraded
 * since then, because the end of these states is not stored.
 */
export function healthSinceMs(state: RegistryState, nowMs: number): number | undefined {
  if (state.disabled) return state.disabled.atMs;
  const isDegradedByWindow = state.breaker === 'closed' && healthOf(state, nowMs) === 'degraded';
  return (isDegradedByWindow ? state.windowMs : state.sinceMs) || undefined;
}
