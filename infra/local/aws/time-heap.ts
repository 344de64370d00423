interface Entry<T> {
  readonly atMs: number;
  readonly value: T;
}

/** Whether an entry is still valid. An invalid entry is dropped when it reaches the front. */
type Counts<T> = (value: T, atMs: number) => boolean;

/** Values by time, earliest first. */
export class TimeHeap<T> {
  readonly #entries: Entry<T>[] = [];

  add(atMs: number, value: T): void {
    const entries = this.#entries;
    entries.push({ atMs, value });
    for (let index = entries.length - 1; index > 0; ) {
      const parent = (index - 1) >> 1;
      if (!this.#isBefore(index, parent)) return;
      this.#swap(index, parent);
      index = parent;
    }
  }

  /** Takes the earliest value, if its time has come. */
  take(nowMs: number, counts: Counts<T>): T | undefined {
    const atMs = this.firstAtMs(counts);
    return atMs === undefined || atMs > nowMs ? undefined : this.#removeFirst()?.value;
  }

  /** Returns the earliest time of a valid entry, or undefined if there is no such entry. */
  firstAtMs(counts: Counts<T>): number | undefined {
    for (let first = this.#entries[0]; first; first = this.#entries[0]) {
      if (counts(first.value, first.atMs)) return first.atMs;
      this.#removeFirst();
    }
    return undefined;
  }

  #removeFirst(): Entry<T> | undefined {
    const entries = this.#entries;
    if (entries.length === 0) return undefined;
    this.#swap(0, entries.length - 1);
    const first = entries.pop();
    for (let index = 0; ; ) {
      const [left, right] = [2 * index + 1, 2 * index + 2];
      let least = index;
      if (left < entries.length && this.#isBefore(left, least)) least = left;
      if (right < entries.length && this.#isBefore(right, least)) least = right;
      if (least === index) return first;
      this.#swap(index, least);
      index = least;
    }
  }

  #isBefore(one: number, other: number): boolean {
    return (this.#entries[one]?.atMs ?? 0) < (this.#entries[other]?.atMs ?? 0);
  }

  #swap(one: number, other: number): void {
    const [first, second] = [this.#entries[one], this.#entries[other]];
    if (first && second) [this.#entries[one], this.#entries[other]] = [second, first];
  }
}
