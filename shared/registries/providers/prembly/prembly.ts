import * as v from 'valibot';
import { companyNumber, tinFormat } from '../../../core/numbers.ts';
import { bankNotServed } from '../../mapping/account.ts';
import { providerCode } from '../../mapping/nuban.ts';
import { statusFailure, transportFailure } from '../../mapping/results.ts';
import type { RegistryProvider, RegistryQuery } from '../../port.ts';
import { requestJson } from '../../transport/http-client.ts';
import { lookUpWithCredentials, type ProviderConfig } from '../access.ts';
import { notFoundIn, readPremblyResult } from './result.ts';

/**
 * Prembly (formerly Identitypass). Sources: docs.prembly.com (endpoints, response codes) and its older reference at
 * developer.myidentitypass.com.
 * - The live environment and the sandbox share one host, and the key selects the environment. Older accounts use
 *   api.myidentitypass.com below a path, which the secret's `baseUrl` can contain. The guides have paths that begin
 *   with /verification, which we use. `https://api.prembly.com/api/v1` as `baseUrl` selects those of the API reference of
 *   2026, and `https://api.prembly.com/identitypass` those of earlier guides. The current documents require only
 *   `x-api-key`. Older ones also require `app-id`.
 * - BVN basic (`bvn_validation`) returns no number, gender or photo, so both levels use the full endpoint.
 * - NIN basic and the 12-digit TIN product do not return the requested number either. The comments in result.ts explain
 *   how their results are bound to the request. The 13-digit Tax ID has its own product, which returns it.
 */

const credentialSchema = v.object({
  apiKey: v.pipe(v.string(), v.nonEmpty()),
  appId: v.optional(v.string()),
});
export const PREMBLY = {
  baseUrl: 'https://api.prembly.com',
  hosts: ['api.prembly.com', 'api.myidentitypass.com', 'sandbox.myidentitypass.com'],
  credentialSchema,
};

/** Returns a look-up function that calls Prembly's API (docs/operate/providers.md). */
export function premblyAdapter(config: ProviderConfig): RegistryProvider['lookUp'] {
  return lookUpWithCredentials(config, PREMBLY, async (query, { credentials, urlOf }) => {
    const withoutBank = bankNotServed(query, 'prembly');
    if (withoutBank) return withoutBank;
    const { path, body } = requestFor(query);
    const response = await requestJson({
      method: 'POST',
      url: urlOf(`/verification/${isCurrent(urlOf('/')) ? (CURRENT_PATHS[path] ?? path) : path}`),
      headers: {
        'x-api-key': credentials.apiKey,
        ...(credentials.appId && { 'app-id': credentials.appId }),
      },
      body,
      deadlineMs: query.deadlineMs,
    });
    if (response.kind !== 'response') return transportFailure(response);
    return response.status === 200
      ? readPremblyResult(query, response.json)
      : (notFoundIn(response.json) ?? statusFailure(response.status));
  });
}

function requestFor(query: RegistryQuery): { path: string; body: Record<string, string> } {
  const { number } = query;
  const isBasic = query.level === 'basic';
  switch (query.idType) {
    case 'NIN':
      return isBasic
        ? { path: 'vnin-basic', body: { number } }
        : { path: 'vnin', body: { number_nin: number } };
    case 'BVN':
      return { path: 'bvn', body: { number } };
    case 'CAC': {
      const { type, digits } = companyNumber(number);
      return { path: isBasic ? 'cac' : 'cac/advance', body: { rc_number: digits, company_type: type } };
    }
    case 'TIN':
      return taxRequest(number);
    case 'NUBAN':
      return { path: 'bank_account/basic', body: { number, bank_code: providerCode(query, 'prembly') } };
  }
}

function taxRequest(number: string): { path: string; body: Record<string, string> } {
  switch (tinFormat(number)) {
    case 'TAX_ID':
      return { path: 'ng/business_tax', body: { tax_number: number } };
    case 'NIN':
      return { path: 'get-tin-with-nin', body: { number } };
    case 'RC':
      return { path: 'tin', body: { number, channel: 'CAC' } };
    default:
      return { path: 'tin', body: { number, channel: 'TIN' } };
  }
}

/** The products that Prembly's API reference of 2026 names differently. */
const CURRENT_PATHS: Readonly<Record<string, string>> = {
  tin: 'api/tin_ng/',
  'get-tin-with-nin': 'api/get_tin_with_nin/',
};

/** Whether the secret's `baseUrl` selects the paths of the API reference. */
function isCurrent({ pathname }: URL): boolean {
  return pathname === '/api/v1/';
}
