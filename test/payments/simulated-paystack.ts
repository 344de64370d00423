import { ServiceError } from '../../shared/core/errors.ts';
import type {
  InitialiseRequest,
  PaymentProvider,
  ProviderRefund,
  RefundRequest,
  VerifiedPayment,
} from '../../shared/payments/paystack/payment-provider.ts';
import type { Process } from '../ledger/simulation/process.ts';
import type { Random } from '../ledger/simulation/random.ts';
import type { World } from '../ledger/simulation/world.ts';

/** What Paystack knows about one reference. */
interface Account {
  readonly totalKobo: number;
  status: Exclude<VerifiedPayment['status'], 'missing'>;
  amountKobo: number;
  currency: string;
  paidAtMs?: number;
  readonly refunds: ProviderRefund[];
}

/** Paystack in a history. Each process reaches it over a network that can lose requests and responses. */
export class SimulatedPaystack {
  readonly #world: World;
  readonly #random: Random;
  /** The probability that it does not respond. */
  silent = 0;
  readonly #accounts = new Map<string, Account>();

  constructor(world: World, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  /**
   * Pays as the customer. Returns false if Paystack does not know the reference, or has already accepted or declined a
   * payment for it.
   */
  pay(reference: string, deltaKobo: number, currency: string): boolean {
    const account = this.#accounts.get(reference);
    if (account?.status !== 'abandoned') return false;
    account.status = 'success';
    account.amountKobo = account.totalKobo + deltaKobo;
    account.currency = currency;
    account.paidAtMs = this.#world.nowMs;
    return true;
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
    return {
      initialise: (request) => this.#call(process, () => this.#initialise(request)),
      verify: (reference) => this.#call(process, () => this.#verify(reference)),
      refund: (request) => this.#call(process, () => this.#refund(request)),
      listRefunds: (reference) =>
        this.#call(process, () => [...(this.#accounts.get(reference)?.refunds ?? [])]),
    };
  }

  async #call<T>(process: Process, apply: () => T): Promise<T> {
    await process.tools.pause(this.#random.between(5, 900));
    const isLost = this.#random.chance(this.silent);
    const isApplied = !isLost || this.#random.chance(0.5);
    const response = isApplied ? apply() : undefined;
    await process.tools.pause(isLost ? 8_000 : this.#random.between(1, 20));
    if (isLost || response === undefined) throw new ServiceError('SERVICE_UNAVAILABLE');
    return response;
  }

  #initialise({ reference, totalKobo }: InitialiseRequest) {
    if (this.#accounts.has(reference)) throw new ServiceError('SERVICE_UNAVAILABLE');
    this.#accounts.set(reference, {
      totalKobo,
      status: 'abandoned',
      amountKobo: totalKobo,
      currency: 'NGN',
      refunds: [],
    });
    return { checkoutUrl: `https://checkout.example/${reference}` };
  }

  #verify(reference: string): VerifiedPayment {
    const account = this.#accounts.get(reference);
    if (!account) return { status: 'missing' };
    const { status, amountKobo, currency, paidAtMs } = account;
    const paidAt = paidAtMs === undefined ? undefined : new Date(paidAtMs).toISOString();
    // The reference is also Paystack's ID for the payment.
    return { status, reference, amountKobo, currency, paidAt, channel: 'card', providerReference: reference };
  }

  #refund({ providerReference, amountKobo, note }: RefundRequest): ProviderRefund {
    const account = this.#accounts.get(providerReference);
    if (account?.status !== 'success') throw new ServiceError('SERVICE_UNAVAILABLE');
    const refund: ProviderRefund = {
      refundReference: `refund-${account.refunds.length + 1}`,
      status: 'processed',
      amountKobo,
      currency: account.currency,
      note,
    };
    account.refunds.push(refund);
    return refund;
  }
}
