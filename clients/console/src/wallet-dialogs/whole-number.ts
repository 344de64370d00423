/**
 * Returns the whole number that a person has entered, such as "10,000", "10 000" or "₦10,000.00". Undefined if it is not
 * a whole number.
 */
export function wholeNumberOf(text: string): number | undefined {
  const digits = text.replaceAll(/[\s,]/g, '').replaceAll(/^(₦|NGN)|\.0{1,2}$/giu, '');
  return /^[0-9]{1,12}$/.test(digits) ? Number(digits) : undefined;
}
