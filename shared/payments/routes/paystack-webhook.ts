import type { APIGatewayProxyEvent } from 'aws-lambda';
import { networkOf } from '../../accounts/network.ts';
import type { Environment } from '../../core/environment.ts';
import { ServiceError } from '../../core/errors.ts';
import { type Secret, secret } from '../../core/secrets.ts';
import { headerValues } from '../../http/context.ts';
import type { Run } from '../../http/public-route.ts';
import type { Information } from '../../http/result.ts';
import type { TopUpDependencies } from '../dependencies.ts';
import { settleInTime } from '../orders/settle-in-time.ts';
import { readWebhookEvent } from '../paystack/webhook-event.ts';
import { environmentOfSignature, SIGNATURE_HEADER } from '../paystack/webhook-signature.ts';

/** Twenty times the longest event that Paystack publishes. */
const MAX_BYTES = 64 * 1024;

const RECEIVED: Information = {
  kind: 'information',
  code: 'WEBHOOK_RECEIVED',
  message: 'The message was received.',
  data: {},
};

type Keys = () => Promise<Secret>;

/**
 * POST /v1/payments/paystack. The signature is checked before anything is parsed, and only the kind and the reference
 * are used: Paystack is then asked about the order. With a valid signature, the response is 200, because Paystack would
 * otherwise repeat the message for 72 hours. `deps` is undefined without `money` settings.
 */
export function receivePaystackWebhook(
  deps: TopUpDependencies | undefined,
  keys: Keys = () => secret('PAYMENTS'),
): Run {
  return async (requestContext, event) => {
    const body = rawBody(event);
    const [signature, ...others] = headerValues(event, SIGNATURE_HEADER);
    const env = others.length === 0 ? environmentOfSignature(body, signature, await keys()) : undefined;
    if (!env) {
      requestContext.line.detail = `network of the sender: ${networkOf(event.requestContext.identity.sourceIp) ?? 'unknown'}`;
      throw new ServiceError('INVALID_SIGNATURE');
    }
    const message = readWebhookEvent(body);
    if (!message || !deps) return RECEIVED;
    if (message.kind === 'charge.dispute.create') await stopCharges(env, message.reference, deps);
    // They concern credited orders.
    const recheck = message.kind !== 'charge.success';
    const result = await settleInTime(env, message.reference, deps, { recheck });
    requestContext.line.detail = `${message.kind}: ${result.kind === 'settled' ? result.order.state : result.kind}`;
    if (result.kind === 'late') requestContext.line.detail += ` (${result.detail})`;
    return RECEIVED;
  };
}

/** Paystack still reports the payment of a disputed order as successful. */
async function stopCharges(env: Environment, reference: string, deps: TopUpDependencies): Promise<void> {
  const order = await deps.orders.getOrder(env, reference);
  if (order) await deps.automatic.stopCharges(order, new Date(deps.clock.nowMs()).toISOString());
}

/** API Gateway passes every body in base64. */
function rawBody({ body, isBase64Encoded }: APIGatewayProxyEvent): Buffer {
  const bytes = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length <= MAX_BYTES) return bytes;
  throw new ServiceError('PAYLOAD_TOO_LARGE', { message: 'The request body is larger than 65,536 bytes.' });
}
