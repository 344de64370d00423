import type { APIGatewayProxyEvent } from 'aws-lambda';
import { setting } from '../../core/config.ts';
import { database, isTableFailure } from '../../core/database.ts';
import { acceptedKeys, secret } from '../../core/secrets.ts';
import type { RequestContext } from '../../http/context.ts';
import type { Run } from '../../http/public-route.ts';
import type { Document } from '../../http/result.ts';
import type { TypedCheck } from '../check-form.ts';
import { CHECK_PAGE_HEADERS, checkPage, type SlipCheck } from '../check-page.ts';
import { readSlipToken } from '../token.ts';
import { type WithdrawnTable, withdrawnTable } from '../withdrawn-table.ts';

export interface SlipCheckDependencies {
  readonly withdrawn: Pick<WithdrawnTable, 'isWithdrawn'>;
  readonly nowMs: () => number;
}

export function slipCheckDependencies(): SlipCheckDependencies {
  return { withdrawn: withdrawnTable(database(), setting('API_KEYS_TABLE')), nowMs: Date.now };
}

const STATUS: Readonly<Record<SlipCheck['kind'], number>> = {
  valid: 200,
  expired: 200,
  withdrawn: 200,
  unchecked: 503,
  invalid: 404,
};

/** GET /v1/slips/check/{token}: the page behind a slip's QR code. */
export function showSlipCheck(deps: SlipCheckDependencies = slipCheckDependencies()): Run {
  return async (requestContext, event) => showCheckPage(requestContext, await checkToken(event, deps));
}

/**
 * Checks the token in the path, and reads whether its slip was withdrawn. The token contains everything else, so no other
 * row is read.
 */
export async function checkToken(
  { pathParameters }: APIGatewayProxyEvent,
  { withdrawn, nowMs }: SlipCheckDependencies,
): Promise<SlipCheck> {
  const keys = acceptedKeys(await secret('SLIP'));
  const token = readSlipToken(pathParameters?.['token'] ?? '', keys, new Date(nowMs()));
  if (token.kind !== 'valid') return token;
  try {
    return (await withdrawn.isWithdrawn(token.withdrawalName)) ? { ...token, kind: 'withdrawn' } : token;
  } catch (error) {
    if (isTableFailure(error)) return { ...token, kind: 'unchecked' };
    throw error;
  }
}

/** Returns the page of a token. With `typed`, it has that status and the result for the typed details. */
export function showCheckPage(
  { headers: responseHeaders }: RequestContext,
  check: SlipCheck,
  typed?: { readonly result: TypedCheck; readonly status: number },
): Document {
  const { 'Content-Type': contentType = 'text/html', ...headers } = CHECK_PAGE_HEADERS;
  Object.assign(responseHeaders, headers, check.kind === 'unchecked' && { 'Retry-After': '60' });
  const body = checkPage(check, typed?.result);
  return { kind: 'document', status: typed?.status ?? STATUS[check.kind], contentType, body };
}
