import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { TransactItem } from '../../audit/audit-table.ts';
import { NO_RECORD, type Recorder } from '../../audit/recorder.ts';
import { rowHashes } from '../../audit/row-hashes.ts';
import { cancellationCodes, getRow } from '../../core/database.ts';
import type { Environment } from '../../core/environment.ts';
import { closingKey, creditKey, referenceKey, shardKey, type WalletId } from '../../core/keys.ts';
import { type Credit, credit, monthOfCredit } from '../rows/credit.ts';
import { statementKeys } from '../statement/statement.ts';

/**
 * Credit rows in Wallets: `<env>#<org>#<reference>` / `CREDIT`, each written in one transaction with its shard. A
 * top-up also has a row `<env>#REFERENCE#<reference>`, so that no other organisation is credited with the payment. No
 * credit is booked into a month that is closed in Payments.
 */

/**
 * `exists`: the organisation already has a credit with this reference. `taken`: another organisation has a top-up with
 * this reference. `closed`: the month of the credit is closed. `short`: the shard does not exist, or cannot cover a
 * negative correction. `stale`: the condition of an accompanying item failed. `conflict`: retry.
 */
type CreditResult = 'applied' | 'exists' | 'taken' | 'closed' | 'short' | 'stale' | 'conflict';

const IF_ABSENT = { ConditionExpression: 'attribute_not_exists(pk)' };

const referenceRow = v.object({ organisationId: v.string() });

export type CreditTable = ReturnType<typeof creditTable>;

/** `recorder` records each credit in the audit trail. Absent in the local demo, and in some tests. */
export function creditTable(
  client: DynamoDBDocumentClient,
  { wallets: tableName, payments }: Readonly<Record<'wallets' | 'payments', string>>,
  recorder: Recorder = NO_RECORD,
) {
  const putRow = (wallet: WalletId, row: Credit) => ({
    TableName: tableName,
    Item: {
      ...creditKey(wallet, row.reference),
      ...row,
      month: monthOfCredit(row),
      ...statementKeys(wallet, row.shard, row.createdAt, row.reference),
    },
    ...IF_ABSENT,
  });
  const putReference = ({ env, organisationId }: WalletId, { reference }: Credit) => ({
    TableName: tableName,
    Item: { ...referenceKey(env, reference), reference, organisationId },
    ...IF_ABSENT,
  });
  const raiseShard = (wallet: WalletId, { shard, amount }: Credit) => ({
    TableName: tableName,
    Key: shardKey(wallet, shard),
    UpdateExpression: 'SET available = available + :amount, credited = credited + :amount',
    ConditionExpression: 'available >= :taken',
    ExpressionAttributeValues: { ':amount': amount, ':taken': Math.max(0, -amount) },
  });
  const requireOpenMonth = (wallet: WalletId, row: Credit) => ({
    TableName: payments,
    Key: closingKey(wallet, monthOfCredit(row)),
    ConditionExpression: 'attribute_not_exists(pk) OR #state = :reopened',
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: { ':reopened': 'REOPENED' },
  });
  return {
    /**
     * Writes a credit, and in the same transaction the accompanying items, such as its lot. They are written only if
     * the result is `applied`.
     */
    async addCredit(
      wallet: WalletId,
      row: Credit,
      accompanying: readonly TransactItem[] = [],
    ): Promise<CreditResult> {
      const { kind, amount, reason, reference, effectiveAt, cause } = row;
      const { env, organisationId } = wallet;
      const target = `credit ${reference} of the ${env} wallet`;
      const items = [
        { Put: putRow(wallet, row) },
        { Update: raiseShard(wallet, row) },
        { ConditionCheck: requireOpenMonth(wallet, row) },
        ...(kind === 'TOP_UP' ? [{ Put: putReference(wallet, row) }] : []),
      ];
      const record = recorder.record({
        organisationId,
        target,
        after: { kind, amount, reason, effectiveAt, ...(cause && { cause, lot: row.lot }) },
        rows: rowHashes([...items, ...accompanying]),
      });
      try {
        await client.send(
          new TransactWriteCommand({ TransactItems: [...items, ...accompanying, ...record] }),
        );
        return 'applied';
      } catch (error) {
        const codes = cancellationCodes(error);
        if (!codes) throw error;
        const hasFailed = (index: number) => codes[index] === 'ConditionalCheckFailed';
        if (hasFailed(0)) return 'exists';
        if (kind === 'TOP_UP' && hasFailed(3)) return 'taken';
        if (hasFailed(2)) return 'closed';
        if (hasFailed(1)) return 'short';
        if (accompanying.some((_, index) => hasFailed(items.length + index))) return 'stale';
        // Only the conditions of the audit record remain.
        if (codes.includes('ConditionalCheckFailed')) throw error;
        return 'conflict';
      }
    },
    async getCredit(wallet: WalletId, reference: string): Promise<Credit | undefined> {
      const row = await getRow(client, tableName, creditKey(wallet, reference));
      return row && v.parse(credit, row);
    },
    /** Returns the ID of the organisation that has a top-up with this reference, if there is one. */
    async getReferenceHolder(env: Environment, reference: string): Promise<string | undefined> {
      const row = await getRow(client, tableName, referenceKey(env, reference));
      return row && v.parse(referenceRow, row).organisationId;
    },
  };
}
