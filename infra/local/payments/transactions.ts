import { randomBytes } from 'node:crypto';
import type { Environment } from '../../../shared/core/environment.ts';

/** The transactions and refunds of the test double, as Paystack keeps them. Test and live mode are separate. */

/**
 * Paystack's statuses. The double itself sets only `abandoned`, `failed`, `success` and `reversed`. A fault can show
 * any.
 */
type TransactionStatus =
  | 'abandoned'
  | 'failed'
  | 'ongoing'
  | 'pending'
  | 'processing'
  | 'queued'
  | 'reversed'
  | 'success';

export interface Transaction {
  readonly id: bigint;
  readonly mode: Environment;
  readonly reference: string;
  readonly accessCode: string;
  /** In hundredths of the currency unit. */
  readonly amount: number;
  readonly currency: string;
  readonly email: string;
  readonly callbackUrl: string | undefined;
  readonly createdAt: string;
  status: TransactionStatus;
  paidAt: string | null;
}

type RefundStatus = 'pending' | 'processing' | 'needs-attention' | 'failed' | 'processed';

export interface Refund {
  readonly id: bigint;
  readonly transaction: Transaction;
  readonly amount: number;
  readonly customerNote: string;
  readonly merchantNote: string;
  readonly createdAt: string;
  status: RefundStatus;
}

/** Paystack's IDs are unsigned integers of 64 bits. These are beyond what a JavaScript number can hold. */
const FIRST_TRANSACTION = 18_446_744_073_700_000_001n;
const FIRST_REFUND = 9_007_199_254_740_993n;

export class Transactions {
  readonly #all: Transaction[] = [];
  readonly #refunds: Refund[] = [];

  /**
   * Opens a transaction. Paystack reports it as abandoned until the customer acts. Returns undefined if the reference
   * has already been used in this mode.
   */
  open(
    values: Pick<Transaction, 'mode' | 'reference' | 'amount' | 'currency' | 'email' | 'callbackUrl'>,
    now: string,
  ): Transaction | undefined {
    if (this.find(values.mode, values.reference)) return undefined;
    const transaction: Transaction = {
      ...values,
      id: FIRST_TRANSACTION + BigInt(this.#all.length),
      accessCode: randomBytes(8).toString('hex').slice(0, 15),
      createdAt: now,
      status: 'abandoned',
      paidAt: null,
    };
    this.#all.push(transaction);
    return transaction;
  }

  find(mode: Environment, reference: string): Transaction | undefined {
    return this.#all.find((one) => one.mode === mode && one.reference === reference);
  }

  findByAccessCode(accessCode: string): Transaction | undefined {
    return this.#all.find((one) => one.accessCode === accessCode);
  }

  /** Finds a transaction by its number or its reference, as Paystack's refund API does. */
  findByEither(mode: Environment, text: string): Transaction | undefined {
    return this.find(mode, text) ?? this.#all.find((one) => one.mode === mode && String(one.id) === text);
  }

  all(): readonly Transaction[] {
    return this.#all;
  }

  /** Returns the amount of a payment that is left after all refunds that did not fail. */
  refundable({ reference, mode, amount }: Transaction): number {
    const returned = this.#refunds.filter(
      ({ transaction, status }) =>
        transaction.reference === reference && transaction.mode === mode && status !== 'failed',
    );
    return amount - returned.reduce((sum, refund) => sum + refund.amount, 0);
  }

  refund(
    values: Pick<Refund, 'transaction' | 'amount' | 'customerNote' | 'merchantNote'>,
    now: string,
  ): Refund {
    const refund: Refund = {
      ...values,
      id: FIRST_REFUND + BigInt(this.#refunds.length),
      createdAt: now,
      status: 'pending',
    };
    this.#refunds.push(refund);
    return refund;
  }

  refundsOf(mode: Environment, transaction?: string): readonly Refund[] {
    return this.#refunds.filter(
      (one) =>
        one.transaction.mode === mode &&
        (transaction === undefined || String(one.transaction.id) === transaction),
    );
  }
}
