import { describe, expect, test } from '@jest/globals';
import { ServiceError } from '../../../shared/core/errors.ts';
import { enteredBilling } from '../../../shared/payments/console/update-billing.ts';
import type { BillingFields } from '../../../shared/payments/console/views.ts';

const ENTERED: BillingFields = {
  name: ' Kainji Pay Limited ',
  address: ['2 Marina ', 'Lagos'],
  tax_number: ' 123456780001',
  email: 'accounts@kainji.example ',
};

function rejectionOf(changes: Partial<BillingFields>) {
  try {
    return enteredBilling({ ...ENTERED, ...changes });
  } catch (error) {
    return error instanceof ServiceError ? [error.code, error.details?.field, error.message] : error;
  }
}

describe('billing details', () => {
  test('are stored without surrounding spaces, and with the tax number as invoices print it', () => {
    expect(enteredBilling(ENTERED)).toEqual({
      name: 'Kainji Pay Limited',
      address: ['2 Marina', 'Lagos'],
      taxNumber: '12345678-0001',
      email: 'accounts@kainji.example',
    });
  });

  test('are rejected with all their wrong fields', () => {
    const wrong = { name: '', address: [], tax_number: '1', email: 'x' };
    const fields = (names: readonly string[]) =>
      names.map((field) => expect.objectContaining({ details: expect.objectContaining({ field }) }));
    expect(() => enteredBilling(wrong)).toThrow(
      expect.objectContaining({ others: fields(['address', 'tax_number', 'email']) }),
    );
  });

  test.each<[string, Partial<BillingFields>, string, RegExp]>([
    ['an empty name', { name: ' ' }, 'name', /^The field name must not be empty\. Fill it in\.$/],
    ['an empty tax number', { tax_number: ' ' }, 'tax_number', /^The field tax_number must not be empty/],
    ['an empty email address', { email: '' }, 'email', /^The field email must not be empty/],
    ['a long name', { name: 'x'.repeat(61) }, 'name', /^The field name must have 1 to 60 characters/],
    [
      'a long line',
      { address: ['2 Marina', 'x'.repeat(61)] },
      'address.1',
      /^The field address\.1 must have/,
    ],
    ['a long number', { address: ['12345 67890'] }, 'address.0', /^The field address\.0 must not contain a/],
    ['a line break', { address: ['2 Marina', 'La\ngos'] }, 'address.1', /line breaks/],
    ['no address', { address: [] }, 'address', /1 to 5 lines/],
    ['six lines', { address: Array(6).fill('x') }, 'address', /1 to 5 lines/],
    ['a tax number of 11 digits', { tax_number: '12345678901' }, 'tax_number', /12345678-0001/],
    ['an address without a domain', { email: 'accounts' }, 'email', /email address/],
    ['two addresses', { email: 'a@example.com, b@example.com' }, 'email', /email address/],
  ])('with %s are rejected, and the error names the field', (_, changes, field, message) => {
    expect(rejectionOf(changes)).toEqual(['INVALID_SCHEMA', field, expect.stringMatching(message)]);
  });
});
