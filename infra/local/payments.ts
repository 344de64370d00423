import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { MINUTE_MS } from '../../shared/core/clock.ts';
import { ENVIRONMENTS, type Environment } from '../../shared/core/environment.ts';
import { listen, readBody } from './http-server.ts';
import { paystackApi } from './payments/api.ts';
import { CARD, chargeEvent, jsonText, refundEvent, seen } from './payments/bodies.ts';
import { checkoutHeaders, checkoutPage, returnAddress } from './payments/checkout-page.ts';
import { type PaymentsControl, startPaymentsControl } from './payments/control.ts';
import type { PaymentFault } from './payments/faults.ts';
import { type Refund, type Transaction, Transactions } from './payments/transactions.ts';
import { type Signature, Webhooks } from './payments/webhooks.ts';

/**
 * The test double for Paystack: its API for transactions, saved cards and refunds, a checkout page, and webhooks with retries. It
 * keeps everything in memory. Tests advance its clock through its control API, so they need not wait.
 */

interface PaymentsOptions {
  /** The address that receives the webhooks of both modes. */
  readonly webhookUrl: string;
  /** @default 0, which selects a free port */
  readonly port?: number;
  /** Epoch milliseconds. @default the time of this machine */
  readonly nowMs?: () => number;
}

export interface PaymentsDescription {
  /** The base address of the API and the checkout. */
  readonly url: string;
  readonly controlUrl: string;
}

export interface RunningPayments extends PaymentsDescription {
  /** The secret keys of the two modes, generated for this run. */
  readonly keys: Readonly<Record<Environment, string>>;
  readonly control: PaymentsControl;
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 64 * 1024;

/** Starts the double on the loopback interface. */
export async function startPayments(options: PaymentsOptions): Promise<RunningPayments> {
  const keyOf = (mode: Environment) => `sk_${mode}_local${randomBytes(16).toString('hex')}`;
  const keys = Object.fromEntries(ENVIRONMENTS.map((mode) => [mode, keyOf(mode)])) as Record<
    Environment,
    string
  >;
  const double = new PaymentsDouble(options, keys);
  const server = createServer((request, response) => {
    // A request that cannot be read ends only its own connection.
    double.respond(request, response).catch(() => response.destroy());
  });
  server.on('connection', (socket) => double.isStopped && socket.destroy());
  const { url, close } = await listen(server, options.port);
  double.url = url;
  double.onStop = () => server.closeAllConnections();
  const control = await startPaymentsControl(double, randomBytes(16).toString('hex'));
  return {
    url,
    controlUrl: control.url,
    keys,
    control: double,
    async close() {
      double.close();
      await Promise.all([close(), control.close()]);
    },
  };
}

class PaymentsDouble implements PaymentsControl {
  url = '';
  onStop: () => void = () => undefined;
  isStopped = false;
  readonly #keys: Readonly<Record<Environment, string>>;
  readonly #transactions = new Transactions();
  readonly #faults = new Map<string, PaymentFault>();
  readonly #webhooks: Webhooks;
  readonly #nowMs: () => number;
  /** Requests that the fault `verify: hangs` holds back. */
  #hanging: { readonly reference: string; readonly release: () => void }[] = [];
  #advancedMs = 0;

  constructor(
    { webhookUrl, nowMs = Date.now }: PaymentsOptions,
    keys: Readonly<Record<Environment, string>>,
  ) {
    this.#keys = keys;
    this.#nowMs = () => nowMs() + this.#advancedMs;
    this.#webhooks = new Webhooks({ url: webhookUrl, keys, nowMs: this.#nowMs });
  }

  async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = String((await readBody(request, MAX_BODY_BYTES)) ?? '');
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://double');
    const [, accessCode = ''] = /^\/checkout\/([0-9a-f]+)$/.exec(pathname) ?? [];
    if (accessCode) return this.#checkout(accessCode, request.method ?? '', body, response);
    await this.#untilNoLongerHanging(pathname);
    const api = paystackApi({
      url: this.url,
      keys: this.#keys,
      transactions: this.#transactions,
      faultOf: (reference) => this.#faultOf(reference),
      now: () => this.#now(),
      onRefund: (refund) => this.#finishRefund(refund),
      onCharge: (transaction) => this.#charge(transaction),
    });
    const result = api({
      method: request.method ?? '',
      path: pathname,
      query: searchParams,
      authorization: request.headers.authorization,
      body,
    });
    if (pathname.endsWith('/charge_authorization') && this.#charging() === 'lost') response.destroy();
    else response.writeHead(result.status, { 'Content-Type': 'application/json' }).end(jsonText(result.body));
  }

  async setFault(reference: string, fault: PaymentFault): Promise<void> {
    this.#faults.set(reference, fault);
    if (fault.verify === 'hangs') return;
    for (const hanging of this.#hanging.filter((one) => one.reference === reference)) hanging.release();
    this.#hanging = this.#hanging.filter((one) => one.reference !== reference);
  }

  async setStopped(isStopped: boolean): Promise<void> {
    this.isStopped = isStopped;
    if (isStopped) this.onStop();
  }

  async sendHeld(reference: string): Promise<number> {
    const sent = this.#webhooks.release(reference);
    await this.#webhooks.idle();
    return sent;
  }

  async sendWebhook(reference: string, signature: Signature): Promise<void> {
    const transaction = this.#transactions.all().find((one) => one.reference === reference);
    if (!transaction) throw new Error(`There is no transaction ${reference}.`);
    this.#webhooks.send(this.#chargeMessage(transaction, signature));
    await this.#webhooks.idle();
  }

  async advance(minutes: number): Promise<void> {
    this.#advancedMs += minutes * MINUTE_MS;
    await this.#webhooks.sendDue();
  }

  deliveries(reference: string) {
    return this.#webhooks.deliveries(reference);
  }

  async transactions() {
    return this.#transactions.all().map(({ reference, mode, status, amount }) => ({
      reference,
      mode,
      status,
      amount,
    }));
  }

  close(): void {
    this.#webhooks.close();
    for (const { release } of this.#hanging) release();
  }

  #checkout(accessCode: string, method: string, body: string, response: ServerResponse): void {
    const transaction = this.#transactions.findByAccessCode(accessCode);
    if (!transaction) {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('There is no such checkout.');
      return;
    }
    const outcome = method === 'POST' ? new URLSearchParams(body).get('outcome') : null;
    if (outcome === 'pay') this.#pay(transaction);
    if (outcome === 'decline' && !transaction.paidAt) transaction.status = 'failed';
    if (outcome === 'leave' && !transaction.paidAt) transaction.status = 'abandoned';
    const address = outcome === 'pay' || outcome === 'leave' ? returnAddress(transaction) : undefined;
    if (address) response.writeHead(303, { Location: address }).end();
    else response.writeHead(200, checkoutHeaders(transaction)).end(checkoutPage(transaction));
  }

  #charge(transaction: Transaction): void {
    if (this.#charging() === 'declined') transaction.status = 'failed';
    else this.#pay(transaction);
  }

  #charging(): PaymentFault['charge'] {
    return this.#faultOf(CARD.authorization_code).charge;
  }

  /** Pays a transaction. Does nothing if it is already paid, for example after a second click. */
  #pay(transaction: Transaction): void {
    if (transaction.paidAt) return;
    transaction.status = 'success';
    transaction.paidAt = this.#now();
    const { webhook = 'once', signature = 'good' } = this.#faultOf(transaction.reference);
    const message = this.#chargeMessage(transaction, signature);
    if (webhook === 'late') this.#webhooks.hold(message);
    if (webhook === 'once' || webhook === 'twice') this.#webhooks.send(message);
    if (webhook === 'twice') this.#webhooks.send(message);
  }

  /**
   * Sets the status of a refund and sends its event. A full refund makes the transaction `reversed`, as Paystack
   * documents.
   */
  #finishRefund(refund: Refund): void {
    const { transaction } = refund;
    refund.status = this.#faultOf(transaction.reference).refund ?? 'processed';
    if (refund.status === 'processed' && this.#transactions.refundable(transaction) === 0)
      transaction.status = 'reversed';
    const { event, data } = refundEvent(refund);
    const { mode, reference } = transaction;
    const body = jsonText({ event, data });
    this.#webhooks.send({ mode, reference, event, body, signature: 'good' });
  }

  #chargeMessage(transaction: Transaction, signature: Signature) {
    const { mode, reference } = transaction;
    const event = chargeEvent(seen(transaction, this.#faultOf(reference)));
    return { mode, reference, event: event.event, body: jsonText(event), signature };
  }

  async #untilNoLongerHanging(path: string): Promise<void> {
    const [, encoded = ''] = /^\/transaction\/verify\/([^/]+)$/.exec(path) ?? [];
    const reference = decodeURIComponent(encoded);
    if (this.#faultOf(reference).verify !== 'hangs') return;
    await new Promise<void>((release) => this.#hanging.push({ reference, release }));
  }

  #faultOf(reference: string): PaymentFault {
    return this.#faults.get(reference) ?? {};
  }

  #now(): string {
    return new Date(this.#nowMs()).toISOString();
  }
}
