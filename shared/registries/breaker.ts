/**
 * When a registry provider is trusted: pure rules over the one row that all instances share (see
 * docs/decisions/0005-registry-breaker.md). A closed provider is asked in its configured place. A `suspect` has failed
 * lately: it is asked last, so that nobody waits for it while another one answers. An `open` one is not asked at all.
 * One request at a time, the probe, is let through in the configured place to notice that it is back.
 */
export type Breaker = 'closed' | 'suspect' | 'open';

export interface RegistryState {
  readonly breaker: Breaker;
  /** When it became what it is, epoch milliseconds; 0 where it has always been closed. */
  readonly sinceMs: number;
  /** When the last probe was let through, or the trouble began. */
  readonly probedAtMs: number;
  /** Start of the window that `failures` and `successes` were counted in. */
  readonly windowMs: number;
  readonly failures: number;
  /** Only those that an instance told along with a failure of its own: a healthy registry costs no writes. */
  readonly successes: number;
  /** Failures since the last answer that was noted. */
  readonly streak: number;
}

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
const OPENING_FAILURES = 20;
const OPENING_SHARE = 0.5;
/** So many failures without one answer open it too, once they last this long: little traffic never makes 20 in 10 s. */
const OPENING_STREAK = 5;
const STREAK_MS = 5_000;
/** One failure among ten times as many answers demotes nobody. */
const ANSWERS_THAT_EXCUSE = 10;
/** How long nobody at all is let through to a provider that has just opened. */
const REST_MS = 10_000;
/** Between probes where another provider serves meanwhile: a probe makes one caller wait. */
const SPARE_PROBE_MS = 10_000;
/** Between probes where nobody else can serve: the probe's caller would get a 503 anyway. */
const SOLE_PROBE_MS = 1_000;

/** What the breaker must become after a failure that `state` already counts. */
export function breakerAfterFailure(state: RegistryState, nowMs: number): Breaker {
  const { breaker, failures, successes, streak, sinceMs } = state;
  const failsMostly = failures >= OPENING_FAILURES && failures >= OPENING_SHARE * (failures + successes);
  const isSilent = breaker === 'suspect' && streak >= OPENING_STREAK && nowMs - sinceMs >= STREAK_MS;
  if (breaker === 'open' || failsMostly || isSilent) return 'open';
  if (breaker === 'suspect') return 'suspect';
  return successes >= ANSWERS_THAT_EXCUSE * failures ? 'closed' : 'suspect';
}

/**
 * When the next probe may be let through, epoch milliseconds. Where others serve, a suspect that opens keeps the
 * rhythm of its probes: calls that hang in it would else put off the moment at which its return is noticed.
 */
export function probeDueMs({ sinceMs, probedAtMs }: RegistryState, othersServe: boolean): number {
  if (othersServe) return probedAtMs + SPARE_PROBE_MS;
  return Math.max(sinceMs + REST_MS, probedAtMs + SOLE_PROBE_MS);
}

export interface Candidate {
  readonly name: string;
  readonly state: RegistryState;
}

/** One provider to ask. A step with a lease is taken only by the one request that wins the probe. */
export interface Step extends Candidate {
  readonly needsLease: boolean;
}

/** Whom to ask, first to last; none where the breaker refuses all. A suspect may stand twice: as probe, and last. */
export function askOrder(candidates: readonly Candidate[], nowMs: number): Step[] {
  const asSteps = (chosen: readonly Candidate[], needsLease: boolean) =>
    chosen.map(({ name, state }) => ({ name, state, needsLease }));
  const suspects = candidates.filter(({ state }) => state.breaker === 'suspect');
  const inPlace = candidates.flatMap((candidate) => {
    const { breaker } = candidate.state;
    const others = candidates.filter((other) => other !== candidate && other.state.breaker !== 'open');
    if (breaker === 'closed') return asSteps([candidate], false);
    if (breaker === 'suspect' && others.length === 0) return [];
    return nowMs >= probeDueMs(candidate.state, others.length > 0) ? asSteps([candidate], true) : [];
  });
  return [...inPlace, ...asSteps(suspects, false)];
}

/** Whole seconds after which a request may be let through again, where `askOrder` names nobody. */
export function retryAfterSeconds(candidates: readonly Candidate[], nowMs: number): number {
  const dueMs = Math.min(...candidates.map(({ state }) => probeDueMs(state, false)));
  return Math.max(1, Math.ceil((dueMs - nowMs) / 1000));
}

/** What must remain for a later provider, and what a provider on trial gets while another waits behind it. */
const RESERVE_MS = 5_000;
const TRIAL_MS = 5_000;

/**
 * Until when to wait for a provider that `later` others stand behind: each of them keeps 5 s or, where time is short,
 * an equal share. Epoch milliseconds, never after `deadlineMs`.
 */
export function shareOf(
  { breaker }: RegistryState,
  later: number,
  deadlineMs: number,
  nowMs: number,
): number {
  if (later === 0) return deadlineMs;
  const leftMs = deadlineMs - nowMs;
  const shareMs = Math.max(leftMs - later * RESERVE_MS, leftMs / (later + 1));
  return nowMs + Math.floor(Math.min(shareMs, breaker === 'closed' ? shareMs : TRIAL_MS));
}

export type Health = 'up' | 'degraded' | 'down';

/** How a provider is, for GET /v1/health: its breaker, and failures too few for it in the last 20 s. */
export function healthOf(state: RegistryState, nowMs: number): Health {
  const { breaker, streak, windowMs, failures, successes } = state;
  if (breaker === 'open' || (breaker === 'suspect' && streak >= OPENING_STREAK)) return 'down';
  const isRecent = nowMs - windowMs < 2 * WINDOW_MS;
  const isUnwell = failures >= OPENING_STREAK && failures * ANSWERS_THAT_EXCUSE >= successes;
  return breaker === 'suspect' || (isRecent && isUnwell) ? 'degraded' : 'up';
}

/** Since when it is as `healthOf` tells: its breaker's last move, or the window of its failures. */
export function troubleSinceMs(state: RegistryState, nowMs: number): number | undefined {
  const isBetweenMoves = state.breaker === 'closed' && healthOf(state, nowMs) === 'degraded';
  return (isBetweenMoves ? state.windowMs : state.sinceMs) || undefined;
}
