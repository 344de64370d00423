import * as v from 'valibot';
import { messageField } from '../../mapping/fields.ts';
import { failure, notSent, statusFailure, transportFailure } from '../../mapping/results.ts';
import type { RegistryProvider, RegistryQuery, RegistryResult } from '../../port.ts';
import { requestJson } from '../../transport/http-client.ts';
import { lookUpWithCredentials, type ProviderConfig } from '../access.ts';
import { readYouverifyResult } from './result.ts';

/**
 * Youverify. Source: doc.youverify.co.
 * - A look-up of a person must state that the person consented. We state it only if the caller sent a consent
 *   reference. Without one, nothing is sent and the look-up ends as `consent-needed`.
 * - A person who is not found gives a 200 with another `status`. Pictures are data URIs.
 */
const ADDRESS = {
  baseUrl: 'https://api.youverify.co',
  hosts: ['api.youverify.co', 'api.sandbox.youverify.co'],
};
const credentialSchema = v.object({ apiKey: v.pipe(v.string(), v.nonEmpty()) });

/** Returns a look-up function that calls Youverify's API (docs/registries.md). */
export function youverifyAdapter(config: ProviderConfig): RegistryProvider['lookUp'] {
  return lookUpWithCredentials(config, ADDRESS, credentialSchema, async (query, { credentials, urlOf }) => {
    const request = requestFor(query);
    if (!request) return notSent('not-served');
    if (query.idType !== 'TIN' && !query.consent) return notSent('consent-needed');
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
      : readError(response.status, response.json);
  });
}

function requestFor(query: RegistryQuery): { path: string; body: Record<string, unknown> } | undefined {
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

const errorBody = v.object({ success: v.literal(false), message: messageField });

/** A wrong URL gives 404 too. Only its message differs from that of a missing record. */
function readError(status: number, json: unknown): RegistryResult {
  const parsed = v.safeParse(errorBody, json);
  if (status === 404 && parsed.success && !/\b(?:route|endpoint|cannot)\b/i.test(parsed.output.message)) {
    return failure('not-found', 'http-404');
  }
  return statusFailure(status);
}
