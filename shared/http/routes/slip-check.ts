import { secret } from '../../core/secrets.ts';
import { CHECK_PAGE_HEADERS, checkPage } from '../../slips/check-page.ts';
import { readSlipToken } from '../../slips/token.ts';
import type { Run } from '../chains.ts';

/** GET /v1/slips/check/{token}: the page behind a slip's QR code. The token contains everything; no row is read. */
export const showSlipCheck: Run = async (requestContext, event) => {
  const keys = await secret('SLIP');
  const validKeys = [keys['current'], keys['previous']].filter((key) => key !== undefined);
  const check = readSlipToken(event.pathParameters?.['token'] ?? '', validKeys, new Date());
  const { 'Content-Type': contentType = 'text/html', ...headers } = CHECK_PAGE_HEADERS;
  Object.assign(requestContext.headers, headers);
  return {
    kind: 'document',
    status: check.kind === 'invalid' ? 404 : 200,
    contentType,
    body: checkPage(check),
  };
};
