import { appendFileSync, rmSync } from 'node:fs';

/** The journal of a simulation: each request with its response, and each event, in order. */

export const PHASES = [
  'night',
  'morning',
  'outage',
  'rotation',
  'hot wallet',
  'lending',
  'deploy',
  'evening',
] as const;
export type Phase = (typeof PHASES)[number];

/** One request and its response, without identity numbers or API keys. */
export interface RequestLine {
  readonly kind: 'request';
  /** The phase in which the request was sent. Its response may arrive in a later phase. */
  readonly phase: Phase;
  readonly responsePhase: Phase;
  /** `<env>#<org>` of the customer. */
  readonly wallet: string;
  readonly keyLabel: string;
  /** Identifies the verification: every retry sends the same key. */
  readonly idempotencyKey: string;
  readonly route: string;
  /** Price in credits. */
  readonly cost: number;
  readonly sentAtMs: number;
  readonly respondedAtMs: number;
  /** 0 if the connection broke. */
  readonly status: number;
  /** The code of the response; `cut` if the process ended before it responded or the connection broke. */
  readonly code: string;
  /** `error.reason`; empty if the response has none. */
  readonly reason: string;
  /** X-Credits-Charged; empty if the response is the gateway's. */
  readonly charged: string;
  readonly requestId: string;
  readonly provider: string;
  readonly isReplay: boolean;
  readonly retryAfterSeconds: number | null;
}

export type SimulationEvent =
  /** A process was killed with SIGKILL. */
  | { readonly name: 'kill'; readonly route: string; readonly pid: number }
  | { readonly name: 'registry'; readonly behaviour: string }
  /** GET /v1/health reports a new status for the primary provider. */
  | { readonly name: 'health'; readonly status: string }
  | ({ readonly name: 'revoking' } & NamedKey)
  | ({ readonly name: 'revoked' } & NamedKey)
  | { readonly name: 'topped up'; readonly wallet: string; readonly credits: number }
  | { readonly name: 'shards'; readonly wallet: string; readonly count: number }
  /** The last request of each sender was rejected with 402, and none is pending. */
  | { readonly name: 'empty'; readonly wallet: string; readonly available: number }
  /** The data of so many of the lender's applicants is being erased. */
  | { readonly name: 'erasing'; readonly wallet: string; readonly count: number }
  | { readonly name: 'deploying'; readonly release: string }
  | { readonly name: 'deployed'; readonly release: string };

interface NamedKey {
  readonly wallet: string;
  readonly keyLabel: string;
}

export type EventLine = SimulationEvent & {
  readonly kind: 'event';
  readonly phase: Phase;
  readonly atMs: number;
};
export type Line = RequestLine | EventLine;

export class Journal {
  readonly lines: Line[] = [];
  phase: Phase = 'night';
  readonly #file: string;

  /** Replaces the file. Each line is appended at once, so that it survives a crash of the simulation. */
  constructor(file: string) {
    this.#file = file;
    rmSync(file, { force: true });
  }

  request(line: Omit<RequestLine, 'kind' | 'responsePhase' | 'respondedAtMs'>): void {
    this.#write({ kind: 'request', ...line, responsePhase: this.phase, respondedAtMs: Date.now() });
  }

  event(event: SimulationEvent): void {
    this.#write({ kind: 'event', phase: this.phase, atMs: Date.now(), ...event });
  }

  #write(line: Line): void {
    this.lines.push(line);
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  }
}

export function requestsOf(lines: readonly Line[]): RequestLine[] {
  return lines.filter((line) => line.kind === 'request');
}

type Named<N extends SimulationEvent['name']> = Extract<EventLine, { readonly name: N }>;

/** Returns the events of a journal with these names. */
export function eventsOf<N extends SimulationEvent['name']>(
  lines: readonly Line[],
  ...names: N[]
): Named<N>[] {
  const isNamed = (line: Line): line is Named<N> =>
    line.kind === 'event' && (names as readonly string[]).includes(line.name);
  return lines.filter(isNamed);
}

/** What kills did to verifications, as their clients see it. */
export interface KillEffects {
  readonly kills: number;
  /** Verifications cut off before they were charged: their key is in progress, until another request settles it. */
  readonly beforeCharge: number;
  /** Verifications cut off after they were charged: the retry is a free replay. */
  readonly afterCharge: number;
}

export function killEffects(lines: readonly Line[]): KillEffects {
  const effects = { kills: eventsOf(lines, 'kill').length, beforeCharge: 0, afterCharge: 0 };
  for (const attempts of Map.groupBy(requestsOf(lines), ({ idempotencyKey }) => idempotencyKey).values()) {
    const cut = attempts.findIndex(({ code }) => code === 'cut');
    const next = cut < 0 ? undefined : attempts[cut + 1];
    const wasPaid = attempts.slice(0, cut).some(({ status }) => status === 200);
    if (next?.code === 'REQUEST_IN_PROGRESS') effects.beforeCharge += 1;
    if (next?.isReplay && !wasPaid) effects.afterCharge += 1;
  }
  return effects;
}

/** Requests that the limit on misses rejected, and for how long their verifications waited. */
export function missWaits(lines: readonly Line[]): { readonly requests: number; readonly seconds: number } {
  let requests = 0;
  let waitedMs = 0;
  for (const attempts of Map.groupBy(requestsOf(lines), ({ idempotencyKey }) => idempotencyKey).values())
    for (const [index, { reason, respondedAtMs }] of attempts.entries()) {
      if (reason !== 'miss_limit' && reason !== 'organisation_miss_limit') continue;
      requests += 1;
      waitedMs += (attempts[index + 1]?.sentAtMs ?? respondedAtMs) - respondedAtMs;
    }
  return { requests, seconds: Math.round(waitedMs / 1_000) };
}
