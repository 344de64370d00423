import * as v from 'valibot';
import { accountResult } from '../../mapping/account.ts';
import { amountField, dateField, flagField, textField } from '../../mapping/fields.ts';
import { failure, foundOrFailed, type RegistryFailure, readResult } from '../../mapping/results.ts';
import { affiliateEntries, affiliatesFrom, directorsAmong } from '../../mapping/shapes/affiliates.ts';
import { bvnFromNibss, nibssEntry } from '../../mapping/shapes/nibss.ts';
import { nimcEntry, ninFromNimc } from '../../mapping/shapes/nimc.ts';
import { numberOfTaxpayer, taxpayerEntry, tinFromTaxpayer } from '../../mapping/shapes/taxpayer.ts';
import type { RegistryQuery, RegistryResult } from '../../port.ts';

/**
 * Prembly's envelope. `response_code` decides, even for HTTP 200: its two pages of codes disagree on the `status`
 * flag. The key of the record differs by check, and one key contains a space.
 */
const envelope = v.object({
  response_code: textField,
  data: v.optional(v.unknown()),
  nin_data: v.optional(v.unknown()),
  bvn_data: v.optional(v.unknown()),
  account_data: v.optional(v.unknown()),
  'account data': v.optional(v.unknown()),
  billing_info: v.nullish(v.object({ was_charged: flagField })),
});

const companyEntry = v.object({
  rc_number: textField,
  company_name: textField,
  company_type: textField,
  entity_type: textField,
  company_status: textField,
  company_address: textField,
  branchAddress: textField,
  city: textField,
  lga: textField,
  state: textField,
  registrationDate: dateField,
  email_address: textField,
  natureOfBusiness: textField,
  shareCapital: amountField,
  directors: affiliateEntries,
});
const accountEntry = v.object({ account_number: textField, account_name: textField });

const FAILURES: Readonly<Record<string, RegistryFailure>> = {
  '01': failure('not-found', 'code-01'),
  '02': failure('unreachable', 'code-02'),
  '03': failure('unreachable', 'provider-funds'),
  '07': failure('failed', 'blocked'),
};

/** Reads a 200. An undocumented code is a failure without failover: asking another provider may be billed twice. */
export function readPremblyResult(query: RegistryQuery, json: unknown): RegistryResult {
  return readResult(envelope, json, (body) => {
    const code = body.response_code ?? '';
    if (code === '00') return readRecord(query, recordIn(query, body));
    const known = FAILURES[code] ?? failure('failed', /^\d{2}$/.test(code) ? `code-${code}` : 'code-unknown');
    return body.billing_info?.was_charged ? { ...known, maybeBilled: true } : known;
  });
}

/** CAC responses can be a list, which may contain companies with other numbers. */
function recordIn(query: RegistryQuery, body: v.InferOutput<typeof envelope>): unknown {
  const record =
    body.data ?? body.nin_data ?? body.bvn_data ?? body.account_data ?? body['account data'] ?? null;
  if (!Array.isArray(record)) return record;
  return record.find((one) => bareNumber(one?.rc_number) === bareNumber(query.number)) ?? record[0];
}

function bareNumber(value: unknown): string {
  return String(value)
    .replace(/[^0-9]/g, '')
    .replace(/^0+/, '');
}

function readRecord(query: RegistryQuery, record: unknown): RegistryResult {
  switch (query.idType) {
    case 'NIN':
      return readResult(nimcEntry, record, (entry) =>
        foundOrFailed(query, entry.nin, ninFromNimc(query.number, entry)),
      );
    case 'BVN':
      return readResult(nibssEntry, record, (entry) =>
        foundOrFailed(query, entry.bvn, bvnFromNibss(query.number, entry)),
      );
    case 'CAC':
      return readResult(companyEntry, record, (entry) => company(query, entry));
    case 'TIN':
      return readResult(taxpayerEntry, record, (entry) =>
        foundOrFailed(query, numberOfTaxpayer(entry), tinFromTaxpayer(query.number, entry)),
      );
    case 'NUBAN':
      // Only some responses contain the account number.
      return readResult(accountEntry, record, (entry) =>
        accountResult(query, {
          accountNumber: entry.account_number || query.number,
          accountName: entry.account_name,
        }),
      );
  }
}

function company(query: RegistryQuery, entry: v.InferOutput<typeof companyEntry>): RegistryResult {
  const affiliatesData = affiliatesFrom(entry.directors, 'DIRECTOR');
  return foundOrFailed(query, entry.rc_number, {
    companyName: entry.company_name,
    rcNumber: query.number,
    status: entry.company_status,
    registrationDate: entry.registrationDate,
    companyType: entry.company_type,
    classification: entry.entity_type,
    headOfficeAddress: entry.company_address,
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
