import * as v from 'valibot';
import type { CompanyType } from '../../../core/id-types.ts';
import { companyNumber, isVirtualNin } from '../../../core/numbers.ts';
import { bankNotServed } from '../../mapping/account.ts';
import { listOf, messageField } from '../../mapping/fields.ts';
import { providerCode } from '../../mapping/nuban.ts';
import { failure, noRecord, notSent, statusFailure, transportFailure } from '../../mapping/results.ts';
import type { RegistryProvider, RegistryQuery, RegistryResult } from '../../port.ts';
import { type HttpRequest, requestJson } from '../../transport/http-client.ts';
import { lookUpWithCredentials, type ProviderConfig } from '../access.ts';
import { needsNames } from '../catalogue.ts';
import { readQoreidResult } from './result.ts';
import { tokenSource } from './token.ts';

/**
 * QoreID (VerifyMe). Source: docs.qoreid.com.
 * - A client ID and a secret are exchanged for a bearer token, which is valid for two hours. A 401 means that the token
 *   became invalid earlier.
 * - It is a *match* product: look-ups of people and accounts require the holder's names. Without them, nothing is sent
 *   and the look-up ends as `names-needed`. Companies and tax numbers need no names.
 */

const credentialSchema = v.object({
  clientId: v.pipe(v.string(), v.nonEmpty()),
  secret: v.pipe(v.string(), v.nonEmpty()),
});
export const QOREID = {
  baseUrl: 'https://api.qoreid.com',
  hosts: ['api.qoreid.com'],
  credentialSchema,
};

/** Returns a look-up function that calls QoreID's API (docs/operate/providers.md). */
export function qoreidAdapter(config: ProviderConfig): RegistryProvider['lookUp'] {
  const tokens = tokenSource();
  return lookUpWithCredentials(config, QOREID, async (query, { credentials, urlOf }) => {
    if (needsNames('qoreid', query.idType) && !query.names) return notSent('names-needed');
    const withoutBank = bankNotServed(query, 'qoreid');
    if (withoutBank) return withoutBank;
    const request = requestFor(query);
    if (!request) return notSent('type-not-served');
    const { path, ...rest } = request;
    const send = (token: string) =>
      requestJson({
        ...rest,
        url: urlOf(path),
        headers: { authorization: `Bearer ${token}` },
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

type QoreidRequest = Pick<HttpRequest, 'method' | 'body'> & { readonly path: string };
const COMPANY_TYPES: readonly CompanyType[] = ['RC', 'BN', 'IT'];

/** Returns the request for a query. Undefined if no request for the type of the company is documented. */
function requestFor(query: RegistryQuery): QoreidRequest | undefined {
  const { idType, level, number, names } = query;
  const isBasic = level === 'basic';
  const post = (product: string, body: unknown): QoreidRequest => ({
    method: 'POST',
    path: `/v1/ng/identities/${product}`,
    body,
  });
  switch (idType) {
    case 'NIN':
      if (isVirtualNin(number)) return post(`virtual-nin/${number}`, names);
      return post(`${isBasic ? 'nin' : 'nin-premium'}/${number}`, names);
    case 'BVN':
      return post(`${isBasic ? 'bvn-basic' : 'bvn-premium'}/${number}`, names);
    case 'CAC':
      if (!COMPANY_TYPES.includes(companyNumber(number).type)) return undefined;
      return post(isBasic ? 'cac-basic' : 'cac-premium', { regNumber: number });
    case 'TIN':
      // No page documents the HTTP method. Public clients send GET.
      return {
        method: 'GET',
        path: `/v2/ng/identities/tin/${number.replace(/^RC/, 'with-rcnumber/')}`,
      };
    case 'NUBAN':
      return post('nuban', { ...names, accountNumber: number, bankCode: providerCode(query, 'qoreid') });
  }
}

const errorBody = v.object({
  statusCode: v.number(),
  message: v.union([messageField, listOf(messageField)]),
});

/** A wrong URL also returns a 404, with the message "Cannot POST /...". */
function readError(status: number, json: unknown): RegistryResult {
  const parsed = v.safeParse(errorBody, json);
  const message = parsed.success ? String(parsed.output.message) : '';
  if (status === 404 && message && !/^cannot /i.test(message)) return failure('not-found', 'http-404');
  return noRecord(status, message) ?? statusFailure(status);
}
