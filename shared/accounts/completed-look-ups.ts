/** Look-ups of one key that have ended, for the key's limiter row. */
export interface CompletedLookUps {
  /** When each of them started, in epoch milliseconds. */
  readonly startedAtMs: readonly number[];
  /** How many found a record. */
  readonly found: number;
}

const NONE: CompletedLookUps = { startedAtMs: [], found: 0 };
const MAX_KEYS = 1000;

/**
 * The completed look-ups that this instance has not yet written to the limiter rows. The next request of the key writes
 * them in its own update, so that a key without misses costs no additional write.
 */
export class UnreportedLookUps {
  readonly #byKey = new Map<string, CompletedLookUps>();

  /** Removes and returns the unwritten look-ups of the key. */
  take(keyHash: string): CompletedLookUps {
    const taken = this.#byKey.get(keyHash) ?? NONE;
    this.#byKey.delete(keyHash);
    return taken;
  }

  /** Adds look-ups. If there are too many keys, forgets the one whose look-ups were added least recently. */
  add(keyHash: string, { startedAtMs, found }: CompletedLookUps): void {
    const known = this.take(keyHash);
    this.#byKey.set(keyHash, {
      startedAtMs: [...known.startedAtMs, ...startedAtMs],
      found: known.found + found,
    });
    if (this.#byKey.size > MAX_KEYS) this.#byKey.delete(this.#byKey.keys().next().value ?? keyHash);
  }
}
