import { Duration } from 'aws-cdk-lib';

export interface Watch {
  /** The metric that a function writes, with the largest value that is still good. */
  readonly metric: string;
  readonly limit: number;
  readonly period: Duration;
  /** Periods in a row that must be bad. */
  readonly periods: number;
  /** Is silence bad too? */
  readonly mustBeTold: boolean;
  /** What it means; the section of docs/operations.md that tells what to do. */
  readonly words: string;
  readonly section: string;
}

/** What the functions tell of the books and of holds. */
export const WATCHES: Readonly<Record<string, Watch>> = {
  'books-differ': {
    metric: 'reconciliationDifferences',
    limit: 0,
    period: Duration.days(1),
    periods: 1,
    mustBeTold: false,
    words: 'The daily reconciliation found rows that do not agree.',
    section: 'The books differ',
  },
  'hold-too-old': {
    metric: 'oldestHold',
    limit: 5 * 60_000,
    period: Duration.minutes(1),
    periods: 5,
    mustBeTold: true,
    words: 'A credit is held for more than 5 minutes, or the sweeper does not run.',
    section: 'A hold is too old',
  },
  'hold-quarantined': {
    metric: 'quarantinedHolds',
    limit: 0,
    period: Duration.minutes(5),
    periods: 1,
    mustBeTold: false,
    words: 'The sweeper failed five times on a hold and leaves it to a person.',
    section: 'A hold is in quarantine',
  },
};
