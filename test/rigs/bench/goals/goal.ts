import type { Spread } from '../measure.ts';

/** One measured line of the goals' table. */
export interface Line {
  /** The goal's number, with a letter where it has several lines. */
  readonly goal: string;
  readonly what: string;
  readonly reference: string;
  readonly unit: '×' | 'KB' | 'µs' | 'calls' | 'units' | 'requests';
  readonly measured: Spread;
  /** What the goal asks: at most, or at least. */
  readonly goalValue: number;
  readonly isLowerBound?: true;
  /** Beyond this `--check` fails: the goal, or today's value where that is missed, with room for noise. */
  readonly failsAt: number;
}

/** A line in multiples of its reference. */
export function timesOf(reference: string, line: Omit<Line, 'reference' | 'unit'>): Line {
  return { ...line, reference, unit: '×' };
}

/** A value that does not vary. */
export function exact(value: number): Spread {
  return { median: value, min: value, max: value };
}

export function isMet({ measured, goalValue, isLowerBound }: Line): boolean {
  return isLowerBound ? measured.median >= goalValue : measured.median <= goalValue;
}

export function isFailed({ measured, failsAt, isLowerBound }: Line): boolean {
  return isLowerBound ? measured.median < failsAt : measured.median > failsAt;
}
