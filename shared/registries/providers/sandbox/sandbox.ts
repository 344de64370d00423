import * as v from 'valibot';
import { failure, noResponse, outage, type RegistryFailure } from '../../mapping/results.ts';
import type { RegistryProvider } from '../../port.ts';
import { asksForOutage, REQUEST_HEADER, SECRET_HEADER } from '../../sandbox/protocol.ts';
import { checkBaseUrl } from '../../transport/address.ts';
import { requestJson } from '../../transport/http-client.ts';
import { readEntry } from './result.ts';

/** The sandbox registry, asked over HTTP like any other (decision G2). */
export interface SandboxConfig {
  /** A Lambda function URL, or a loopback address on the local stage. */
  readonly url: string;
  /** Asked for at each look-up, so that a rotation needs no deploy. */
  readonly secret: () => Promise<string>;
}

const refusal = v.object({ found: v.literal(false), error: v.object({ code: v.string() }) });
const LEVELS = ['basic', 'premium'] as const;
export const SANDBOX = { name: 'sandbox', displayName: 'Sandbox' } as const;

/** Throws where the URL is neither a function URL nor on this machine. */
export function sandboxProvider({ url, secret }: SandboxConfig): RegistryProvider {
  // Invented records only, and an address that the template sets: loopback needs no switch of its own here.
  const baseUrl = checkBaseUrl(url, { hosts: ['.on.aws'], allowLocal: true });
  return {
    ...SANDBOX,
    idTypes: { NIN: LEVELS, BVN: LEVELS, CAC: LEVELS, TIN: ['basic'], NUBAN: ['basic'] },
    async lookUp(query) {
      const answer = await requestJson({
        method: 'POST',
        url: baseUrl,
        headers: {
          [SECRET_HEADER]: await secret(),
          ...(query.requestId && { [REQUEST_HEADER]: query.requestId }),
        },
        body: {
          id_type: query.idType,
          number: query.number,
          ...(query.idType === 'NUBAN' && query.bankCode && { bank_code: query.bankCode }),
        },
        deadlineMs: query.deadlineMs,
      });
      if (answer.kind === 'response' && answer.status === 200) return readEntry(query, answer.json);
      const failed = answer.kind === 'response' ? refused(answer.status, answer.json) : noResponse(answer);
      return asksForOutage(query.number) ? { ...failed, isOurs: true } : failed;
    },
  };
}

/** Throws for the magic number that stands for a fault of our own (decision G1, 0500). */
function refused(status: number, json: unknown): RegistryFailure {
  const parsed = v.safeParse(refusal, json);
  const code = parsed.success ? parsed.output.error.code : undefined;
  if (code === 'CLIENT_FAULT') throw new Error('The sandbox was asked for an internal fault.');
  if (status === 404 && code === 'RECORD_NOT_FOUND') return failure('not-found', code);
  return outage(status) ?? failure('failed', code ?? `http-${status}`);
}
