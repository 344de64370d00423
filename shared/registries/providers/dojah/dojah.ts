import * as v from 'valibot';
import type { CompanyType } from '../../../core/id-types.ts';
import { companyNumber, isVirtualNin } from '../../../core/numbers.ts';
import { bankNotServed } from '../../mapping/account.ts';
import { messageField } from '../../mapping/fields.ts';
import { providerCode } from '../../mapping/nuban.ts';
import {
  failure,
  noRecord,
  notSent,
  statusFailure,
  transportFailure,
  unknownBank,
} from '../../mapping/results.ts';
import type { RegistryProvider, RegistryQuery, RegistryResult } from '../../port.ts';
import { requestJson } from '../../transport/http-client.ts';
import { lookUpWithCredentials, type ProviderConfig } from '../access.ts';
import { readDojahResult } from './result.ts';

/**
 * Dojah. Sources: docs.dojah.io, api-docs.dojah.io and the description of its own SDK.
 * - `Authorization` is the bare secret key, without a scheme.
 * - The error text says that there is no record, with the status 400 or 404. A wrong URL returns 404 too.
 * - /kyc/nin does not return the number (contract D7), so both levels use the advance endpoint.
 * - The parameters of CAC advance differ from those of CAC basic, and no value for partnerships is documented.
 */

const credentialSchema = v.object({
  appId: v.pipe(v.string(), v.nonEmpty()),
  apiKey: v.pipe(v.string(), v.nonEmpty()),
});
export const DOJAH = {
  baseUrl: 'https://api.dojah.io',
  hosts: ['api.dojah.io', 'sandbox.dojah.io'],
  credentialSchema,
};

/** Returns a look-up function that calls Dojah's API (docs/operate/providers.md). */
export function dojahAdapter(config: ProviderConfig): RegistryProvider['lookUp'] {
  return lookUpWithCredentials(config, DOJAH, async (query, { credentials, urlOf }) => {
    const withoutBank = bankNotServed(query, 'dojah');
    if (withoutBank) return withoutBank;
    const request = requestFor(query);
    if (!request) return notSent('type-not-served');
    const response = await requestJson({
      method: 'GET',
      url: urlOf(`/api/v1/${request.path}`, request.parameters),
      headers: { appid: credentials.appId, authorization: credentials.apiKey },
      deadlineMs: query.deadlineMs,
    });
    if (response.kind !== 'response') return transportFailure(response);
    return readResponse(query, response.status, response.json);
  });
}

interface DojahRequest {
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
}

function requestFor(query: RegistryQuery): DojahRequest | undefined {
  const { number } = query;
  switch (query.idType) {
    case 'NIN':
      return isVirtualNin(number)
        ? { path: 'kyc/vnin', parameters: { vnin: number } }
        : { path: 'kyc/nin/advance', parameters: { nin: number } };
    case 'BVN':
      return {
        path: query.level === 'basic' ? 'kyc/bvn/full' : 'kyc/bvn/advance',
        parameters: { bvn: number },
      };
    case 'CAC':
      return companyRequest(query);
    case 'TIN':
      return { path: 'kyc/tin', parameters: { tin: number } };
    case 'NUBAN':
      return {
        path: 'general/account',
        parameters: { account_number: number, bank_code: providerCode(query, 'dojah') },
      };
  }
}

const BASIC_TYPES: Readonly<Record<CompanyType, string>> = {
  RC: 'COMPANY',
  BN: 'BUSINESS_NAME',
  IT: 'INCORPORATED_TRUSTEES',
  LP: 'LIMITED_PARTNERSHIP',
  LLP: 'LIMITED_LIABILITY_PARTNERSHIP',
};
const ADVANCE_TYPES: Readonly<Partial<Record<CompanyType, string>>> = { RC: 'co', BN: 'bn', IT: 'it' };

function companyRequest({ level, number }: RegistryQuery): DojahRequest | undefined {
  const { type, digits } = companyNumber(number);
  if (level === 'basic')
    return { path: 'kyc/cac/basic', parameters: { rc_number: digits, company_type: BASIC_TYPES[type] } };
  const advanceType = ADVANCE_TYPES[type];
  return advanceType === undefined
    ? undefined
    : { path: 'kyc/cac/advance', parameters: { rc: digits, type: advanceType, class: 'premium' } };
}

/** The newest page of response codes names the text `message`, and the guides name it `error`. */
const errorBody = v.union([v.object({ error: messageField }), v.object({ message: messageField })]);

function readResponse(query: RegistryQuery, status: number, json: unknown): RegistryResult {
  const parsed = v.safeParse(errorBody, json);
  const text = parsed.success ? Object.values(parsed.output).join('') : '';
  const documented = noRecord(status, text) ?? (query.idType === 'NUBAN' ? unknownBank(text) : undefined);
  if (documented) return documented;
  if (status === 200) return readDojahResult(query, json);
  const isWrongUrl = /\b(?:route|url|endpoint|path|cannot)\b/i.test(text);
  return status === 404 && text && !isWrongUrl ? failure('not-found', 'http-404') : statusFailure(status);
}
