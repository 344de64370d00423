/** Amounts in words, as they are written on invoices and receipts. */

const BELOW_TWENTY = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
] as const;
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'] as const;
/** The names of the powers of a thousand, by exponent. The largest exact amount in kobo is 90 trillion naira. */
const POWERS = ['', ' thousand', ' million', ' billion', ' trillion'] as const;

function belowHundred(value: number): string {
  if (value < 20) return BELOW_TWENTY[value] ?? '';
  const units = value % 10;
  const tens = TENS[Math.floor(value / 10)] ?? '';
  return units === 0 ? tens : `${tens}-${BELOW_TWENTY[units]}`;
}

function belowThousand(value: number): string {
  const rest = value % 100;
  if (value < 100) return belowHundred(value);
  const hundreds = `${BELOW_TWENTY[Math.floor(value / 100)]} hundred`;
  return rest === 0 ? hundreds : `${hundreds} and ${belowHundred(rest)}`;
}

/** Returns a whole number of 0 or more in words, such as `one thousand, two hundred and five`. */
function inWords(value: number): string {
  if (value === 0) return 'zero';
  const groups: string[] = [];
  let rest = value;
  for (const power of POWERS) {
    const group = rest % 1000;
    if (group > 0) groups.unshift(belowThousand(group) + power);
    rest = (rest - group) / 1000;
  }
  // A last group without hundreds is joined with `and`: one thousand and five.
  const last = value % 1000;
  if (last === 0 || last >= 100 || groups.length === 1) return groups.join(', ');
  return `${groups.slice(0, -1).join(', ')} and ${groups.at(-1)}`;
}

/**
 * Returns an amount in kobo in words, such as `Five thousand, three hundred and seventy-five naira, fifty kobo only`.
 * Throws if the amount is not an exact whole number.
 */
export function amountInWords(kobo: number): string {
  if (!Number.isSafeInteger(kobo)) throw new Error('An amount must be an exact whole number of kobo.');
  const amount = Math.abs(kobo);
  const rest = amount % 100;
  const naira = (amount - rest) / 100;
  const parts = [
    naira > 0 || rest === 0 ? `${inWords(naira)} naira` : '',
    rest > 0 ? `${inWords(rest)} kobo` : '',
  ].filter(Boolean);
  const words = `${kobo < 0 ? 'minus ' : ''}${parts.join(', ')} only`;
  return words.charAt(0).toUpperCase() + words.slice(1);
}
