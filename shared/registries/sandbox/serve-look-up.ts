import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LambdaFunctionURLEvent, LambdaFunctionURLResult } from 'aws-lambda';
import * as v from 'valibot';
import { ID_TYPES } from '../../core/id-types.ts';
import { logger } from '../../core/logger.ts';
import { canonicalNumber } from '../../core/numbers.ts';
import { REQUEST_ID } from '../../core/request-id.ts';
import type { Secret } from '../../core/secrets.ts';
import { lookUpInSandbox } from './look-up.ts';
import { REMAINING_HEADER, REQUEST_HEADER, SECRET_HEADER } from './protocol.ts';

const DURATION_MS = /^[0-9]{1,6}$/;

const requestBody = v.pipe(
  v.strictObject({
    id_type: v.picklist(ID_TYPES),
    number: v.string(),
    bank_code: v.optional(v.pipe(v.string(), v.maxLength(10))),
  }),
  v.check(({ id_type, number }) => canonicalNumber(id_type, number) === number),
);

/**
 * Serves POST {id_type, number, bank_code?} with the shared secret in a header. After a rotation, the previous secret
 * is also accepted. Does not wait beyond the client's deadline, if there is one. Logs the ID type and the outcome,
 * never the number.
 */
export async function serveLookUp(
  event: LambdaFunctionURLEvent,
  secrets: Secret,
  pause: (delayMs: number) => Promise<unknown> = sleep,
): Promise<LambdaFunctionURLResult> {
  const given = event.headers[SECRET_HEADER] ?? '';
  if (![secrets['current'], secrets['previous']].some((secret) => secret && isEqual(given, secret))) {
    return reply(401, { error: { code: 'WRONG_SECRET' } });
  }
  const request = v.safeParse(requestBody, parseBody(event));
  if (!request.success) return reply(422, { error: { code: 'BAD_REQUEST' } });

  const { id_type: idType, number, bank_code: bankCode } = request.output;
  const response = lookUpInSandbox({ idType, number, ...(bankCode && { bankCode }) });
  const requestId = REQUEST_ID.exec(event.headers[REQUEST_HEADER] ?? '')?.[0];
  logger.info('Sandbox look-up', { id_type: idType, outcome: response.logCode, request_id: requestId });
  const delayMs = Math.min(response.delayMs, remainingMs(event.headers[REMAINING_HEADER]));
  if (delayMs > 0) await pause(delayMs);
  return reply(response.status, response.body);
}

function remainingMs(header = ''): number {
  return DURATION_MS.test(header) ? Number(header) : Number.POSITIVE_INFINITY;
}

/** Compares hashes, which have equal lengths, so that the duration reveals nothing about the secret. */
function isEqual(given: string, secret: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(secret));
}

function parseBody(event: LambdaFunctionURLEvent): unknown {
  const text = event.isBase64Encoded ? Buffer.from(event.body ?? '', 'base64').toString() : event.body;
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

function reply(statusCode: number, body: unknown): LambdaFunctionURLResult {
  return { statusCode, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
