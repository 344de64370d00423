import { join } from 'node:path';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { setting } from '../../core/config.ts';
import { secret } from '../../core/secrets.ts';
import { CHECK_PAGE_HEADERS, checkPage } from '../../slips/check-page.ts';
import { downloadSlip, type SlipPress } from '../../slips/download-slip.ts';
import { loadSlipTheme } from '../../slips/theme.ts';
import { readSlipToken } from '../../slips/token.ts';
import { slipBody } from '../../verifications/requests.ts';
import { lookUpRecord } from '../../verifications/verify-identity.ts';
import { chargedRoute, type LambdaHandler, lookUpOf, type Run } from '../chains.ts';
import { required } from '../context.ts';
import { type VerificationDependencies, verificationDependencies } from '../dependencies.ts';
import { verificationLog } from '../middleware/verification-log.ts';
import type { Document } from '../respond.ts';

/** A wrong theme fails the cold start, and has failed the deployment before (infra/slip-theme.ts). */
function slipPress(): SlipPress {
  const file = setting('SLIP_THEME');
  return {
    checkDays: setting('LOG_RETENTION_DAYS'),
    theme: file ? loadSlipTheme(join(setting('LAMBDA_TASK_ROOT'), file)) : undefined,
  };
}

/** POST /v1/ng/nin/slip/download: a charged look-up whose answer is a PDF (decision E5). */
export function slipRoute(
  deps: VerificationDependencies = verificationDependencies(),
  press: SlipPress = slipPress(),
): LambdaHandler {
  secret('SLIP').catch(() => undefined);
  const run: Run = async (requestContext, event) => {
    const { env } = required(requestContext.caller, 'caller');
    const command = required(requestContext.command, 'command');
    const found = await lookUpRecord(command, env, lookUpOf(requestContext, deps), deps.registries);
    const now = new Date(deps.tools.nowMs());
    const order = {
      command,
      requestId: requestContext.requestId,
      specimen: env === 'test',
      baseUrl: baseUrlOf(event),
      now,
    };
    return downloadSlip(order, found, await secret('SLIP'), press);
  };
  const route = { name: 'nin-slip', idType: 'NIN', body: slipBody } as const;
  return chargedRoute(route, [verificationLog(deps, deps.tools.nowMs)], run, deps);
}

/** GET /v1/slips/check/{token}: the page behind a slip's QR code. The token says all; nothing is looked up. */
export const showSlipCheck: Run = async (requestContext, event): Promise<Document> => {
  const keys = await secret('SLIP');
  const inForce = [keys['current'], keys['previous']].filter((key) => key !== undefined);
  const check = readSlipToken(event.pathParameters?.['token'] ?? '', inForce, new Date());
  const { 'Content-Type': contentType = 'text/html', ...headers } = CHECK_PAGE_HEADERS;
  Object.assign(requestContext.headers, headers);
  return {
    kind: 'document',
    status: check.kind === 'invalid' ? 404 : 200,
    contentType,
    body: checkPage(check),
  };
};

/**
 * The service's own address: the configured one, or API Gateway's name of the API with its stage. The name comes
 * from the gateway, not from the caller's Host header.
 */
function baseUrlOf({ requestContext, path }: APIGatewayProxyEvent): string {
  const configured = setting('PUBLIC_BASE_URL');
  if (configured) return configured;
  const scheme = setting('STAGE') === 'local' ? 'http' : 'https';
  const stage = requestContext.path.endsWith(path) ? requestContext.path.slice(0, -path.length) : '';
  return `${scheme}://${requestContext.domainName}${stage}`;
}
