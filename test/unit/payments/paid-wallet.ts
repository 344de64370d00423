import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { newOrganisation } from '../../../shared/accounts/organisation.ts';
import { organisationTable } from '../../../shared/accounts/organisation-table.ts';
import { auditTable } from '../../../shared/audit/audit-table.ts';
import { auditRecorder } from '../../../shared/audit/recorder.ts';
import { newOperationId } from '../../../shared/core/ids.ts';
import { shardKey, type WalletId } from '../../../shared/core/keys.ts';
import { sealTable } from '../../../shared/ledger/reconcile/seal-table.ts';
import { balanceOf } from '../../../shared/ledger/rows/wallet.ts';
import { statementTable } from '../../../shared/ledger/statement/statement-table.ts';
import { chargeTable } from '../../../shared/ledger/tables/charge-table.ts';
import { creditTable } from '../../../shared/ledger/tables/credit-table.ts';
import { shardTable } from '../../../shared/ledger/tables/shard-table.ts';
import { creditWallet } from '../../../shared/ledger/top-up.ts';
import { automaticTable } from '../../../shared/payments/automatic/automatic-table.ts';
import { invoiceOf } from '../../../shared/payments/documents/compose-documents.ts';
import { seriesOf } from '../../../shared/payments/documents/document-series.ts';
import { documentTable } from '../../../shared/payments/documents/document-table.ts';
import { creditWithLot, lotOf } from '../../../shared/payments/lots/credit-with-lot.ts';
import { lotTable } from '../../../shared/payments/lots/lot-table.ts';
import { closingTable } from '../../../shared/payments/months/closing-table.ts';
import type { TopUpOrder } from '../../../shared/payments/orders/order.ts';
import { orderTable } from '../../../shared/payments/orders/order-table.ts';
import { refundTable } from '../../../shared/payments/refunds/refund-table.ts';
import { BUYER, inventedOrder, SELLER } from './invented-orders.ts';
import { memoryClient, memoryClock } from './memory-payments.ts';

/** An in-memory wallet for tests of payments, over the real table modules, with a clock that the test controls. */

const PREFIX = 'IDV';

export type PaidWallet = Awaited<ReturnType<typeof paidWallet>>;

export async function paidWallet({ shards = 1, startAt = '2026-11-22T10:00:00.000Z' } = {}) {
  const memory = memoryClient();
  const { client } = memory;
  const { time, clock } = memoryClock(startAt);
  const audit = auditTable(client, 'AuditTrail');
  const run = { actor: 'ada', action: 'credit-note create', commandId: newOperationId(time.nowMs) };
  const deps = {
    clock,
    settings: { seller: SELLER, documentPrefix: PREFIX },
    organisations: organisationTable(client, 'ApiKeys'),
    credits: creditTable(
      client,
      { wallets: 'Wallets', payments: 'Payments' },
      auditRecorder(audit, run, () => time.nowMs),
    ),
    shards: shardTable(client, 'Wallets'),
    statement: statementTable(client, 'Wallets'),
    seals: sealTable(client, 'Wallets'),
    lots: lotTable(client, 'Payments'),
    orders: orderTable(client, 'Payments'),
    documents: documentTable(client, 'Payments'),
    closings: closingTable(client, 'Payments'),
    automatic: automaticTable(client, 'Payments'),
    refunds: refundTable(client, 'Payments'),
  };
  const charges = chargeTable(client, client, 'Wallets');
  const organisation = {
    ...newOrganisation('Invented Lending', new Date(time.nowMs)),
    walletShards: shards,
  };
  await deps.organisations.insertOrganisation(organisation);
  const wallet: WalletId = { env: 'live', organisationId: organisation.id };
  for (let shard = 0; shard < shards; shard += 1) await deps.shards.createShard(wallet, shard);

  /** Buys credits. Returns the stored order, with its lot and invoice. */
  async function buy(credits: number, change: Partial<TopUpOrder> = {}): Promise<TopUpOrder> {
    const newReference = `TOPUP-${newOperationId(clock.nowMs())}`;
    const paid = inventedOrder({ ...wallet, reference: newReference, credits, version: 1, ...change });
    const { reference } = paid;
    await deps.orders.insertOrder(paid);
    const credit = { reference: `paystack:${reference}`, kind: 'TOP_UP', amount: credits } as const;
    const order = { ...credit, actor: 'paystack', reason: '' };
    await creditWallet(wallet, shards, order, deps, clock, async (row) => {
      const series = seriesOf(wallet.env, 'INVOICE', PREFIX, Date.parse(row.createdAt));
      const drawn = await deps.documents.nextNumber(series);
      const head = { number: drawn.number, issuedAt: row.createdAt, seller: SELLER, buyer: BUYER };
      const invoice = invoiceOf(head, paid);
      const { koboPerCredit, netKobo, vatKobo, vatBasisPoints } = paid;
      const terms = { kind: 'paid', koboPerCredit, netKobo, vatKobo, vatBasisPoints } as const;
      const lot = lotOf(row, { ...terms, order: reference, invoice: invoice.number });
      const credited = { ...paid, state: 'CREDITED', lot: lot.id, invoice: invoice.number } as const;
      return [
        deps.lots.lotItem(wallet, lot),
        deps.orders.moveItem(paid, credited),
        ...deps.documents.documentItems(wallet, invoice, drawn),
      ];
    });
    const stored = await deps.orders.getOrder(wallet.env, reference);
    if (!stored) throw new Error('The order is missing.');
    return stored;
  }

  /** Changes the wallet as the ledger does for a charged request. */
  async function charge(cost: number, shard = 0): Promise<void> {
    await changeShard(shard, 'SET available = available - :cost', cost);
    const id = newOperationId(clock.nowMs());
    const at = new Date(time.nowMs).toISOString();
    const facts = { outcome: 'FOUND', httpStatus: 200, provider: 'sandbox', latencyMs: 1 } as const;
    const row = { operationId: id, requestId: 'req_000000000000', service: 'nin-basic', keyLabel: 'server' };
    const times = { requestedAt: at, decidedAt: at, shard, holdId: `${id}.1` };
    await charges.decide(wallet, { ...row, state: 'CHARGED', cost, ...facts, ...times });
  }

  /** Holds credits like a request in progress. A negative number releases them. */
  const hold = (cost: number, shard = 0) => changeShard(shard, 'SET available = available - :cost', cost);

  const changeShard = (shard: number, UpdateExpression: string, cost: number) =>
    client.send(
      new UpdateCommand({
        TableName: 'Wallets',
        Key: shardKey(wallet, shard),
        UpdateExpression,
        ConditionExpression: 'available >= :cost',
        ExpressionAttributeValues: { ':cost': cost },
      }),
    );

  /** Adds free credits. */
  const give = (credits: number, reference: string, expiresAt?: string) => {
    const order = { reference, kind: 'TOP_UP', amount: credits, actor: 'ada', reason: '' } as const;
    const terms = { kind: 'promotional', ...(expiresAt && { expiresAt }) } as const;
    return creditWithLot(wallet, shards, order, deps, clock, terms);
  };

  /** Kills the process at its n-th call: before the call is applied, or after, so that its response is lost. */
  function killAt(call: number, when: 'before' | 'after'): void {
    let calls = 0;
    memory.before = () => {
      calls += 1;
      if (calls > call || (calls === call && when === 'before')) throw new Error('killed');
    };
    memory.after = () => {
      if (calls === call) throw new Error('killed');
    };
  }
  function revive(): void {
    memory.before = () => undefined;
    memory.after = () => undefined;
  }

  const available = async () => balanceOf((await deps.shards.snapshot(wallet, shards)) ?? []).available;

  return {
    memory,
    time,
    deps,
    wallet,
    audit,
    buy,
    charge,
    hold,
    give,
    available,
    killAt,
    revive: () => revive(),
  };
}
