import * as v from 'valibot';
import { accountResult, bankNotServed } from '../../mapping/account.ts';
import { messageField, textField } from '../../mapping/fields.ts';
import { providerCode } from '../../mapping/nuban.ts';
import {
  failure,
  noRecord,
  readResult,
  statusFailure,
  transportFailure,
  unknownBank,
} from '../../mapping/results.ts';
import type { RegistryProvider, RegistryResult } from '../../port.ts';
import { requestJson } from '../../transport/http-client.ts';
import { lookUpWithCredentials, type ProviderConfig } from '../access.ts';

/**
 * Paystack, account resolution only. Source: paystack.com/docs/api/verification ("Resolve Account").
 * - If an account does not resolve, Paystack returns a 422 with a sentence instead of a code. If it does not serve the
 *   bank, it returns a 400 (`Unknown bank code: ...`).
 * - With a test key, Paystack resolves three live accounts per day, and then returns a message about the limit. Bank
 *   code 001 is exempt.
 * - Older samples show account_number as a number without its leading zeros.
 */

const credentialSchema = v.object({ apiKey: v.pipe(v.string(), v.nonEmpty()) });
export const PAYSTACK = {
  baseUrl: 'https://api.paystack.co',
  hosts: ['api.paystack.co'],
  credentialSchema,
};
const resolvedBody = v.object({
  status: v.literal(true),
  data: v.object({ account_number: textField, account_name: textField }),
});
const errorBody = v.object({ status: v.literal(false), message: messageField });

/** Returns a look-up function that calls Paystack's API (docs/operate/providers.md). */
export function paystackAdapter(config: ProviderConfig): RegistryProvider['lookUp'] {
  return lookUpWithCredentials(config, PAYSTACK, async (query, { credentials, urlOf }) => {
    const withoutBank = bankNotServed(query, 'paystack');
    if (withoutBank) return withoutBank;
    const response = await requestJson({
      method: 'GET',
      url: urlOf('/bank/resolve', {
        account_number: query.number,
        bank_code: providerCode(query, 'paystack'),
      }),
      headers: { authorization: `Bearer ${credentials.apiKey}` },
      deadlineMs: query.deadlineMs,
    });
    if (response.kind !== 'response') return transportFailure(response);
    if (response.status !== 200) return readError(response.status, response.json);
    return readResult(resolvedBody, response.json, ({ data }) =>
      accountResult(query, { accountNumber: data.account_number, accountName: data.account_name }),
    );
  });
}

function readError(status: number, json: unknown): RegistryResult {
  const parsed = v.safeParse(errorBody, json);
  const message = parsed.success ? parsed.output.message : '';
  if (/test mode.*limit|limit.*test mode/i.test(message)) return failure('unreachable', 'test-limit');
  return noRecord(status, message) ?? unknownBank(message) ?? statusFailure(status);
}
