/** How far two values agree, the best first. */
export const AGREEMENTS = ['exact', 'strong', 'partial', 'none'] as const;

export type Agreement = (typeof AGREEMENTS)[number];

/** What the comparison of two values says. The score is from 0 to 1. `undefined` in place of it: a value is unreadable. */
export interface Comparison<Reason extends string> {
  readonly result: Agreement;
  readonly score: number;
  readonly reasons: readonly Reason[];
}
