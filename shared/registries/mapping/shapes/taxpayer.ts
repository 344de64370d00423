import * as v from 'valibot';
import { tinFormat } from '../../../core/numbers.ts';
import { phoneField, textField } from '../fields.ts';
import type { TinRecord } from '../records/tin.ts';
import { isSameNumber } from '../results.ts';

/** The field names of the tax registry. `firstin` and `jittin` are the numbers of its two sources. */
export const taxpayerEntry = v.object({
  search: textField,
  firstin: textField,
  jittin: textField,
  taxpayer_name: textField,
  cac_reg_number: textField,
  tax_office: textField,
  phone_number: phoneField,
  email: textField,
});
type TaxpayerEntry = v.InferOutput<typeof taxpayerEntry>;

/** Maps a taxpayer entry to our record. */
export function tinFromTaxpayer(tin: string, entry: TaxpayerEntry): TinRecord {
  return {
    tin,
    tin_format: tinFormat(tin),
    name: entry.taxpayer_name,
    tax_office: entry.tax_office,
    registration_date: '',
    business_type: '',
    rc_number: entry.cac_reg_number,
    email: entry.email,
    phone: entry.phone_number,
  };
}

export function numberOfTaxpayer(tin: string, entry: TaxpayerEntry): string {
  return taxNumberLike(tin, [entry.search, entry.firstin, entry.jittin]);
}

/**
 * Returns the number of a taxpayer, who may have several: the query's number if the response contains it, and otherwise
 * the first number in the response.
 */
export function taxNumberLike(tin: string, numbersInResponse: readonly string[]): string {
  const numbers = numbersInResponse.filter((number) => number !== '');
  return numbers.find((number) => isSameNumber(tin, number)) ?? numbers[0] ?? '';
}
