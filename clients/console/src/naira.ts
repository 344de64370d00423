import { nairaText } from '../../../shared/payments/naira.ts';

/** Returns an amount in kobo as people write it: "₦107,500.00". */
export function formatNaira(kobo: number): string {
  return `${kobo < 0 ? '-' : ''}₦${nairaText(Math.abs(kobo))}`;
}
