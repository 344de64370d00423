import * as v from 'valibot';
import { accountResult } from '../../mapping/account.ts';
import { textField } from '../../mapping/fields.ts';
import { preferredCode } from '../../mapping/nuban.ts';
import { failure, noResponse, outage, readResult, unasked } from '../../mapping/results.ts';
import type { RegistryProvider, RegistryResult } from '../../port.ts';
import { requestJson } from '../../transport/http-client.ts';
import { lookUpWith, type ProviderConfig } from '../access.ts';

/**
 * Paystack, account resolution only. Source: paystack.com/docs/api/verification ("Resolve Account").
 * - An account that does not resolve is a 422 with a sentence, not a code.
 * - Test keys: three live resolutions a day, then a message about the limit; bank code 001 is exempt.
 * - Older samples show account_number as a number without its leading zeros.
 */
const ADDRESS = { baseUrl: 'https://api.paystack.co', hosts: ['api.paystack.co'] };
const credentialShape = v.object({ apiKey: v.pipe(v.string(), v.nonEmpty()) });
const resolved = v.object({
  status: v.literal(true),
  data: v.object({ account_number: textField, account_name: textField }),
});
const refused = v.object({ status: v.literal(false), message: textField });

export function paystackProvider(config: ProviderConfig): RegistryProvider {
  return {
    name: 'paystack',
    displayName: 'Paystack',
    idTypes: { NUBAN: ['basic'] },
    lookUp: lookUpWith(config, ADDRESS, credentialShape, async (query, { credentials, at }) => {
      if (!query.bankCode) return unasked('bank-code-needed');
      const answer = await requestJson({
        method: 'GET',
        url: at('/bank/resolve', { account_number: query.number, bank_code: preferredCode(query.bankCode) }),
        headers: { authorization: `Bearer ${credentials.apiKey}` },
        deadlineMs: query.deadlineMs,
      });
      if (answer.kind !== 'response') return noResponse(answer);
      if (answer.status !== 200) return refusal(answer.status, answer.json);
      return readResult(resolved, answer.json, ({ data }) =>
        accountResult(query, { accountNumber: data.account_number, accountName: data.account_name }),
      );
    }),
  };
}

function refusal(status: number, json: unknown): RegistryResult {
  const parsed = v.safeParse(refused, json);
  const message = parsed.success ? parsed.output.message : '';
  if (/test mode.*limit|limit.*test mode/i.test(message)) return failure('unreachable', 'test-limit');
  if (status === 422 && /could not resolve account/i.test(message)) return failure('not-found', 'http-422');
  return outage(status) ?? failure('failed', `http-${status}`);
}
