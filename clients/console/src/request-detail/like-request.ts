import type { Environment } from '../../../../shared/core/environment.ts';
import { curl } from '../../../../shared/verifications/call-samples.ts';
import { testPath } from '../../../../shared/verifications/console/test-routes.ts';
import type { RequestDetailView } from '../../../../shared/verifications/console/views.ts';
import { pageIn } from '../page-address.ts';
import { bodyOf, FOUND, firstInput, typeOf } from '../playground/request.ts';

export type SentRequest = Extract<RequestDetailView, { kind: 'request' }>;
type Repeated = Pick<SentRequest, 'service' | 'consent' | 'reason' | 'reference'>;

/** Returns a command that sends a request like this one. Numbers are not stored, so the person enters theirs. */
export function curlOf({ service, consent, reason, reference }: Repeated, apiUrl: string): string {
  const input = firstInput({ service });
  const bank_code = typeOf(input) === 'NUBAN' ? 'BANK_CODE' : '';
  const texts = { consent: consent ?? '', reason: reason ?? '', reference: reference ?? '' };
  const body = JSON.stringify(bodyOf({ ...input, ...texts, number: 'NUMBER', bank_code }));
  const call = { method: 'POST', path: testPath(input.service), isKeyed: true, idempotencyKey: undefined };
  return curl({ ...call, body }, apiUrl.replace(/\/$/, ''));
}

/** Returns the address of the playground with the service, and with an invented number that has the same outcome. */
export function playgroundPath(
  env: Environment,
  { service, outcome, http_status }: Pick<SentRequest, 'service' | 'outcome' | 'http_status'>,
): string {
  const ending = outcome === 'FOUND' ? FOUND : `0${http_status}`;
  return pageIn(env, '/playground', { service, ending });
}
