import { Argument, InvalidArgumentError } from 'commander';
import { isAccountingMonth } from '../../shared/core/accounting-month.ts';
import { nairaText } from '../../shared/payments/naira.ts';
import { ORDER_REFERENCE } from '../../shared/payments/orders/order-reference.ts';
import {
  EMAIL_FORMAT,
  enteredTaxNumber,
  isInvoiceEmail,
  lineProblem,
  MOST_ADDRESS_LINES,
  TAX_NUMBER_FORMAT,
} from '../../shared/payments/prices/entered-billing.ts';

/** Arguments and options about money, with their help texts and checks. */

const MAX_KOBO_PER_CREDIT = 100_000_000;

/** Converts an amount in naira, such as `150` or `149.50`, to kobo. */
export function parseNaira(text: string): number {
  const [, naira, kobo = ''] = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  if (naira === undefined)
    throw new InvalidArgumentError(
      'It must be an amount in naira with at most two decimals and without commas, for example 1500 or 149.50.',
    );
  return Number(naira) * 100 + Number(kobo.padEnd(2, '0'));
}

export function creditPriceArgument(): Argument {
  return new Argument(
    '<naira>',
    'price of one credit in naira without VAT, for example 150 or 149.50',
  ).argParser((text) => {
    const kobo = parseNaira(text);
    if (kobo < 1 || kobo > MAX_KOBO_PER_CREDIT)
      throw new InvalidArgumentError(`It must be from 0.01 to ${nairaText(MAX_KOBO_PER_CREDIT)}.`);
    return kobo;
  });
}

export function monthArgument(): Argument {
  return new Argument('<month>', 'calendar month in Nigeria (Africa/Lagos), for example 2026-11').argParser(
    parseMonth,
  );
}

export function parseMonth(text: string): string {
  if (!isAccountingMonth(text)) throw new InvalidArgumentError('It must be a month, for example 2026-11.');
  return text;
}

export function documentArgument(
  name = '<number>',
  description = 'number of the document, for example IDV-2026-000041',
): Argument {
  return new Argument(name, description).argParser((text) => {
    if (!/^(TEST-)?[A-Z]{2,8}-20\d{2}-\d{6}$/.test(text))
      throw new InvalidArgumentError('It must be the number of a document, for example IDV-2026-000041.');
    return text;
  });
}

export function orderArgument(): Argument {
  return new Argument('<reference>', 'reference of the order, as printed by `order list`').argParser(
    (text) => {
      // An order that is paid by bank transfer may have a reference that the operator chose.
      if (!ORDER_REFERENCE.test(text))
        throw new InvalidArgumentError(
          'It must be the reference of an order, as `order list <org>` shows it, for example TOPUP-01KADA3CV5Y2M2J1Q0QW5PZ7Z4.',
        );
      return text;
    },
  );
}

/** Accepts one line of an invoice, such as the name of a business. */
export function parseLine(text: string): string {
  const problem = lineProblem('It', text);
  if (problem !== undefined) throw new InvalidArgumentError(problem);
  return text;
}

/** Adds a line to those from earlier options. */
export function addAddressLine(text: string, previous: readonly string[] = []): string[] {
  if (previous.length === MOST_ADDRESS_LINES)
    throw new InvalidArgumentError(`An address has at most ${MOST_ADDRESS_LINES} lines.`);
  return [...previous, parseLine(text)];
}

/** Accepts a tax identification number: 12 digits with or without a hyphen, 10 digits (JTB), or 13 digits (Tax ID). */
export function parseTaxNumber(text: string): string {
  const number = enteredTaxNumber(text);
  if (number === undefined) throw new InvalidArgumentError(TAX_NUMBER_FORMAT);
  return number;
}

export function parseEmail(text: string): string {
  if (!isInvoiceEmail(text)) throw new InvalidArgumentError(EMAIL_FORMAT);
  return text;
}

/** Formats an amount in kobo for people: `₦1,234.50`. */
export function naira(kobo: number): string {
  return `${kobo < 0 ? '-' : ''}₦${nairaText(Math.abs(kobo))}`;
}
