import * as v from 'valibot';
import { listOf, messageField } from '../../mapping/fields.ts';
import { preferredCode } from '../../mapping/nuban.ts';
import { failure, notSent, statusFailure, transportFailure } from '../../mapping/results.ts';
import type { RegistryProvider, RegistryQuery, RegistryResult } from '../../port.ts';
import { requestJson } from '../../transport/http-client.ts';
import { lookUpWithCredentials, type ProviderConfig } from '../access.ts';
import { readQoreidResult } from './result.ts';
import { tokenSource } from './token.ts';

/**
 * QoreID (VerifyMe). Source: docs.qoreid.com.
 * - A client ID and a secret give a bearer token for two hours. A 401 means that the token became invalid earlier.
 * - It is a *match* product: NIN, BVN and account checks normally require the holder's names, which our callers do
 *   not send. Route those types here only under a contract for look-ups without names; otherwise they fail as
 *   `needs-names`. Companies and tax numbers need no names.
 */
const ADDRESS = { baseUrl: 'https://api.qoreid.com', hosts: ['api.qoreid.com'] };
const credentialSchema = v.object({
  clientId: v.pipe(v.string(), v.nonEmpty()),
  secret: v.pipe(v.string(), v.nonEmpty()),
});

/** Returns a look-up function that calls QoreID's API (docs/registries.md). */
export function qoreidAdapter(config: ProviderConfig): RegistryProvider['lookUp'] {
  const tokens = tokenSource();
  return lookUpWithCredentials(config, ADDRESS, credentialSchema, async (query, { credentials, urlOf }) => {
    if (query.idType === 'NUBAN' && !query.bankCode) return notSent('bank-code-needed');
    const { path, body } = requestFor(query);
    const send = (token: string) =>
      requestJson({
        method: 'POST',
        url: urlOf(path),
        headers: { authorization: `Bearer ${token}` },
        body,
        deadlineMs: query.deadlineMs,
      });

    const token = await tokens.get(credentials, urlOf('/token'), query.deadlineMs);
    if (!token.ok) return token.failure;
    let response = await send(token.value);
    if (response.kind === 'response' && response.status === 401) {
      tokens.drop(token.value);
      const fresh = await tokens.get(credentials, urlOf('/token'), query.deadlineMs);
      if (!fresh.ok) return fresh.failure;
      response = await send(fresh.value);
    }
    if (response.kind !== 'response') return transportFailure(response);
    return response.status === 200 || response.status === 201
      ? readQoreidResult(query, response.json)
      : readError(response.status, response.json);
  });
}

function requestFor(query: RegistryQuery): { path: string; body: Record<string, string> } {
  const { number } = query;
  const isBasic = query.level === 'basic';
  switch (query.idType) {
    case 'NIN':
      return { path: `/v1/ng/identities/${isBasic ? 'nin' : 'nin-premium'}/${number}`, body: {} };
    case 'BVN':
      return { path: `/v1/ng/identities/${isBasic ? 'bvn-basic' : 'bvn-premium'}/${number}`, body: {} };
    case 'CAC':
      return {
        path: `/v1/ng/identities/${isBasic ? 'cac-basic' : 'cac-premium'}`,
        body: { regNumber: number },
      };
    case 'TIN':
      return { path: `/v2/ng/identities/tin/${number}`, body: {} };
    case 'NUBAN':
      return {
        path: '/v1/ng/identities/nuban',
        body: { accountNumber: number, bankCode: preferredCode(query.bankCode ?? '') },
      };
  }
}

const errorBody = v.object({
  statusCode: v.number(),
  message: v.union([messageField, listOf(messageField)]),
});

/** A wrong URL gives 404 too, with the message "Cannot POST /...". */
function readError(status: number, json: unknown): RegistryResult {
  const parsed = v.safeParse(errorBody, json);
  const message = parsed.success ? String(parsed.output.message) : '';
  if (status === 404 && message && !/^cannot /i.test(message)) return failure('not-found', 'http-404');
  if (status === 400 && /first\s?name|last\s?name/i.test(message)) return failure('failed', 'needs-names');
  return statusFailure(status);
}
