import type { ClosingDependencies, ClosingRequest } from '../../../shared/payments/months/begin-closing.ts';
import type { ClosedMonth } from '../../../shared/payments/months/close-month.ts';
import { closeMonths } from '../../../shared/payments/months/close-months.ts';

/** Closes a month of one wallet, as the command `month close` does. Throws the reason if the month stays open. */
export async function closeMonth(
  { scope, month, actor }: ClosingRequest,
  deps: ClosingDependencies,
): Promise<ClosedMonth> {
  const { closed, open } = await closeMonths({ wallets: [scope], month, actor }, deps);
  const [one] = closed;
  if (!one) throw new Error(open[0]?.reason);
  return { closing: one.closing, existed: one.existed };
}
