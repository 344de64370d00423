import type { APIGatewayProxyEvent } from 'aws-lambda';
import { caller } from '../../accounts/middleware/caller.ts';
import { keyRun } from '../../accounts/middleware/key-run.ts';
import { KEY_ACTOR } from '../../audit/audit-entry.ts';
import type { CommandRun } from '../../audit/recorder.ts';
import { REAL_CLOCK } from '../../core/clock.ts';
import { invalidSchema, ServiceError } from '../../core/errors.ts';
import type { RequestContext } from '../../http/context.ts';
import { idempotencyKeyOf } from '../../http/idempotency-key.ts';
import { publicAddress } from '../../http/own-address.ts';
import type { Run } from '../../http/public-route.ts';
import { noQuery, readQuery } from '../../http/query.ts';
import { readJson } from '../../http/read-json.ts';
import { parseBody } from '../../verifications/parse-body.ts';
import type { OpenDependencies } from '../dependencies.ts';
import { type OpenedOnce, openTopUpOnce } from '../orders/open-once.ts';
import type { TopUpOrder } from '../orders/order.ts';
import { checkedReturnUrl, topUpBody } from './payment-query.ts';
import { topUpView } from './top-up-view.ts';

/** The message of a 503, because the catalogue's message names a registry as the cause. */
const NOT_SET_UP = 'Credits cannot be bought through the API of this service. Ask the operator.';

/**
 * POST /v1/wallet/top-ups: opens an order for credits, and returns the address of its payment page. `opening`
 * returns undefined on stages without `money` settings.
 */
export function startTopUp(opening: (run: CommandRun) => OpenDependencies | undefined): Run {
  return async (requestContext, event) => {
    const { env, organisation, key } = caller.of(requestContext);
    const { headers } = requestContext;
    readQuery(event, noQuery, topUpBody);
    const { credits, return_url } = parseBody(topUpBody, readJson(event));
    const returnUrl = return_url === undefined ? undefined : checkedReturnUrl(return_url);
    const idempotencyKey = idempotencyKeyOf(event);
    const deps = opening(keyRun(requestContext, event, 'top-up start', REAL_CLOCK.nowMs()));
    if (!deps) return unavailable(requestContext, notSetUp());
    const request = {
      wallet: { env, organisationId: organisation.id },
      credits,
      callbackUrl: returnPage(event),
      openedBy: `${KEY_ACTOR}${key.label}`,
      ...(returnUrl !== undefined && { returnUrl }),
    };
    const opened = await openTopUpOnce(request, idempotencyKey, deps).catch((error: unknown) =>
      unavailable(requestContext, error),
    );
    if (opened.kind === 'repeated') headers['Idempotent-Replayed'] = 'true';
    return topUpView(orderOf(opened), deps);
  };
}

function notSetUp(): ServiceError {
  return new ServiceError('SERVICE_UNAVAILABLE', { message: NOT_SET_UP });
}

/**
 * Throws the error. If Paystack is unavailable or not set up, the response does not count as a failure of this
 * service (docs/operate/slo.md), and the log line says why.
 */
function unavailable(requestContext: RequestContext, error: unknown): never {
  if (error instanceof ServiceError && error.code === 'SERVICE_UNAVAILABLE') {
    requestContext.line.isProviderUnavailable = true;
    requestContext.line.detail = error.cause instanceof Error ? error.cause.name : '';
  }
  throw error;
}

/** Returns the address of our page to which Paystack sends the browser. That page links to the customer's page. */
function returnPage(event: APIGatewayProxyEvent): string {
  return `${publicAddress(event)}/v1/payments/return`;
}

function orderOf(opened: OpenedOnce): TopUpOrder {
  if (opened.kind === 'wrong-amount') {
    const range = `from ${opened.least} to ${opened.most}`;
    throw invalidSchema(
      'wrong_value',
      'credits',
      `The field credits must be ${range}.`,
      `Send a whole number ${range}.`,
    );
  }
  if (opened.kind === 'incomplete') {
    const { problem, hint } = MISSING[opened.missing];
    throw new ServiceError('BILLING_INCOMPLETE', {
      message: `Credits cannot be bought yet: ${problem} ${hint}`,
      details: { reason: 'billing_incomplete', field: '', hint },
    });
  }
  return opened.order;
}

const MISSING = {
  'billing details': {
    problem: 'your organisation has no billing details, which an invoice needs.',
    hint: 'Enter them in the account console, or ask the operator.',
  },
  price: { problem: 'no price is set.', hint: 'Ask the operator to set one.' },
} as const;
