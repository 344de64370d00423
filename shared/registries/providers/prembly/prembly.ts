import * as v from 'valibot';
import { preferredCode } from '../../mapping/nuban.ts';
import { failure, noResponse, outage, unasked } from '../../mapping/results.ts';
import type { RegistryProvider, RegistryQuery } from '../../port.ts';
import { requestJson } from '../../transport/http-client.ts';
import { lookUpWith, type ProviderConfig } from '../access.ts';
import { readPremblyResult } from './result.ts';

/**
 * Prembly (formerly Identitypass). Sources: docs.prembly.com (endpoints, response codes), its older reference at
 * developer.myidentitypass.com.
 * - One host for live and sandbox: the key decides. Older accounts live on api.myidentitypass.com under a path, which
 *   the secret's `baseUrl` can carry. The current documents want `x-api-key` only, older ones `app-id` too.
 * - BVN basic (`bvn_validation`) gives neither number, gender nor photo, so both levels ask the full one.
 */
const ADDRESS = {
  baseUrl: 'https://api.prembly.com',
  hosts: ['api.prembly.com', 'api.myidentitypass.com', 'sandbox.myidentitypass.com'],
};
const credentialShape = v.object({
  apiKey: v.pipe(v.string(), v.nonEmpty()),
  appId: v.optional(v.string()),
});
const LEVELS = ['basic', 'premium'] as const;

export function premblyProvider(config: ProviderConfig): RegistryProvider {
  return {
    name: 'prembly',
    displayName: 'Prembly',
    idTypes: { NIN: LEVELS, BVN: LEVELS, CAC: LEVELS, TIN: ['basic'], NUBAN: ['basic'] },
    lookUp: lookUpWith(config, ADDRESS, credentialShape, async (query, { credentials, at }) => {
      if (query.idType === 'NUBAN' && !query.bankCode) return unasked('bank-code-needed');
      const { path, body } = requestOf(query);
      const answer = await requestJson({
        method: 'POST',
        url: at(`/verification/${path}`),
        headers: {
          'x-api-key': credentials.apiKey,
          ...(credentials.appId && { 'app-id': credentials.appId }),
        },
        body,
        deadlineMs: query.deadlineMs,
      });
      if (answer.kind !== 'response') return noResponse(answer);
      if (answer.status === 200) return readPremblyResult(query, answer.json);
      return outage(answer.status) ?? failure('failed', `http-${answer.status}`);
    }),
  };
}

function requestOf(query: RegistryQuery): { path: string; body: Record<string, string> } {
  const { number } = query;
  const isBasic = query.level === 'basic';
  switch (query.idType) {
    case 'NIN':
      return isBasic
        ? { path: 'vnin-basic', body: { number } }
        : { path: 'vnin', body: { number_nin: number } };
    case 'BVN':
      return { path: 'bvn', body: { number } };
    case 'CAC':
      return {
        path: isBasic ? 'cac' : 'cac/advance',
        body: { rc_number: number.replace(/^RC/, ''), company_type: 'RC' },
      };
    case 'TIN':
      return { path: 'tin', body: { number, channel: 'TIN' } };
    case 'NUBAN':
      return { path: 'bank_account/basic', body: { number, bank_code: preferredCode(query.bankCode ?? '') } };
  }
}
