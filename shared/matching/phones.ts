import type { Comparison } from './agreement.ts';
import { oneEdit } from './edits.ts';

export const PHONE_REASONS = ['COUNTRY_CODE'] as const;

type PhoneReason = (typeof PHONE_REASONS)[number];

const LONGEST_PHONE = 40;
const FEWEST_DIGITS = 7;

/** Returns the digits after the country code or the leading zero, or `undefined` if the text is not a phone number. */
export function nationalNumber(text: string): string | undefined {
  if (text.length > LONGEST_PHONE || /[^\d\s+().\-/]/.test(text)) return undefined;
  const digits = text.replace(/\D/g, '').replace(/^00/, '');
  const national = digits.replace(/^(?:234)?0*(?=\d{10}$)/, '').replace(/^0+(?=\d)/, '');
  return national.length >= FEWEST_DIGITS ? national : undefined;
}

/** Compares two phone numbers in any form: +2348030000001, 2348030000001, 08030000001, 8030000001. */
export function comparePhones(claimed: string, registered: string): Comparison<PhoneReason> {
  const [one, other] = [nationalNumber(claimed), nationalNumber(registered)];
  if (one === undefined || other === undefined) return { result: 'none', score: 0, reasons: [] };
  if (one === other) {
    const hasCode = (text: string) => text.replace(/\D/g, '').length > '08030000001'.length;
    const reasons: PhoneReason[] = hasCode(claimed) === hasCode(registered) ? [] : ['COUNTRY_CODE'];
    return { result: 'exact', score: 1, reasons };
  }
  return oneEdit(one, other)
    ? { result: 'partial', score: 0.5, reasons: [] }
    : { result: 'none', score: 0, reasons: [] };
}
