import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { dayPlus } from '../../core/accounting-month.ts';
import { getRow, isTableFailure } from '../../core/database.ts';
import { sealHeadKey, sealKey } from '../../core/keys.ts';
import type { FindBalance } from '../statement/read-statement.ts';
import { sealTotal } from './seal.ts';

const seal = v.object({ day: v.string(), total: sealTotal });
const head = v.object({ sealedUntil: v.string(), total: sealTotal });

/**
 * Returns a function that finds the balance at the end of the last sealed day before a time. It reads two rows in
 * parallel: the seal of the day before and, in case that day is not sealed yet, the head of the seals. If they cannot
 * be read, it calls `onFailure` and returns undefined, and the statement adds up more lines.
 */
export function sealedBalance(
  client: DynamoDBDocumentClient,
  tableName: string,
  onFailure: (error: unknown) => void,
): FindBalance {
  return async (wallet, before) => {
    const day = dayPlus(before.slice(0, 10), -1);
    try {
      const keys = [sealKey(wallet, day), sealHeadKey(wallet)];
      const [ofDay, ofHead] = await Promise.all(keys.map((key) => getRow(client, tableName, key)));
      if (ofDay) return balanceAfter(v.parse(seal, ofDay));
      if (!ofHead) return undefined;
      const { sealedUntil, total } = v.parse(head, ofHead);
      // Otherwise, the time is before the first sealed day.
      return sealedUntil < day ? balanceAfter({ day: sealedUntil, total }) : undefined;
    } catch (error) {
      if (!isTableFailure(error)) throw error;
      onFailure(error);
      return undefined;
    }
  };
}

function balanceAfter({ day, total: { paid, charged } }: v.InferOutput<typeof seal>) {
  return { at: `${dayPlus(day, 1)}T00:00:00.000Z`, balance: paid - charged };
}
