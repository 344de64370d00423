import { appendFileSync, rmSync } from 'node:fs';

/** What happened in a day, line by line as it happened: requests with their answers, and what was done to the service. */

export const PHASES = ['night', 'morning', 'outage', 'rotation', 'hot wallet', 'deploy', 'evening'] as const;
export type Phase = (typeof PHASES)[number];

/** One request and its answer. It has no identity number and no key: the wish and the key's label name them. */
export interface RequestLine {
  readonly kind: 'request';
  /** In which it was sent, and answered. */
  readonly phase: Phase;
  readonly answeredPhase: Phase;
  /** `<env>#<org>` of who pays. */
  readonly wallet: string;
  readonly keyLabel: string;
  /** What was wanted: its Idempotency-Key, the same in every repeat. */
  readonly wish: string;
  /** The function that serves it. */
  readonly route: string;
  /** Price in credits. */
  readonly cost: number;
  readonly sentAtMs: number;
  readonly answeredAtMs: number;
  /** 0 where the connection broke. */
  readonly status: number;
  /** Of the answer; `cut` where the function's process ended before it could answer, and for a broken connection. */
  readonly code: string;
  /** X-Credits-Charged; empty where the answer is not the function's. */
  readonly charged: string;
  readonly requestId: string;
  readonly provider: string;
  readonly isReplay: boolean;
  readonly retryAfterSeconds: number | null;
}

/** What the operator or chance did, or what the day saw of the service. */
export type Happening =
  /** A process was killed: SIGKILL. */
  | { readonly name: 'kill'; readonly route: string; readonly pid: number }
  /** How the primary provider behaves from now on. */
  | { readonly name: 'registry'; readonly mood: string }
  /** What GET /v1/health says of the primary provider, where that has changed. */
  | { readonly name: 'health'; readonly status: string }
  /** A key is being revoked, and is revoked. */
  | ({ readonly name: 'revoking' } & NamedKey)
  | ({ readonly name: 'revoked' } & NamedKey)
  | { readonly name: 'bought'; readonly wallet: string; readonly credits: number }
  | { readonly name: 'shards'; readonly wallet: string; readonly count: number }
  /** All its requests were refused with 402, and none is under way. */
  | { readonly name: 'empty'; readonly wallet: string; readonly available: number }
  /** A version begins to take over, and has done so. */
  | { readonly name: 'deploying'; readonly release: string }
  | { readonly name: 'deployed'; readonly release: string };

interface NamedKey {
  readonly wallet: string;
  readonly keyLabel: string;
}

export type EventLine = Happening & { readonly kind: 'event'; readonly phase: Phase; readonly atMs: number };
export type Line = RequestLine | EventLine;

export class Journal {
  readonly lines: Line[] = [];
  phase: Phase = 'night';
  readonly #file: string;

  /** Begins the file anew; each line is appended at once, so that it outlives whatever goes wrong. */
  constructor(file: string) {
    this.#file = file;
    rmSync(file, { force: true });
  }

  request(line: Omit<RequestLine, 'kind' | 'answeredPhase' | 'answeredAtMs'>): void {
    this.#write({ kind: 'request', ...line, answeredPhase: this.phase, answeredAtMs: Date.now() });
  }

  note(happening: Happening): void {
    this.#write({ kind: 'event', phase: this.phase, atMs: Date.now(), ...happening });
  }

  #write(line: Line): void {
    this.lines.push(line);
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  }
}

/** The requests of a journal. */
export function requestsOf(lines: readonly Line[]): RequestLine[] {
  return lines.filter((line) => line.kind === 'request');
}

type Named<N extends Happening['name']> = Extract<EventLine, { readonly name: N }>;

/** The events of some names. */
export function eventsOf<N extends Happening['name']>(lines: readonly Line[], ...names: N[]): Named<N>[] {
  const isNamed = (line: Line): line is Named<N> =>
    line.kind === 'event' && (names as readonly string[]).includes(line.name);
  return lines.filter(isNamed);
}
