import { invalidSchema, requireText, ServiceError } from '../../core/errors.ts';
import { hasLongNumber } from '../../core/printable-text.ts';
import { checkFields } from '../../http/console/body-error.ts';
import type { BillingDetails, Party } from '../prices/billing.ts';
import type { BillingTable } from '../prices/billing-table.ts';
import {
  EMAIL_FORMAT,
  enteredTaxNumber,
  isInvoiceEmail,
  isSameParty,
  lineProblem,
  MOST_ADDRESS_LINES,
  TAX_NUMBER_FORMAT,
} from '../prices/entered-billing.ts';
import type { BillingFields } from './views.ts';

/** Without surrounding spaces. The CLI applies the same rules. INVALID_SCHEMA names all wrong fields. */
export function enteredBilling({ name, address, tax_number, email }: BillingFields): Party {
  checkFields(
    () => lineOf(name, 'name'),
    () => addressOf(address),
    () => taxNumberOf(tax_number),
    () => emailOf(email),
  );
  return {
    name: lineOf(name, 'name'),
    address: addressOf(address),
    taxNumber: taxNumberOf(tax_number),
    email: emailOf(email),
  };
}

function addressOf(lines: BillingFields['address']): string[] {
  if (lines.length < 1 || lines.length > MOST_ADDRESS_LINES)
    throw wrong('address', `Enter 1 to ${MOST_ADDRESS_LINES} lines.`);
  return lines.map((line, index) => lineOf(line, `address.${index}`));
}

function taxNumberOf(entered: string): string {
  requireText(entered.trim(), 'tax_number');
  const taxNumber = enteredTaxNumber(entered.trim());
  if (taxNumber === undefined) throw wrong('tax_number', TAX_NUMBER_FORMAT);
  return taxNumber;
}

function emailOf(entered: string): string {
  const email = entered.trim();
  requireText(email, 'email');
  if (!isInvoiceEmail(email)) throw wrong('email', EMAIL_FORMAT);
  return email;
}

function lineOf(entered: string, field: string): string {
  const text = entered.normalize('NFC').trim();
  requireText(text, field);
  // Pages replace it, for example by "Line 2".
  const subject = `The field ${field}`;
  const problem = lineProblem(subject, text);
  if (problem !== undefined)
    throw invalidSchema('wrong_format', field, problem, 'Invoices print it as one line.');
  // It may be an identity number, and the audit trail, which is never deleted, records the details.
  if (hasLongNumber(text))
    throw invalidSchema(
      'wrong_format',
      field,
      `${subject} must not contain a number of 10 or more digits.`,
      'Remove it.',
    );
  return text;
}

function wrong(field: string, hint: string): ServiceError {
  return invalidSchema('wrong_format', field, `The field ${field} is not valid.`, hint);
}

/** For future invoices. Writes nothing if unchanged. Throws CHANGED_MEANWHILE. */
export async function updateBilling(
  organisationId: string,
  party: Party,
  author: { readonly actor: string; readonly nowMs: number },
  table: BillingTable,
): Promise<Party> {
  const before = await table.getBilling(organisationId);
  if (before && isSameParty(before, party)) return before;
  const after: BillingDetails = {
    ...party,
    changedAt: new Date(author.nowMs).toISOString(),
    changedBy: author.actor,
  };
  if (await table.putBilling(organisationId, before, after)) return after;
  throw new ServiceError('CHANGED_MEANWHILE');
}
