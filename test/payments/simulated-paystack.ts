import { ServiceError } from '../../shared/core/errors.ts';
import { parseExactJson } from '../../shared/core/exact-json.ts';
import type { PaymentProvider, PaymentStatus } from '../../shared/payments/paystack/payment-provider.ts';
import { type Call, paystackOf, type Response } from '../../shared/payments/paystack/paystack.ts';
import type { Process } from '../ledger/simulation/process.ts';
import type { Random } from '../ledger/simulation/random.ts';
import type { World } from '../ledger/simulation/world.ts';

interface Account {
  readonly id: string;
  readonly totalKobo: number;
  status: Exclude<PaymentStatus, 'missing'>;
  amountKobo: number;
  currency: string;
  paidAtMs?: number;
  readonly refunds: { readonly id: string; readonly amountKobo: number; readonly note: string }[];
}

/** The share of charges of saved cards. */
const DECLINED = 0.1;
/** Neighbouring IDs, which are equal if they are read as numbers. */
const GREATEST_ID = 2n ** 64n - 1n;

/**
 * Paystack in a history, as JSON that the service's adapter reads. Each process reaches it over a network that can lose
 * requests and responses.
 */
export class SimulatedPaystack {
  readonly #world: World;
  readonly #random: Random;
  /** The probability that it does not respond. */
  silent = 0;
  /** Called when a saved card was charged or declined. */
  onCharge: (reference: string) => void = () => undefined;
  readonly #accounts = new Map<string, Account>();
  #count = 0;

  constructor(world: World, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  /**
   * Pays as the customer. Returns Paystack's ID of the payment. Returns undefined if Paystack does not know the
   * reference, or has already accepted or declined a payment for it.
   */
  pay(reference: string, deltaKobo: number, currency: string): string | undefined {
    const account = this.#accounts.get(reference);
    if (account?.status !== 'abandoned') return undefined;
    account.status = 'success';
    account.amountKobo = account.totalKobo + deltaKobo;
    account.currency = currency;
    account.paidAtMs = this.#world.nowMs;
    return account.id;
  }

  /** Returns what it was told to take, in kobo. */
  askedKobo(reference: string): number | undefined {
    return this.#accounts.get(reference)?.totalKobo;
  }

  /** Returns the ID of the payment, or undefined if it was declined. */
  paidId(reference: string): string | undefined {
    const account = this.#accounts.get(reference);
    return account?.status === 'success' ? account.id : undefined;
  }

  decline(reference: string): void {
    const account = this.#accounts.get(reference);
    if (account?.status === 'abandoned') account.status = 'failed';
  }

  reverse(reference: string): void {
    const account = this.#accounts.get(reference);
    if (account?.status === 'success') account.status = 'reversed';
  }

  /** Returns what was refunded for a reference, in kobo. */
  refundedKobo(reference: string): number {
    const refunds = this.#accounts.get(reference)?.refunds ?? [];
    return refunds.reduce((total, { amountKobo }) => total + amountKobo, 0);
  }

  /** Returns the interface through which a process calls Paystack. */
  providerOf(process: Process): PaymentProvider {
    return paystackOf('live', (request) => this.#call(process, request));
  }

  async #call(process: Process, request: Call): Promise<Response> {
    await process.clock.pause(this.#random.between(5, 900));
    const isLost = this.#random.chance(this.silent);
    const isApplied = !isLost || this.#random.chance(0.5);
    const data = isApplied ? this.#respond(request) : undefined;
    await process.clock.pause(isLost ? 8_000 : this.#random.between(1, 20));
    if (isLost) throw new ServiceError('SERVICE_UNAVAILABLE');
    return data === undefined
      ? { status: 404, json: { status: false, message: 'Transaction reference not found' } }
      : { status: 200, json: parseExactJson(`{"status":true,"data":${data}}`) };
  }

  /** Returns the data of the response as JSON; undefined if the request is rejected. */
  #respond({ method, path, query, body }: Call): string | undefined {
    if (path.startsWith('/transaction/verify/')) return this.#verify(path.split('/').at(-1) ?? '');
    if (path === '/transaction/initialize') return this.#initialise(body as InitialiseBody);
    if (path === '/transaction/charge_authorization') return this.#charge(body as InitialiseBody);
    if (method === 'POST') return this.#refund(body as RefundBody);
    const account = this.#withId(query?.['transaction']);
    return `[${(account?.refunds ?? []).map((_, index) => refundJson(account, index)).join(',')}]`;
  }

  #initialise({ reference, amount }: InitialiseBody): string | undefined {
    if (this.#accounts.has(reference)) return undefined;
    this.#accounts.set(reference, {
      id: this.#newId(),
      totalKobo: amount,
      status: 'abandoned',
      amountKobo: amount,
      currency: 'NGN',
      refunds: [],
    });
    return JSON.stringify({ authorization_url: `https://checkout.example/${reference}`, reference });
  }

  /** Takes the money at once, unless the bank declines. */
  #charge(body: InitialiseBody): string | undefined {
    const { reference } = body;
    if (this.#initialise(body) === undefined) return undefined;
    if (this.#random.chance(DECLINED)) this.decline(reference);
    else this.pay(reference, 0, 'NGN');
    this.onCharge(reference);
    return JSON.stringify({ reference });
  }

  #verify(reference: string): string | undefined {
    const account = this.#accounts.get(reference);
    if (!account) return undefined;
    const { id, status, amountKobo: amount, currency, paidAtMs } = account;
    const paid_at = paidAtMs === undefined ? null : new Date(paidAtMs).toISOString();
    return withNumbers(
      { domain: 'live', status, reference, amount, currency, channel: 'card', paid_at },
      { id },
    );
  }

  #refund({ transaction, amount, merchant_note: note }: RefundBody): string | undefined {
    const account = this.#withId(transaction);
    if (account?.status !== 'success') return undefined;
    account.refunds.push({ id: this.#newId(), amountKobo: amount, note });
    return refundJson(account, account.refunds.length - 1);
  }

  #withId(id: string | undefined): Account | undefined {
    return [...this.#accounts.values()].find((account) => account.id === id);
  }

  #newId(): string {
    this.#count += 1;
    return String(this.#random.chance(0.7) ? GREATEST_ID - BigInt(this.#count) : this.#count);
  }
}

interface InitialiseBody {
  readonly reference: string;
  readonly amount: number;
}

interface RefundBody {
  readonly transaction: string;
  readonly amount: number;
  readonly merchant_note: string;
}

function refundJson(account: Account | undefined, index: number): string {
  const refund = account?.refunds[index];
  if (!refund) throw new Error('There is no such refund.');
  const { id, amountKobo: amount, note } = refund;
  return withNumbers(
    { status: 'processed', amount, currency: account.currency, merchant_note: note },
    { id, transaction: account.id },
  );
}

/** Returns an object as JSON, with more fields whose values are numbers of any length. */
function withNumbers(object: object, numbers: Readonly<Record<string, string>>): string {
  const more = Object.entries(numbers).map(([name, digits]) => `,"${name}":${digits}`);
  return `${JSON.stringify(object).slice(0, -1)}${more.join('')}}`;
}
