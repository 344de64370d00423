/** How well two values agree, best first. */
export const AGREEMENTS = ['exact', 'strong', 'partial', 'none'] as const;

export type Agreement = (typeof AGREEMENTS)[number];

/** The result of comparing two values. The score is from 0 to 1. */
export interface Comparison<Reason extends string> {
  readonly result: Agreement;
  readonly score: number;
  readonly reasons: readonly Reason[];
}
