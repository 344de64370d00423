import * as v from 'valibot';
import { tinFormat } from '../../../core/numbers.ts';
import { accountResult } from '../../mapping/account.ts';
import { entityFoundOrFailed } from '../../mapping/entity.ts';
import { amountField, dateField, phoneField, textField } from '../../mapping/fields.ts';
import type { CacRecord } from '../../mapping/records/cac.ts';
import { foundOrFailed, readResult } from '../../mapping/results.ts';
import { affiliateEntries, affiliatesFrom, directorsAmong } from '../../mapping/shapes/affiliates.ts';
import { bvnFromNibss, nibssEntry } from '../../mapping/shapes/nibss.ts';
import { nimcEntry, ninFromNimc } from '../../mapping/shapes/nimc.ts';
import type { RegistryQuery, RegistryResult } from '../../port.ts';

const envelope = <E extends v.GenericSchema>(entry: E) => v.object({ found: v.literal(true), entry });

const ninResult = envelope(nimcEntry);
const bvnResult = envelope(nibssEntry);
const cacResult = envelope(
  v.object({
    rcNumber: textField,
    companyName: textField,
    companyStatus: textField,
    classification: textField,
    companyType: textField,
    registrationDate: dateField,
    headOfficeAddress: textField,
    branchAddress: textField,
    city: textField,
    lga: textField,
    state: textField,
    companyEmail: textField,
    natureOfBusiness: textField,
    shareCapital: amountField,
    shareCapitalInWords: textField,
    affiliates: affiliateEntries,
  }),
);
const tinResult = envelope(
  v.object({
    search: textField,
    taxpayer_name: textField,
    cac_reg_number: textField,
    entity_type: textField,
    date_of_registration: dateField,
    tax_office: textField,
    phone_number: phoneField,
    email: textField,
  }),
);
const nubanResult = envelope(
  v.object({
    accountNumber: textField,
    accountName: textField,
    bankCode: textField,
    bankName: textField,
    currency: textField,
  }),
);

/** Parses a response with HTTP status 200. */
export function readSandboxResult(query: RegistryQuery, json: unknown): RegistryResult {
  switch (query.idType) {
    case 'NIN':
      return readResult(ninResult, json, ({ entry }) =>
        foundOrFailed(query, entry.nin, ninFromNimc(query.number, entry)),
      );
    case 'BVN':
      return readResult(bvnResult, json, ({ entry }) =>
        foundOrFailed(query, entry.bvn, bvnFromNibss(query.number, entry)),
      );
    case 'CAC':
      return readResult(cacResult, json, ({ entry }) => company(query, entry));
    case 'TIN':
      return readResult(tinResult, json, ({ entry }) => taxpayer(query, entry));
    case 'NUBAN':
      return readResult(nubanResult, json, ({ entry }) => accountResult(query, entry));
  }
}

function company(query: RegistryQuery, entry: v.InferOutput<typeof cacResult>['entry']): RegistryResult {
  const { companyStatus, affiliates, ...rest } = entry;
  const affiliatesData = affiliatesFrom(affiliates);
  const record: CacRecord = {
    ...rest,
    rcNumber: query.number,
    status: companyStatus,
    affiliates: affiliatesData.length,
    directors: directorsAmong(affiliatesData),
    affiliatesData,
  };
  const types = [entry.classification, entry.companyType];
  return entityFoundOrFailed(query, { number: entry.rcNumber, types, requestNamesType: true }, record);
}

function taxpayer(query: RegistryQuery, entry: v.InferOutput<typeof tinResult>['entry']): RegistryResult {
  return foundOrFailed(query, entry.search, {
    tin: query.number,
    tin_format: tinFormat(query.number),
    name: entry.taxpayer_name,
    tax_office: entry.tax_office,
    registration_date: entry.date_of_registration,
    business_type: entry.entity_type,
    rc_number: entry.cac_reg_number,
    email: entry.email,
    phone: entry.phone_number,
  });
}
