export interface Clock {
  /** Epoch milliseconds. */
  nowMs(): number;
  pause(ms: number): Promise<void>;
  /** From 0 (inclusive) to 1 (exclusive). */
  random(): number;
}

export const REAL_CLOCK: Clock = {
  nowMs: () => Date.now(),
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  random: Math.random,
};

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const DAY_SECONDS = 24 * 60 * 60;
