import * as v from 'valibot';
import { closestEntity, entityFoundOrFailed, type ResponseEntity } from '../../mapping/entity.ts';
import { amountField, dateField, listOf, textField } from '../../mapping/fields.ts';
import { readResult } from '../../mapping/results.ts';
import { affiliateEntry, affiliatesFrom, directorsAmong } from '../../mapping/shapes/affiliates.ts';
import type { RegistryQuery, RegistryResult } from '../../port.ts';

/**
 * Prembly's companies. Samples differ in three ways:
 * - The advanced product returns an object or a list, in which entities with different numbers or types can come first.
 * - The older reference uses different names for the address and the date.
 * - Directors are a list of full records, a list of names with a designation, or an empty object.
 */

const identity = v.object({ rc_number: textField, company_type: textField, entity_type: textField });

/** Some samples have only a full name, which then becomes the surname. */
const directorEntry = v.pipe(
  v.object({ ...affiliateEntry.entries, name: textField, designation: textField }),
  v.transform(({ name, designation, ...entry }) => ({
    ...entry,
    surname: entry.surname || name,
    affiliateType: entry.affiliateType || designation,
    // For a person, `rcNumber` repeats the number of the company.
    rcNumber: entry.corporationName === '' ? '' : entry.rcNumber,
  })),
);
const directors = v.nullish(
  v.union([
    listOf(directorEntry),
    v.pipe(
      v.strictObject({}),
      v.transform(() => []),
    ),
  ]),
  [],
);

const companyEntry = v.object({
  ...identity.entries,
  company_name: textField,
  company_status: textField,
  company_address: textField,
  address: textField,
  branchAddress: textField,
  city: textField,
  lga: textField,
  state: textField,
  registrationDate: dateField,
  date_of_registration: dateField,
  email_address: textField,
  natureOfBusiness: textField,
  shareCapital: amountField,
  directors,
});

/** Reads a company, or the company in a list that best matches the query. */
export function readCompany(query: RegistryQuery, data: unknown): RegistryResult {
  if (!Array.isArray(data)) return readEntry(query, data);
  return readResult(listOf(v.unknown()), data, (entries) =>
    readEntry(query, closestEntity(query, entries, identityOf)),
  );
}

function readEntry(query: RegistryQuery, data: unknown): RegistryResult {
  return readResult(companyEntry, data, (entry) => company(query, entry));
}

function identityOf(entry: unknown): ResponseEntity {
  const parsed = v.safeParse(identity, entry);
  return entityOf(parsed.success ? parsed.output : { rc_number: '', company_type: '', entity_type: '' });
}

/** The request names the type, so a company without a type is accepted, as in one sample of the basic product. */
function entityOf(entry: v.InferOutput<typeof identity>): ResponseEntity {
  return {
    number: entry.rc_number,
    types: [entry.company_type, entry.entity_type],
    requestNamesType: true,
  };
}

function company(query: RegistryQuery, entry: v.InferOutput<typeof companyEntry>): RegistryResult {
  const affiliatesData = affiliatesFrom(entry.directors, 'DIRECTOR');
  return entityFoundOrFailed(query, entityOf(entry), {
    companyName: entry.company_name,
    rcNumber: query.number,
    status: entry.company_status,
    registrationDate: entry.registrationDate || entry.date_of_registration,
    companyType: entry.company_type,
    classification: entry.entity_type,
    headOfficeAddress: entry.company_address || entry.address,
    branchAddress: entry.branchAddress,
    city: entry.city,
    lga: entry.lga,
    state: entry.state,
    companyEmail: entry.email_address,
    natureOfBusiness: entry.natureOfBusiness,
    shareCapital: entry.shareCapital,
    shareCapitalInWords: '',
    affiliates: affiliatesData.length,
    directors: directorsAmong(affiliatesData),
    affiliatesData,
  });
}
