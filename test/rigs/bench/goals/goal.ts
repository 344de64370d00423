import type { Spread } from '../measure.ts';

export interface Line {
  readonly goal: string;
  readonly what: string;
  readonly reference: string;
  readonly unit: '×' | 'KB' | 'µs' | 'ms' | 'calls' | 'units' | 'requests';
  readonly measured: Spread;
  /** The upper bound, or the lower bound if `isLowerBound`. */
  readonly goalValue: number;
  readonly isLowerBound?: true;
  /** `--check` fails beyond this value: a margin beyond the goal or, if the goal is missed, beyond an earlier value. */
  readonly failsAt: number;
  /** The row has no goal: it compares the service with another implementation. */
  readonly isComparison?: true;
  /** Why the row was not measured on this machine. */
  readonly notMeasured?: string;
}

/** Returns a row whose value is a multiple of its reference. */
export function timesOf(reference: string, line: Omit<Line, 'reference' | 'unit'>): Line {
  return { ...line, reference, unit: '×' };
}

/** Returns a row without a goal, which compares the service with another implementation. */
export function comparison(line: Pick<Line, 'goal' | 'what' | 'reference' | 'measured'>): Line {
  return { ...line, unit: '×', goalValue: Number.NaN, failsAt: Number.NaN, isComparison: true };
}

/** Returns the spread of a value that was counted, and therefore does not vary. */
export function exact(value: number): Spread {
  return { median: value, min: value, max: value };
}

export function isMet({ measured, goalValue, isLowerBound }: Line): boolean {
  return isLowerBound ? measured.median >= goalValue : measured.median <= goalValue;
}

export function isFailed({ measured, failsAt, isLowerBound, isComparison }: Line): boolean {
  if (isComparison) return false;
  return isLowerBound ? measured.median < failsAt : measured.median > failsAt;
}
