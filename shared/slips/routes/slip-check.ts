import type { APIGatewayProxyEvent } from 'aws-lambda';
import { secret } from '../../core/secrets.ts';
import type { RequestContext } from '../../http/context.ts';
import type { Run } from '../../http/public-route.ts';
import type { Document } from '../../http/result.ts';
import type { TypedCheck } from '../check-form.ts';
import { CHECK_PAGE_HEADERS, checkPage } from '../check-page.ts';
import { readSlipToken, type SlipCheck } from '../token.ts';

/** GET /v1/slips/check/{token}: the page behind a slip's QR code. The token contains everything, so no row is read. */
export const showSlipCheck: Run = async (requestContext, event) => {
  const check = await readCheckedToken(event, new Date());
  return showCheckPage(requestContext, check, check.kind === 'invalid' ? 404 : 200);
};

/** Checks the token in the path against the current and the previous key. */
export async function readCheckedToken({ pathParameters }: APIGatewayProxyEvent, now: Date) {
  const keys = await secret('SLIP');
  const validKeys = [keys['current'], keys['previous']].filter((key) => key !== undefined);
  return readSlipToken(pathParameters?.['token'] ?? '', validKeys, now);
}

/** Returns the page of a token, with the result of comparing the typed details. */
export function showCheckPage(
  { headers: responseHeaders }: RequestContext,
  check: SlipCheck,
  status: number,
  typed?: TypedCheck,
): Document {
  const { 'Content-Type': contentType = 'text/html', ...headers } = CHECK_PAGE_HEADERS;
  Object.assign(responseHeaders, headers);
  return { kind: 'document', status, contentType, body: checkPage(check, typed) };
}
