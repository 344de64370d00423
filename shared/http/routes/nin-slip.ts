import { join } from 'node:path';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { setting } from '../../core/config.ts';
import { secret } from '../../core/secrets.ts';
import { downloadSlip, type SlipPress } from '../../slips/download-slip.ts';
import { loadSlipTheme } from '../../slips/theme.ts';
import { slipBody } from '../../verifications/requests.ts';
import { lookUpRecord } from '../../verifications/verify-identity.ts';
import { chargedRoute, type LambdaHandler, lookUpContext, type Run } from '../chains.ts';
import { type VerificationDependencies, verificationDependencies } from '../dependencies.ts';
import { verificationLog } from '../middleware/verification-log.ts';

/** A wrong theme fails the cold start; the deployment has checked it before (infra/slip-theme.ts). */
function slipPress(): SlipPress {
  const file = setting('SLIP_THEME');
  return {
    checkDays: setting('LOG_RETENTION_DAYS'),
    theme: file ? loadSlipTheme(join(setting('LAMBDA_TASK_ROOT'), file)) : undefined,
  };
}

/** POST /v1/ng/nin/slip/download: a charged look-up that returns a PDF (decision E5). */
export function slipRoute(
  deps: VerificationDependencies = verificationDependencies(),
  press: SlipPress = slipPress(),
): LambdaHandler {
  secret('SLIP').catch(() => undefined);
  const run: Run = async (requestContext, event) => {
    const { caller, command, requestId } = requestContext;
    const found = await lookUpRecord(
      command,
      caller.env,
      lookUpContext(requestContext, deps),
      deps.registries,
    );
    const order = {
      command,
      requestId,
      specimen: caller.env === 'test',
      baseUrl: baseUrlOf(event),
      now: new Date(deps.tools.nowMs()),
    };
    return downloadSlip(order, found, await secret('SLIP'), press);
  };
  const route = { name: 'nin-slip', idType: 'NIN', body: slipBody } as const;
  return chargedRoute(route, { ofOperation: [verificationLog(deps)] }, run, deps);
}

/**
 * The service's own address: the configured one, or the API's own domain name with its stage. The domain name comes from
 * API Gateway, not from the caller's Host header.
 */
function baseUrlOf({ requestContext, path }: APIGatewayProxyEvent): string {
  const configured = setting('PUBLIC_BASE_URL');
  if (configured) return configured;
  const scheme = setting('STAGE') === 'local' ? 'http' : 'https';
  const stage = requestContext.path.endsWith(path) ? requestContext.path.slice(0, -path.length) : '';
  return `${scheme}://${requestContext.domainName}${stage}`;
}
