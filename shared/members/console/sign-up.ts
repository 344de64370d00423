import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { networkOf } from '../../accounts/network.ts';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { invokeAgain } from '../../core/invoke.ts';
import { errorFields, logger } from '../../core/logger.ts';
import { publishMetrics } from '../../core/metrics.ts';
import { consoleChain } from '../../http/console/chain.ts';
import { jsonBody } from '../../http/console/middleware/json-body.ts';
import { ownOrigin } from '../../http/console/own-origin.ts';
import { emailAddress } from '../email-address.ts';
import { invitationTable } from '../invitation-table.ts';
import { countSignUp, limitSignUps } from '../invite-member.ts';
import { accountExistsMail, type SendMail } from '../mail.ts';
import { sesMail } from '../ses-mail.ts';
import { temporaryPasswords } from '../user-pool.ts';
import { type SignUpBody, signUpBody } from './bodies.ts';

interface SignUpDependencies {
  readonly invitations: Parameters<typeof countSignUp>[1] & Parameters<typeof limitSignUps>[1];
  readonly sendTemporaryPassword: ReturnType<typeof temporaryPasswords>;
  readonly sendMail: SendMail;
  readonly invokeAgain: typeof invokeAgain;
  readonly nowMs: () => number;
}

/** With which the function invokes itself after it has responded. */
interface SignUpEvent {
  readonly signUp: { readonly email: string; readonly ofNetwork: number; readonly consoleUrl: string };
}

type SignUpHandler = (
  event: APIGatewayProxyEvent | SignUpEvent,
  context: Context,
) => Promise<APIGatewayProxyResult | undefined>;

export function signUpDependencies(): SignUpDependencies {
  return {
    invitations: invitationTable(database(), setting('CONSOLE_TABLE')),
    sendTemporaryPassword: temporaryPasswords(setting('SIGN_IN_POOL_ID')),
    sendMail: sesMail(setting('MAIL_FROM')),
    invokeAgain,
    nowMs: Date.now,
  };
}

/**
 * POST /sign-up. Neither the response nor its timing depends on the address, so that nobody learns who has an account:
 * whatever does depend on it happens in another invocation, and only an email shows it.
 */
export function signUpRoute(name: 'sign-up', deps: SignUpDependencies): SignUpHandler {
  const respond = consoleChain(name, [jsonBody({ body: signUpBody })], async ({ input }, event) => {
    const email = emailAddress((input as SignUpBody).email, 'email');
    const network = networkOf(event.requestContext.identity.sourceIp) ?? 'unknown';
    const ofNetwork = await limitSignUps(network, deps.invitations, deps.nowMs());
    await deps.invokeAgain({
      signUp: { email, ofNetwork, consoleUrl: ownOrigin(event) },
    } satisfies SignUpEvent);
    return { data: {} };
  });
  return async (event, context) => {
    if (!('signUp' in event)) return respond(event, context);
    logger.appendKeys({ lambda_request_id: context.awsRequestId });
    try {
      await signUp(event.signUp, deps);
    } catch (error) {
      logger.error('sign-up', errorFields(error));
      publishMetrics({ values: { failedSignIns: 1 } });
      // Lambda repeats the invocation.
      throw error;
    }
    return undefined;
  };
}

/** Sends the email to the address, unless the emails of the day are used up. */
async function signUp(
  { email, ofNetwork, consoleUrl }: SignUpEvent['signUp'],
  { invitations, sendTemporaryPassword, sendMail, nowMs }: SignUpDependencies,
): Promise<void> {
  const count = await countSignUp({ email, ofNetwork }, invitations, nowMs());
  if (count === 'stage-limit') publishMetrics({ values: { limitedSignUps: 1 } });
  if (count !== 'counted') return logger.info('sign-up', { detail: count });
  if (await sendTemporaryPassword(email)) return;
  await sendMail(accountExistsMail(email, `${consoleUrl}/sign-in`));
}
