import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { applyRecorded, type TransactItem } from '../../audit/audit-table.ts';
import { NO_RECORD, type Recorder } from '../../audit/recorder.ts';
import { type Row, wasApplied } from '../../core/database.ts';
import type { Environment } from '../../core/environment.ts';
import { ABSENT, listRows, put, query, readPage, readRow, sendWrite, where } from '../../core/expressions.ts';
import {
  afterTime,
  DUE_CREDITED,
  DUE_ORDERS,
  DUE_PAID,
  DUE_REVIEW,
  type DueEntry,
  keyedReferenceKey,
  NEVER_DUE,
  orderKey,
  orderOfPk,
  ordersIndexKey,
  sortByTime,
  type WalletId,
} from '../../core/keys.ts';
import { keyedReference, openingFacts, type TopUpOrder, topUpOrder } from './order.ts';

/** The key of an order. */
export type OrderRef = Pick<TopUpOrder, 'env' | 'reference'>;

/** `<env>#TOPUP#<reference>` / `ORDER`. A move applies only to the state and version that were read. */
export type OrderTable = ReturnType<typeof orderTable>;

/** Of an environment, from each partition of the index. The entries contain only keys. */
const MOST_DUE = 10_000;

/** `recorder` records openings, and the addresses of checkouts. */
export function orderTable(
  client: DynamoDBDocumentClient,
  tableName: string,
  recorder: Recorder = NO_RECORD,
) {
  const item = (order: TopUpOrder) => ({
    ...orderKey(order.env, order.reference),
    ...order,
    ordersKey: ordersIndexKey(order),
    ordersSort: sortByTime(order.openedAt, order.reference),
    ...dueOfOrder(order),
  });
  const insertItem = (order: TopUpOrder) => put(tableName, item(order), ABSENT);
  const record = (order: TopUpOrder, facts: object) => {
    const { organisationId, env, reference, checkoutUrl } = order;
    const after = { ...facts, ...(checkoutUrl !== undefined && { checkoutUrl }) };
    return recorder.record({ organisationId, target: `${env} order ${reference}`, after });
  };
  const recordOpening = (order: TopUpOrder) => record(order, openingFacts(order));
  const moveItem = (before: TopUpOrder, after: TopUpOrder) =>
    put(
      tableName,
      item({ ...after, version: before.version + 1 }),
      where`state = ${before.state} AND version = ${before.version}`,
    );
  const dueIn = async (dueKey: string, env: Environment, nowIso: string) => {
    const keys = where`dueKey = ${dueKey} AND dueSort < ${sortByTime(nowIso, '~')}`;
    const filter = where`begins_with(pk, ${orderKey(env, '').pk})`;
    const input = query(tableName, keys, { IndexName: 'due', filter });
    const due: Row[] = [];
    for await (const { Items = [] } of paginateQuery({ client }, input)) {
      due.push(...Items);
      if (due.length >= MOST_DUE) break;
    }
    return inTurns(due);
  };
  const getReference = async (env: Environment, name: string) =>
    (await readRow(client, keyedReference, tableName, keyedReferenceKey(env, name)))?.reference;
  return {
    getOrder: (env: Environment, reference: string): Promise<TopUpOrder | undefined> =>
      readRow(client, topUpOrder, tableName, orderKey(env, reference)),
    getReference,
    /** Returns the reference under this name, which is the new one unless another request was faster. */
    async claimReference(env: Environment, name: string, reference: string): Promise<string> {
      const row = put(tableName, { ...keyedReferenceKey(env, name), reference }, ABSENT);
      if (await wasApplied(sendWrite(client, row))) return reference;
      const earlier = await getReference(env, name);
      if (earlier === undefined) throw new Error('The reference under the Idempotency-Key is missing.');
      return earlier;
    },
    /** Returns false if the reference already exists. */
    insertOrder: (order: TopUpOrder): Promise<boolean> =>
      applyRecorded(client, [insertItem(order)], recordOpening(order)),
    insertItem: (order: TopUpOrder): TransactItem => insertItem(order),
    /** With the record of the opening. */
    openItems: (order: TopUpOrder): TransactItem[] => [insertItem(order), ...recordOpening(order)],
    /** Returns false if another process changed the order, or if one of `checks` failed. */
    moveOrder(before: TopUpOrder, after: TopUpOrder, checks: readonly TransactItem[] = []): Promise<boolean> {
      const recorded = before.checkoutUrl === after.checkoutUrl ? [] : record(after, {});
      return checks.length + recorded.length === 0
        ? wasApplied(sendWrite(client, moveItem(before, after)))
        : applyRecorded(client, [moveItem(before, after), ...checks], recorded);
    },
    moveItem: (before: TopUpOrder, after: TopUpOrder): TransactItem => moveItem(before, after),
    /** Newest first. Eventually consistent. */
    async listOrders(wallet: WalletId, limit?: number): Promise<TopUpOrder[]> {
      const keys = where`ordersKey = ${ordersIndexKey(wallet)}`;
      const input = query(tableName, keys, { IndexName: 'orders', ScanIndexForward: false });
      if (limit === undefined) return listRows(client, topUpOrder, input);
      const { Items = [] } = await readPage(client, { ...input, Limit: limit });
      return Items.map((row) => v.parse(topUpOrder, row));
    },
    /**
     * Live ones first, of those paid ones, of those the longest overdue of each organisation in turn: test keys are
     * free, and one organisation with many orders does not delay others. Eventually consistent.
     */
    async listDue(nowIso: string, limit?: number): Promise<OrderRef[]> {
      // Read apart, because any number of test orders may be due.
      const read = (env: Environment) => [dueIn(DUE_PAID, env, nowIso), dueIn(DUE_ORDERS, env, nowIso)];
      return (await Promise.all([...read('live'), ...read('test')])).flat().slice(0, limit);
    },
    /** Those that are not paid and due next, the earliest first. Eventually consistent. */
    async listNext(limit: number): Promise<OrderRef[]> {
      const input = query(tableName, where`dueKey = ${DUE_ORDERS}`, { IndexName: 'due' });
      const { Items = [] } = await readPage(client, { ...input, Limit: limit });
      return Items.map(({ pk }) => orderOfPk(String(pk)));
    },
  };
}

/** First the earliest order of each organisation, then the second, and so on. */
function inTurns(entries: readonly Row[]): OrderRef[] {
  const turns = new Map<string, number>();
  const listed = entries.map(({ pk, dueSort }) => {
    const ref = orderOfPk(String(pk));
    const owner = `${ref.env} ${afterTime(String(dueSort))}`;
    const turn = turns.get(owner) ?? 0;
    turns.set(owner, turn + 1);
    return { ref, turn };
  });
  return listed.sort((a, b) => a.turn - b.turn).map(({ ref }) => ref);
}

/** At most one entry in the index `due`. Orders with a problem are listed for a person to review. */
export function dueOfOrder(order: TopUpOrder): DueEntry {
  const { state, problem, resolution, dueAt, reference, organisationId, creditedAt, unpublished } = order;
  if (problem !== undefined || (state === 'MISMATCH' && resolution === undefined))
    return { dueKey: DUE_REVIEW, dueSort: sortByTime(NEVER_DUE, reference) };
  if (dueAt === undefined && creditedAt !== undefined && unpublished)
    return { dueKey: DUE_CREDITED, dueSort: sortByTime(creditedAt, reference) };
  if (dueAt === undefined) return {};
  return { dueKey: state === 'PAID' ? DUE_PAID : DUE_ORDERS, dueSort: sortByTime(dueAt, organisationId) };
}
