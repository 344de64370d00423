import * as v from 'valibot';
import { notSent, statusFailure, transportFailure } from '../../mapping/results.ts';
import type { RegistryProvider, RegistryQuery } from '../../port.ts';
import { requestJson } from '../../transport/http-client.ts';
import { lookUpWithCredentials, type ProviderConfig } from '../access.ts';
import { readYouverifyResult } from './result.ts';

/**
 * Youverify. Source: doc.youverify.co.
 * - Each look-up must state that the holder has consented. We do so only if the caller sent a consent reference.
 *   Without one, nothing is sent and the look-up ends as `consent-needed`. The TIN page requires `isSubjectConsent` in
 *   its table but uses `isConsent` in its sample, so TIN look-ups send both.
 * - If a number is not found, Youverify returns a 200 with a different `status`. A 404 is an error, such as a wrong
 *   URL.
 * - The path for BVN and the field `premiumBVN` come from public clients, because no documentation for them was found.
 */

const credentialSchema = v.object({ apiKey: v.pipe(v.string(), v.nonEmpty()) });
export const YOUVERIFY = {
  baseUrl: 'https://api.youverify.co',
  hosts: ['api.youverify.co', 'api.sandbox.youverify.co'],
  credentialSchema,
};

/** Returns a look-up function that calls Youverify's API (docs/operate/providers.md). */
export function youverifyAdapter(config: ProviderConfig): RegistryProvider['lookUp'] {
  return lookUpWithCredentials(config, YOUVERIFY, async (query, { credentials, urlOf }) => {
    const request = requestFor(query);
    if (!request) return notSent('not-served');
    if (!query.consent) return notSent('consent-needed');
    const response = await requestJson({
      method: 'POST',
      url: urlOf(request.path),
      headers: { token: credentials.apiKey },
      body: request.body,
      deadlineMs: query.deadlineMs,
    });
    if (response.kind !== 'response') return transportFailure(response);
    return response.status === 200 || response.status === 201
      ? readYouverifyResult(query, response.json)
      : statusFailure(response.status);
  });
}

function requestFor(query: RegistryQuery): { path: string; body: Record<string, unknown> } | undefined {
  const { number } = query;
  const consent = { isSubjectConsent: true };
  const isPremium = query.level === 'premium';
  switch (query.idType) {
    case 'NIN':
      return { path: '/v2/api/identity/ng/nin', body: { id: number, ...consent, premiumNin: isPremium } };
    case 'BVN':
      return { path: '/v2/api/identity/ng/bvn', body: { id: number, ...consent, premiumBVN: isPremium } };
    case 'TIN':
      return { path: '/v2/api/verifications/ng/tin', body: { tin: number, ...consent, isConsent: true } };
    default:
      return undefined;
  }
}
