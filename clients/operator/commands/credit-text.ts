import type { Environment } from '../../../shared/core/environment.ts';
import { printable } from '../../../shared/core/printable-text.ts';
import type { Credit } from '../../../shared/ledger/rows/credit.ts';
import { amount, time } from '../output.ts';

/** A credit that was recorded, now or earlier (`existed`). */
interface CreditResult {
  readonly row: Credit;
  readonly existed: boolean;
}

/** Returns a credit as JSON output shows it. */
export function creditView(organisation: string, env: Environment, { row, existed }: CreditResult) {
  const { reference, kind, amount: credits, actor, reason, createdAt, effectiveAt } = row;
  return { organisation, env, reference, kind, credits, actor, reason, createdAt, effectiveAt, existed };
}

/** The people who requested and approved a change that needs a second person. */
export interface People {
  readonly requestedBy: string;
  readonly approvedBy: string;
}

/** Returns the end of a sentence about an approved change. */
export function peopleText({ requestedBy, approvedBy }: People): string {
  return `requested by ${printable(requestedBy)}, approved by ${printable(approvedBy)}`;
}

/** Says what was recorded and by whom. `people` is given if the credit needed a second person. */
export function creditText(
  organisation: string,
  env: Environment,
  { row, existed }: CreditResult,
  people?: People,
): string {
  const { reference, actor, createdAt } = row;
  const signed = row.amount < 0 ? amount(row.amount) : `+${amount(row.amount)}`;
  if (existed)
    return `Nothing was changed: ${reference} (${signed}) had already been recorded at ${time(createdAt)}.`;
  const noun = Math.abs(row.amount) === 1 ? 'credit' : 'credits';
  const by = people ? `, ${peopleText(people)}` : ` by ${printable(actor)}`;
  return `${signed} ${env} ${noun} for ${organisation}, recorded as ${reference}${by}.`;
}
