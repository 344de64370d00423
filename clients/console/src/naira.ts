import { nairaText } from '../../../shared/payments/naira.ts';

/** Formats an amount in kobo for people: "₦107,500.00". */
export function formatNaira(kobo: number): string {
  return `${kobo < 0 ? '-' : ''}₦${nairaText(Math.abs(kobo))}`;
}
