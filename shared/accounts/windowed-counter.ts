import type { Row } from '../core/database.ts';

/**
 * A number that a row counts separately for each window of time, in one attribute per window. The attribute's name is a
 * letter and the number of the window since 1970. Later updates remove windows that no longer count, so that a row
 * stays small.
 */
export interface WindowedCounter {
  readonly letter: string;
  readonly windowMs: number;
  /** How many windows count: the current one and those before it. */
  readonly windows: number;
}

export function attributeAt({ letter, windowMs }: WindowedCounter, timeMs: number): string {
  return letter + String(Math.floor(timeMs / windowMs));
}

/** Returns the counts of the windows that still count, by attribute. This includes windows ahead of this clock. */
export function countsOf(counter: WindowedCounter, row: Row, nowMs: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [name, value] of Object.entries(row))
    if (isOf(counter, name) && isCounted(counter, name, nowMs)) counts.set(name, Number(value));
  return counts;
}

export function total(counter: WindowedCounter, row: Row, nowMs: number): number {
  return [...countsOf(counter, row, nowMs).values()].reduce((sum, count) => sum + count, 0);
}

export function staleAttributes(counters: readonly WindowedCounter[], row: Row, nowMs: number): string[] {
  return Object.keys(row).filter((name) =>
    counters.some((counter) => isOf(counter, name) && !isCounted(counter, name, nowMs)),
  );
}

function isOf({ letter }: WindowedCounter, name: string): boolean {
  return name.startsWith(letter) && /^[0-9]+$/.test(name.slice(letter.length));
}

function isCounted({ letter, windowMs, windows }: WindowedCounter, name: string, nowMs: number): boolean {
  return Number(name.slice(letter.length)) > Math.floor(nowMs / windowMs) - windows;
}
