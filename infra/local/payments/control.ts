import { createServer } from 'node:http';
import * as v from 'valibot';
import { listen, readBody } from '../http-server.ts';
import { type PaymentFault, paymentFault } from './faults.ts';
import type { Transaction } from './transactions.ts';
import type { Delivery } from './webhooks.ts';

/** JSON over HTTP on a separate port. */

export interface PaymentsControl {
  /** An empty object ends the fault. */
  setFault(reference: string, fault: PaymentFault): Promise<void>;
  /** As if Paystack could not be reached. */
  setStopped(isStopped: boolean): Promise<void>;
  /** Those of the fault `late`. Returns how many. */
  sendHeld(reference: string): Promise<number>;
  /** For example a forged one. */
  sendWebhook(reference: string, signature: 'good' | 'bad' | 'none'): Promise<void>;
  /** Also sends the webhooks that are then due, and waits for the responses. */
  advance(minutes: number): Promise<void>;
  /** Waits for attempts in progress. */
  deliveries(reference: string): Promise<readonly Delivery[]>;
  transactions(): Promise<readonly Pick<Transaction, 'reference' | 'mode' | 'status' | 'amount'>[]>;
}

const MAX_BODY_BYTES = 16 * 1024;
const stoppedShape = v.strictObject({ stopped: v.boolean() });
const advanceShape = v.strictObject({ minutes: v.pipe(v.number(), v.integer(), v.minValue(0)) });
const webhookShape = v.strictObject({ signature: v.picklist(['good', 'bad', 'none']) });

/** On a free port, below a secret path that `url` includes. */
export async function startPaymentsControl(
  control: PaymentsControl,
  secret: string,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const respond = (status: number, content: unknown) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(content));
    const [, path, noun, name = ''] = (request.url ?? '').split('/');
    if (path !== secret) return respond(404, {});
    try {
      const text = String(await readBody(request, MAX_BODY_BYTES));
      const body = text === '' ? {} : JSON.parse(text);
      const result = await run(control, `${request.method} ${noun}`, decodeURIComponent(name), body);
      return result === undefined ? respond(404, {}) : respond(200, result);
    } catch (error) {
      return respond(400, { error: error instanceof Error ? error.message : String(error) });
    }
  });
  const { url, close } = await listen(server);
  return { url: `${url}/${secret}`, close };
}

/** Undefined if there is no such operation. */
async function run(
  control: PaymentsControl,
  operation: string,
  name: string,
  body: unknown,
): Promise<unknown> {
  const operations: Readonly<Record<string, () => Promise<unknown>>> = {
    'PUT faults': async () => (await control.setFault(name, v.parse(paymentFault, body))) ?? {},
    'PUT state': async () => (await control.setStopped(v.parse(stoppedShape, body).stopped)) ?? {},
    'POST held': async () => ({ sent: await control.sendHeld(name) }),
    'POST webhooks': async () =>
      (await control.sendWebhook(name, v.parse(webhookShape, body).signature)) ?? {},
    'POST clock': async () => (await control.advance(v.parse(advanceShape, body).minutes)) ?? {},
    'GET webhooks': () => control.deliveries(name),
    'GET transactions': () => control.transactions(),
  };
  return operations[operation]?.();
}
