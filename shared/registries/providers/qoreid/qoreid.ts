import * as v from 'valibot';
import { preferredCode } from '../../mapping/nuban.ts';
import { failure, noResponse, outage, unasked } from '../../mapping/results.ts';
import type { RegistryProvider, RegistryQuery, RegistryResult } from '../../port.ts';
import { requestJson } from '../../transport/http-client.ts';
import { lookUpWith, type ProviderConfig } from '../access.ts';
import { readQoreidResult } from './result.ts';
import { tokenSource } from './token.ts';

/**
 * QoreID (VerifyMe). Source: docs.qoreid.com.
 * - A bearer token of two hours from a client id and a secret; a 401 means that it went stale before its time.
 * - A *match* product: NIN, BVN and account checks normally want the holder's names, which our callers do not send.
 *   Route those types here only under a contract for look-ups without names; otherwise they fail as `needs-names`.
 *   Companies and tax numbers need none.
 */
const ADDRESS = { baseUrl: 'https://api.qoreid.com', hosts: ['api.qoreid.com'] };
const credentialShape = v.object({
  clientId: v.pipe(v.string(), v.nonEmpty()),
  secret: v.pipe(v.string(), v.nonEmpty()),
});
const LEVELS = ['basic', 'premium'] as const;

export function qoreidProvider(config: ProviderConfig): RegistryProvider {
  const tokens = tokenSource();
  return {
    name: 'qoreid',
    displayName: 'QoreID',
    idTypes: { NIN: LEVELS, BVN: LEVELS, CAC: LEVELS, TIN: ['basic'], NUBAN: ['basic'] },
    lookUp: lookUpWith(config, ADDRESS, credentialShape, async (query, { credentials, at }) => {
      if (query.idType === 'NUBAN' && !query.bankCode) return unasked('bank-code-needed');
      const { path, body } = requestOf(query);
      const ask = (token: string) =>
        requestJson({
          method: 'POST',
          url: at(path),
          headers: { authorization: `Bearer ${token}` },
          body,
          deadlineMs: query.deadlineMs,
        });

      const token = await tokens.get(credentials, at('/token'), query.deadlineMs);
      if (!token.ok) return token.failure;
      let answer = await ask(token.value);
      if (answer.kind === 'response' && answer.status === 401) {
        tokens.drop(token.value);
        const fresh = await tokens.get(credentials, at('/token'), query.deadlineMs);
        if (!fresh.ok) return fresh.failure;
        answer = await ask(fresh.value);
      }
      if (answer.kind !== 'response') return noResponse(answer);
      const isResult = answer.status === 200 || answer.status === 201;
      return isResult ? readQoreidResult(query, answer.json) : refusal(answer.status, answer.json);
    }),
  };
}

function requestOf(query: RegistryQuery): { path: string; body: Record<string, string> } {
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

const errorBody = v.object({ statusCode: v.number(), message: v.union([v.string(), v.array(v.string())]) });

/** A wrong address is answered with 404 too, in the words "Cannot POST /...". */
function refusal(status: number, json: unknown): RegistryResult {
  const parsed = v.safeParse(errorBody, json);
  const message = parsed.success ? String(parsed.output.message) : '';
  if (status === 404 && message && !/^cannot /i.test(message)) return failure('not-found', 'http-404');
  if (status === 400 && /first\s?name|last\s?name/i.test(message)) return failure('failed', 'needs-names');
  return outage(status) ?? failure('failed', `http-${status}`);
}
