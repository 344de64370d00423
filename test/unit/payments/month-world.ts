import { newOrganisation, type Organisation } from '../../../shared/accounts/organisation.ts';
import { organisationTable } from '../../../shared/accounts/organisation-table.ts';
import type { Recorder } from '../../../shared/audit/recorder.ts';
import { NO_RECORD } from '../../../shared/audit/recorder.ts';
import type { Clock } from '../../../shared/core/clock.ts';
import { newOperationId } from '../../../shared/core/ids.ts';
import type { WalletId } from '../../../shared/core/keys.ts';
import { factsWithoutLookUp, type Operation } from '../../../shared/ledger/operation.ts';
import { chargedRow } from '../../../shared/ledger/rows/charge.ts';
import type { Credit } from '../../../shared/ledger/rows/credit.ts';
import { HOLD_LIFE_MS, holdIdOf } from '../../../shared/ledger/rows/wallet.ts';
import { statementTable } from '../../../shared/ledger/statement/statement-table.ts';
import { chargeTable } from '../../../shared/ledger/tables/charge-table.ts';
import { creditTable } from '../../../shared/ledger/tables/credit-table.ts';
import { shardTable } from '../../../shared/ledger/tables/shard-table.ts';
import { walletTable } from '../../../shared/ledger/tables/wallet-table.ts';
import { creditWallet } from '../../../shared/ledger/top-up.ts';
import { documentTable } from '../../../shared/payments/documents/document-table.ts';
import { type LotTerms, lotOf } from '../../../shared/payments/lots/credit-with-lot.ts';
import { lotTable } from '../../../shared/payments/lots/lot-table.ts';
import type { ClosingDependencies } from '../../../shared/payments/months/begin-closing.ts';
import { closingTable } from '../../../shared/payments/months/closing-table.ts';
import { billingTable } from '../../../shared/payments/prices/billing-table.ts';
import { type MemoryClient, memoryClient } from './memory-payments.ts';

/** In-memory wallets in which a test buys and charges credits at any time, and whose months it closes. */

export const SELLER = {
  name: 'Invented Identity Ltd',
  address: ['1 Sample Street', 'Lagos'],
  taxNumber: '12345678-0001',
  email: 'billing@seller.example',
};
const BUYER = {
  name: 'Sample Customer Ltd',
  address: ['2 Sample Street', 'Abuja'],
  taxNumber: '87654321-0001',
  email: 'accounts@customer.example',
  changedAt: '2026-01-01T00:00:00.000Z',
  changedBy: 'ada',
};

const API_KEYS = 'ApiKeys';
const WALLETS = 'Wallets';
const PAYMENTS = 'Payments';

export class MonthWorld {
  readonly memory: MemoryClient;
  nowMs: number;
  readonly clock: Clock;
  readonly deps: ClosingDependencies;
  readonly organisations;
  readonly credits;
  readonly shards;
  readonly lots;
  readonly #charges;
  readonly #wallets;
  #count = 0;

  constructor(now: string, recorder: Recorder = NO_RECORD, memory: MemoryClient = memoryClient()) {
    this.memory = memory;
    const { client } = memory;
    this.nowMs = Date.parse(now);
    this.clock = {
      nowMs: () => this.nowMs,
      pause: async (ms) => {
        this.nowMs += Math.ceil(ms);
      },
      random: () => 0.5,
    };
    this.organisations = organisationTable(client, API_KEYS);
    this.credits = creditTable(client, { wallets: WALLETS, payments: PAYMENTS });
    this.shards = shardTable(client, WALLETS);
    this.lots = lotTable(client, PAYMENTS);
    this.#charges = chargeTable(client, client, WALLETS);
    this.#wallets = walletTable(client, client, WALLETS);
    this.deps = {
      closings: closingTable(client, PAYMENTS),
      lots: this.lots,
      documents: documentTable(client, PAYMENTS),
      billing: billingTable(client, PAYMENTS),
      statement: statementTable(client, WALLETS),
      shards: this.shards,
      settings: { seller: SELLER, documentPrefix: 'IDV' },
      clock: this.clock,
      recorder,
    };
  }

  at(time: string): this {
    this.nowMs = Date.parse(time);
    return this;
  }

  /** Creates an organisation with a live wallet of this many shards, and billing details unless `isBilled` is false. */
  async organisation(id: string, walletShards = 1, isBilled = true): Promise<WalletId> {
    const row: Organisation = {
      ...newOrganisation(`Customer ${id}`, new Date(this.nowMs)),
      id,
      walletShards,
    };
    await this.organisations.insertOrganisation(row);
    for (let shard = 0; shard < walletShards; shard += 1)
      await this.shards.createShard({ env: 'live', organisationId: id }, shard);
    if (isBilled) await billingTable(this.memory.client, PAYMENTS).putBilling(id, undefined, BUYER);
    return { env: 'live', organisationId: id };
  }

  /** Returns what a closing or a statement must know about a wallet. */
  async scope(wallet: WalletId) {
    const row = await this.organisations.getOrganisation(wallet.organisationId);
    if (!row) throw new Error('There is no such organisation.');
    return { wallet, shards: row.walletShards, createdAt: row.createdAt };
  }

  /** Buys credits, at 5,000 kobo each unless `terms` say otherwise. */
  async buy(wallet: WalletId, credits: number, terms: LotTerms = paidTerms(credits, 5_000)): Promise<Credit> {
    const reference = `INVENTED-${this.#next()}`;
    const order = { reference, kind: 'TOP_UP', amount: credits, actor: 'ada', reason: '' } as const;
    return this.#book(wallet, order, terms);
  }

  remove(wallet: WalletId, credits: number): Promise<Credit> {
    const reference = `TICKET-${this.#next()}`;
    const order = {
      reference,
      kind: 'CORRECTION',
      amount: -credits,
      actor: 'ada',
      reason: 'a reason',
    } as const;
    return this.#book(wallet, order, { kind: 'correction' });
  }

  /** Reserves credits for a request, and charges it unless `isCharged` is false. */
  async verify(
    wallet: WalletId,
    cost = 1,
    service = 'nin-basic',
    isCharged = true,
    shard = 0,
  ): Promise<Operation> {
    const id = newOperationId(this.nowMs);
    const requestId = `req_${String(this.#next()).padStart(12, '0')}`;
    const details = { requestId, service, cost, keyLabel: 'server', numberTag: 'tag' };
    const operation: Operation = { id, wallet, ...details, requestedAtMs: this.nowMs };
    const hold = { shard, holdId: holdIdOf(id, 1) };
    const entry = { ...details, expiresAtMs: this.nowMs + HOLD_LIFE_MS };
    const placed = await this.#wallets.placeHold(wallet, hold, entry, []);
    if (placed.kind !== 'placed') throw new Error('The wallet has too few credits.');
    if (!isCharged) return operation;
    await this.#charges.decide(
      wallet,
      chargedRow(operation, factsWithoutLookUp('FOUND', 200), hold, this.nowMs),
    );
    await this.#wallets.clearHolds(wallet, shard, [hold.holdId]);
    return operation;
  }

  /**
   * Releases the hold of a request that was not charged, as the sweeper does. Does nothing if it was released before.
   */
  async release({ id, wallet, cost }: Operation): Promise<void> {
    await this.#wallets.releaseHold(wallet, { shard: 0, holdId: holdIdOf(id, 1) }, cost);
  }

  /** Takes back unspent credits of a lot, as a refund does. */
  async refund(wallet: WalletId, lot: string, credits: number): Promise<Credit> {
    const reference = `refund:${this.#next()}`;
    const read = (await this.lots.listLots(wallet)).find(({ id }) => id === lot);
    if (!read) throw new Error('There is no such lot.');
    const row = {
      reference,
      kind: 'CORRECTION',
      amount: -credits,
      actor: 'ada',
      reason: 'a refund',
    } as const;
    const withdrawal = { kind: 'refunded', credits, reference } as const;
    const booked = await creditWallet(
      wallet,
      1,
      { ...row, lot, cause: 'refund' },
      this,
      this.clock,
      async ({ month = '' }) => [this.lots.withdrawItem(wallet, read, { ...withdrawal, month })],
    );
    return booked.row;
  }

  async #book(wallet: WalletId, order: Parameters<typeof creditWallet>[2], terms: LotTerms): Promise<Credit> {
    const { walletShards } = (await this.organisations.getOrganisation(wallet.organisationId)) ?? {
      walletShards: 1,
    };
    const { row } = await creditWallet(wallet, walletShards, order, this, this.clock, async (one) =>
      one.amount > 0 ? [this.lots.lotItem(wallet, lotOf(one, terms))] : [],
    );
    return row;
  }

  #next(): number {
    this.#count += 1;
    return this.#count;
  }
}

/** Returns the terms of a paid lot, without VAT. */
export function paidTerms(credits: number, koboPerCredit: number): LotTerms {
  return { kind: 'paid', koboPerCredit, netKobo: credits * koboPerCredit };
}
