import * as v from 'valibot';
import { messageField } from '../../mapping/fields.ts';
import { preferredCode } from '../../mapping/nuban.ts';
import { failure, notSent, statusFailure, transportFailure } from '../../mapping/results.ts';
import type { RegistryProvider, RegistryQuery, RegistryResult } from '../../port.ts';
import { requestJson } from '../../transport/http-client.ts';
import { lookUpWithCredentials, type ProviderConfig } from '../access.ts';
import { readDojahResult } from './result.ts';

/**
 * Dojah. Sources: docs.dojah.io, api-docs.dojah.io, the description of its own SDK.
 * - `Authorization` is the bare secret key, without a scheme.
 * - A missing record and a wrong URL both give 404. Only the error text differs.
 * - /kyc/nin returns neither the number (decision D7) nor the residence of the basic record, so both levels use the
 *   advance endpoint.
 */
const ADDRESS = { baseUrl: 'https://api.dojah.io', hosts: ['api.dojah.io', 'sandbox.dojah.io'] };
const credentialSchema = v.object({
  appId: v.pipe(v.string(), v.nonEmpty()),
  apiKey: v.pipe(v.string(), v.nonEmpty()),
});

/** Returns a look-up function that calls Dojah's API (docs/registries.md). */
export function dojahAdapter(config: ProviderConfig): RegistryProvider['lookUp'] {
  return lookUpWithCredentials(config, ADDRESS, credentialSchema, async (query, { credentials, urlOf }) => {
    if (query.idType === 'NUBAN' && !query.bankCode) return notSent('bank-code-needed');
    const { path, parameters } = requestFor(query);
    const response = await requestJson({
      method: 'GET',
      url: urlOf(`/api/v1/${path}`, parameters),
      headers: { appid: credentials.appId, authorization: credentials.apiKey },
      deadlineMs: query.deadlineMs,
    });
    if (response.kind !== 'response') return transportFailure(response);
    return response.status === 200
      ? readDojahResult(query, response.json)
      : readError(response.status, response.json);
  });
}

function requestFor(query: RegistryQuery): { path: string; parameters: Record<string, string> } {
  const { number } = query;
  const isBasic = query.level === 'basic';
  switch (query.idType) {
    case 'NIN':
      return { path: 'kyc/nin/advance', parameters: { nin: number } };
    case 'BVN':
      return { path: isBasic ? 'kyc/bvn/full' : 'kyc/bvn/advance', parameters: { bvn: number } };
    case 'CAC':
      return {
        path: isBasic ? 'kyc/cac/basic' : 'kyc/cac/advance',
        parameters: { rc_number: number.replace(/^RC/, ''), company_type: 'COMPANY' },
      };
    case 'TIN':
      return { path: 'kyc/tin', parameters: { tin: number } };
    case 'NUBAN':
      return {
        path: 'general/account',
        parameters: { account_number: number, bank_code: preferredCode(query.bankCode ?? '') },
      };
  }
}

const errorBody = v.object({ error: messageField });

function readError(status: number, json: unknown): RegistryResult {
  const parsed = v.safeParse(errorBody, json);
  const text = parsed.success ? parsed.output.error : '';
  if (status === 404 && text && !/\b(?:route|url|endpoint|path|cannot)\b/i.test(text)) {
    return failure('not-found', 'http-404');
  }
  return statusFailure(status);
}
