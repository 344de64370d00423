import * as v from 'valibot';
import { ServiceError, WAIT } from '../../../core/errors.ts';
import type { UnsignedRequest } from '../../../core/sign-request.ts';
import { messageField } from '../../mapping/fields.ts';
import { failure, outage, type RegistryFailure, transportFailure } from '../../mapping/results.ts';
import type { RegistryProvider, RegistryQuery, RegistryResult } from '../../port.ts';
import { REMAINING_HEADER, REQUEST_HEADER, SECRET_HEADER, simulatesOutage } from '../../sandbox/protocol.ts';
import { checkBaseUrl } from '../../transport/address.ts';
import { requestJson } from '../../transport/http-client.ts';
import type { HttpResult } from '../../transport/http-response.ts';
import { SANDBOX } from '../catalogue.ts';
import { readSandboxResult } from './result.ts';

/** How to reach the sandbox registry, which is called over HTTP like every other provider (contract G2). */
interface SandboxConfig {
  /** A Lambda function URL, or a loopback address in the stage `local`. */
  readonly url: string;
  /** Read for each look-up, so that a rotation needs no deployment. */
  readonly secret: () => Promise<string>;
  readonly sign: (request: UnsignedRequest) => Promise<Readonly<Record<string, string>>>;
}

const errorBody = v.object({ found: v.literal(false), error: v.object({ code: messageField }) });

/** The sandbox's current executions end within this time, unless they imitate a slow registry. */
const THROTTLED_WAIT_SECONDS = 2;

/** Throws if the URL is neither a function URL nor a loopback address. */
export function sandboxProvider({ url, secret, sign }: SandboxConfig): RegistryProvider {
  // Loopback addresses are always permitted here, because the template sets the address and the records are invented.
  const baseUrl = checkBaseUrl(url, { hosts: ['.on.aws'], allowLocal: true });
  return {
    ...SANDBOX,
    /**
     * Throws RATE_LIMITED if Lambda rejects the call because all reserved executions of the sandbox are in use
     * (`reservedConcurrency`).
     */
    async lookUp(query) {
      const body = {
        id_type: query.idType,
        number: query.number,
        ...(query.idType === 'NUBAN' && query.bankCode && { bank_code: query.bankCode }),
      };
      // Computed first, so that the sandbox never stops before this look-up ends.
      const remaining = { [REMAINING_HEADER]: String(Math.max(0, Math.ceil(query.deadlineMs - Date.now()))) };
      const response = await requestJson({
        method: 'POST',
        url: baseUrl,
        headers: {
          ...remaining,
          ...(await sign({ url: baseUrl, body, headers: remaining })),
          [SECRET_HEADER]: await secret(),
          ...(query.requestId && { [REQUEST_HEADER]: query.requestId }),
        },
        body,
        deadlineMs: query.deadlineMs,
      });
      if (response.kind === 'response' && response.status === 429)
        throw new ServiceError('RATE_LIMITED', {
          details: { reason: 'test_limit', field: '', hint: WAIT },
          retryAfterSeconds: THROTTLED_WAIT_SECONDS,
        });
      return sandboxResult(query, response);
    },
  };
}

/** Converts a response from the sandbox to a result. */
export function sandboxResult(query: RegistryQuery, response: HttpResult): RegistryResult {
  if (response.kind === 'response' && response.status === 200) return readSandboxResult(query, response.json);
  const failed =
    response.kind === 'response' ? readError(response.status, response.json) : transportFailure(response);
  return simulatesOutage(query.number) ? { ...failed, excludedFromHealth: true } : failed;
}

/**
 * Returns the failure in an error response. Throws for the magic number that simulates an internal fault of the service
 * (contract G1, 0500).
 */
function readError(status: number, json: unknown): RegistryFailure {
  const parsed = v.safeParse(errorBody, json);
  const code = parsed.success ? parsed.output.error.code : undefined;
  if (code === 'CLIENT_FAULT') throw new Error('The number makes the sandbox simulate an internal fault.');
  if (status === 404 && code === 'RECORD_NOT_FOUND') return failure('not-found', code);
  return outage(status) ?? failure('failed', code ?? `http-${status}`);
}
