import * as v from 'valibot';
import { preferredCode } from '../../mapping/nuban.ts';
import { failure, noResponse, outage, unasked } from '../../mapping/results.ts';
import type { RegistryProvider, RegistryQuery, RegistryResult } from '../../port.ts';
import { requestJson } from '../../transport/http-client.ts';
import { lookUpWith, type ProviderConfig } from '../access.ts';
import { readEntity } from './result.ts';

/**
 * Dojah. Sources: docs.dojah.io, api-docs.dojah.io, the maker's own SDK description.
 * - `Authorization` is the bare secret key, without a scheme word.
 * - A record that is not there and an address that is not there are both 404; only the text tells them apart.
 * - /kyc/nin gives neither the number (decision D7) nor the residence of the Basic record: both levels ask advance.
 */
const ADDRESS = { baseUrl: 'https://api.dojah.io', hosts: ['api.dojah.io', 'sandbox.dojah.io'] };
const credentialShape = v.object({
  appId: v.pipe(v.string(), v.nonEmpty()),
  apiKey: v.pipe(v.string(), v.nonEmpty()),
});
const LEVELS = ['basic', 'premium'] as const;

export function dojahProvider(config: ProviderConfig): RegistryProvider {
  return {
    name: 'dojah',
    displayName: 'Dojah',
    idTypes: { NIN: LEVELS, BVN: LEVELS, CAC: LEVELS, TIN: ['basic'], NUBAN: ['basic'] },
    lookUp: lookUpWith(config, ADDRESS, credentialShape, async (query, { credentials, at }) => {
      if (query.idType === 'NUBAN' && !query.bankCode) return unasked('bank-code-needed');
      const { path, parameters } = requestOf(query);
      const answer = await requestJson({
        method: 'GET',
        url: at(`/api/v1/${path}`, parameters),
        headers: { appid: credentials.appId, authorization: credentials.apiKey },
        deadlineMs: query.deadlineMs,
      });
      if (answer.kind !== 'response') return noResponse(answer);
      return answer.status === 200 ? readEntity(query, answer.json) : refusal(answer.status, answer.json);
    }),
  };
}

function requestOf(query: RegistryQuery): { path: string; parameters: Record<string, string> } {
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

const errorBody = v.object({ error: v.string() });

function refusal(status: number, json: unknown): RegistryResult {
  const parsed = v.safeParse(errorBody, json);
  const text = parsed.success ? parsed.output.error : '';
  if (status === 404 && text && !/\b(?:route|url|endpoint|path|cannot)\b/i.test(text)) {
    return failure('not-found', 'http-404');
  }
  return outage(status) ?? failure('failed', `http-${status}`);
}
