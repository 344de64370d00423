/**
 * Returns the whole number that a person has entered, such as "10,000", "10 000" or "10,000.00". Undefined if it is not
 * a whole number, for example because it has a currency.
 */
export function wholeNumberOf(text: string): number | undefined {
  const digits = text.replaceAll(/[\s,]/g, '').replace(/\.0{1,2}$/, '');
  return /^[0-9]{1,12}$/.test(digits) ? Number(digits) : undefined;
}

/** Returns whole naira, such as "₦10,000" or "10,000". */
export const nairaOf = (text: string) => wholeNumberOf(text.trim().replace(/^(₦|NGN)/i, ''));
