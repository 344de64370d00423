import * as v from 'valibot';
import { failure, noResponse, outage, unasked } from '../../mapping/results.ts';
import type { RegistryProvider, RegistryQuery, RegistryResult } from '../../port.ts';
import { requestJson } from '../../transport/http-client.ts';
import { lookUpWith, type ProviderConfig } from '../access.ts';
import { readYouverifyResult } from './result.ts';

/**
 * Youverify. Source: doc.youverify.co.
 * - A person's look-up must state that the person consented. We state it only where our caller gave a consent
 *   reference; without one nothing is sent and the look-up fails as `consent-needed`.
 * - A person that is not there is a 200 with another `status`; pictures come as data URIs.
 */
const ADDRESS = {
  baseUrl: 'https://api.youverify.co',
  hosts: ['api.youverify.co', 'api.sandbox.youverify.co'],
};
const credentialShape = v.object({ apiKey: v.pipe(v.string(), v.nonEmpty()) });
const LEVELS = ['basic', 'premium'] as const;

export function youverifyProvider(config: ProviderConfig): RegistryProvider {
  return {
    name: 'youverify',
    displayName: 'Youverify',
    idTypes: { NIN: LEVELS, BVN: LEVELS, TIN: ['basic'] },
    lookUp: lookUpWith(config, ADDRESS, credentialShape, async (query, { credentials, at }) => {
      const request = requestOf(query);
      if (!request) return unasked('not-served');
      if (query.idType !== 'TIN' && !query.consent) return unasked('consent-needed');
      const answer = await requestJson({
        method: 'POST',
        url: at(request.path),
        headers: { token: credentials.apiKey },
        body: request.body,
        deadlineMs: query.deadlineMs,
      });
      if (answer.kind !== 'response') return noResponse(answer);
      const isResult = answer.status === 200 || answer.status === 201;
      return isResult ? readYouverifyResult(query, answer.json) : refusal(answer.status, answer.json);
    }),
  };
}

function requestOf(query: RegistryQuery): { path: string; body: Record<string, unknown> } | undefined {
  const person = { id: query.number, isSubjectConsent: true };
  const isPremium = query.level === 'premium';
  switch (query.idType) {
    case 'NIN':
      return { path: '/v2/api/identity/ng/nin', body: { ...person, premiumNin: isPremium } };
    case 'BVN':
      return { path: '/v2/api/identity/ng/bvn', body: { ...person, premiumBVN: isPremium } };
    case 'TIN':
      return { path: '/v2/api/verifications/ng/tin', body: { tin: query.number } };
    default:
      return undefined;
  }
}

const errorBody = v.object({ success: v.literal(false), message: v.string() });

/** An address that is not there is a 404 too, and says so. */
function refusal(status: number, json: unknown): RegistryResult {
  const parsed = v.safeParse(errorBody, json);
  if (status === 404 && parsed.success && !/\b(?:route|endpoint|cannot)\b/i.test(parsed.output.message)) {
    return failure('not-found', 'http-404');
  }
  return outage(status) ?? failure('failed', `http-${status}`);
}
