import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { sortByTime, statementIndexKey, type WalletId } from '../../core/keys.ts';
import { charge } from '../rows/charge.ts';
import { type Credit, credit } from '../rows/credit.ts';

/** Returns the index attributes of a row: its month and shard, and its time with an ID that makes it unique. */
export function statementKeys(wallet: WalletId, shard: number, time: string, id: string) {
  return {
    statementKey: statementIndexKey(wallet, time.slice(0, 7), shard),
    statementSort: sortByTime(time, id),
  };
}

/**
 * One line of a statement. Debits contain the request that they paid for. Credits contain their kind, reason and actor.
 */
export interface StatementEntry {
  /** Sort key of the statement: time and ID, unique in a wallet. */
  readonly sort: string;
  readonly createdAt: string;
  readonly id: string;
  /** Whole credits: positive for credits, negative for debits and negative corrections. */
  readonly amount: number;
  readonly debit?: {
    readonly requestId: string;
    readonly service: string;
    readonly keyLabel: string;
    readonly provider: string;
  };
  readonly credit?: {
    readonly kind: string;
    readonly reason: string;
    readonly actor: string;
    /** ISO time. */
    readonly effectiveAt: string;
    /** Absent for top-ups and for an operator's own corrections. */
    readonly cause?: Credit['cause'];
  };
}

const debitRow = v.object({ ...charge.entries, statementSort: v.string() });
const creditRow = v.object({ ...credit.entries, statementSort: v.string() });

/** Parses a row of the index. Throws if it is neither a charge row nor a credit row. */
export function statementEntry(row: Readonly<Record<string, unknown>>): StatementEntry {
  if (row['sk'] === 'CHARGE') {
    const { operationId, cost, decidedAt, statementSort, ...facts } = v.parse(debitRow, row);
    const { requestId, service, keyLabel, provider } = facts;
    const debit = { requestId, service, keyLabel, provider };
    return { sort: statementSort, createdAt: decidedAt, id: operationId, amount: -cost, debit };
  }
  const { reference, kind, amount, reason, actor, createdAt, statementSort, ...rest } = v.parse(
    creditRow,
    row,
  );
  const { effectiveAt = createdAt, cause } = rest;
  const credit = { kind, reason, actor, effectiveAt, ...(cause && { cause }) };
  return { sort: statementSort, createdAt, id: reference, amount, credit };
}

/** The first 64 bits of the SHA-256 of a line, in hexadecimal: seals and closings add them up (`xorOf`). */
export function lineHash({ sort, amount, debit, credit }: StatementEntry): string {
  const { requestId, service = credit?.kind, keyLabel, provider } = debit ?? {};
  const text = JSON.stringify([sort, amount, service, requestId, keyLabel, provider]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Returns the months (`yyyy-mm`, UTC) from one ISO time to another. `before` is exclusive. */
export function monthsBetween(from: string, before: string): string[] {
  const months: string[] = [];
  const month = new Date(`${from.slice(0, 7)}-01T00:00:00.000Z`);
  while (month.toISOString() < before) {
    months.push(month.toISOString().slice(0, 7));
    month.setUTCMonth(month.getUTCMonth() + 1);
  }
  return months;
}
