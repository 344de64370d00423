import * as v from 'valibot';
import { canonicalNumber, tinFormat } from '../../../core/numbers.ts';
import { accountResult } from '../../mapping/account.ts';
import { flagField, textField } from '../../mapping/fields.ts';
import type { TinRecord } from '../../mapping/records/tin.ts';
import { failure, foundOrFailed, type RegistryFailure, readResult } from '../../mapping/results.ts';
import { bvnFromNibss, nibssEntry } from '../../mapping/shapes/nibss.ts';
import { nimcEntry, ninFromNimc } from '../../mapping/shapes/nimc.ts';
import { numberOfTaxpayer, taxpayerEntry, tinFromTaxpayer } from '../../mapping/shapes/taxpayer.ts';
import type { RegistryQuery, RegistryResult } from '../../port.ts';
import { readCompany } from './company.ts';

/**
 * Prembly's envelope. The outcome depends on `response_code` rather than `status`, because Prembly's two pages about
 * codes disagree on that flag.
 */
const envelope = v.object({
  response_code: textField,
  status: v.optional(v.unknown()),
  data: v.optional(v.unknown()),
  nin_data: v.optional(v.unknown()),
  bvn_data: v.optional(v.unknown()),
  account_data: v.optional(v.unknown()),
  'account data': v.optional(v.unknown()),
  billing_info: v.nullish(v.object({ was_charged: flagField })),
});

const taxIdEntry = v.object({ tin: textField, taxpayerType: textField, name: textField });
const taxOfPersonEntry = v.object({
  nin: textField,
  firstName: textField,
  lastName: textField,
});
const accountEntry = v.object({ account_number: textField, account_name: textField });

const FAILURES: Readonly<Record<string, RegistryFailure>> = {
  '01': failure('not-found', 'code-01'),
  '02': failure('unreachable', 'code-02'),
  '03': failure('unreachable', 'provider-funds'),
  '07': failure('failed', 'blocked'),
};

/**
 * Parses a response with HTTP status 200. An undocumented code is a failure without failover, because a second provider
 * could bill the look-up again.
 */
export function readPremblyResult(query: RegistryQuery, json: unknown): RegistryResult {
  return readResult(envelope, json, (body) => {
    const code = body.response_code;
    const record =
      body.data ?? body.nin_data ?? body.bvn_data ?? body.account_data ?? body['account data'] ?? null;
    if (code === '00' || (code === '' && body.status === true && record !== null))
      return readRecord(query, record);
    const known = FAILURES[code] ?? failure('failed', /^\d{2}$/.test(code) ? `code-${code}` : 'code-unknown');
    return body.billing_info?.was_charged ? { ...known, maybeBilled: true } : known;
  });
}

/** Returns `not-found` if a response with another status than 200 has the code for it. */
export function notFoundIn(json: unknown): RegistryFailure | undefined {
  const parsed = v.safeParse(envelope, json);
  const code = parsed.success ? parsed.output.response_code : '';
  return code === '01' ? FAILURES[code] : undefined;
}

function readRecord(query: RegistryQuery, record: unknown): RegistryResult {
  switch (query.idType) {
    case 'NIN':
      return readResult(nimcEntry, record, (entry) =>
        foundOrFailed(query, numberOfPerson(query, entry), ninFromNimc(query.number, entry)),
      );
    case 'BVN':
      return readResult(nibssEntry, record, (entry) =>
        foundOrFailed(query, entry.bvn, bvnFromNibss(query.number, entry)),
      );
    case 'CAC':
      return readCompany(query, record);
    case 'TIN':
      return readTax(query, record);
    case 'NUBAN':
      return readResult(accountEntry, record, (entry) =>
        accountResult(query, { accountNumber: entry.account_number, accountName: entry.account_name }),
      );
  }
}

/**
 * Returns the number that a NIN result is about (contract D7). If a result does contain a number, it must be the
 * requested one.
 */
function numberOfPerson(query: RegistryQuery, { nin }: v.InferOutput<typeof nimcEntry>): string {
  return query.level === 'basic' ? nin || query.number : nin;
}

function readTax(query: RegistryQuery, record: unknown): RegistryResult {
  switch (tinFormat(query.number)) {
    case 'TAX_ID':
      return readTaxId(query, record);
    case 'NIN':
      return readTaxOfPerson(query, record);
    case 'RC':
      return readResult(taxpayerEntry, record, (entry) =>
        foundOrFailed(query, entry.cac_reg_number, tinFromTaxpayer(query.number, entry)),
      );
    default:
      return readTaxpayer(query, record);
  }
}

function readTaxpayer(query: RegistryQuery, record: unknown): RegistryResult {
  return readResult(taxpayerEntry, record, (entry) => {
    const number = isBoundByRequest(query, entry) ? query.number : numberOfTaxpayer(query.number, entry);
    return foundOrFailed(query, number, tinFromTaxpayer(query.number, entry));
  });
}

/**
 * Whether a result is assumed to be about the requested number (contract D7). For a 12-digit number, the published
 * result contains no `search`, and its `firstin` and `jittin` are other numbers of the taxpayer, with 11 and 5 digits.
 * A result with `search`, or with any 12-digit number, must contain the requested number. The same applies to every
 * result for a 10-digit number, for which no sample is published.
 */
function isBoundByRequest(query: RegistryQuery, entry: v.InferOutput<typeof taxpayerEntry>): boolean {
  if (tinFormat(query.number) !== 'FIRS' || entry.search !== '') return false;
  return [entry.firstin, entry.jittin].every((number) => {
    const canonical = canonicalNumber('TIN', number);
    return canonical === undefined || tinFormat(canonical) !== 'FIRS';
  });
}

function readTaxId(query: RegistryQuery, record: unknown): RegistryResult {
  return readResult(taxIdEntry, record, ({ tin, name, taxpayerType }) =>
    foundOrFailed(query, tin, { ...emptyTin(query.number), name, business_type: taxpayerType }),
  );
}

function readTaxOfPerson(query: RegistryQuery, record: unknown): RegistryResult {
  return readResult(taxOfPersonEntry, record, ({ nin, firstName, lastName }) =>
    foundOrFailed(query, nin, {
      ...emptyTin(query.number),
      name: [firstName, lastName].filter(Boolean).join(' '),
    }),
  );
}

function emptyTin(tin: string): TinRecord {
  return {
    tin,
    tin_format: tinFormat(tin),
    name: '',
    tax_office: '',
    registration_date: '',
    business_type: '',
    rc_number: '',
    email: '',
    phone: '',
  };
}
