import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DAY_MS } from '../core/clock.ts';
import { wasApplied } from '../core/database.ts';
import {
  ABSENT,
  change,
  changeTo,
  listRows,
  PRESENT,
  put,
  query,
  remove,
  sendDelete,
  sendWrite,
  update,
  where,
} from '../core/expressions.ts';
import { numberLookUpKey, profileChecksKey } from '../core/keys.ts';
import { type NumberLookUp, numberLookUp } from '../members/rows.ts';

/** A request looks up a number only once. */
interface NumberLookUpRef {
  readonly organisationId: string;
  readonly numberTag: string;
  readonly requestId: string;
}

/**
 * `LOOKUPS#<org>` / `<number tag>#<request ID>`; counts of a day: `PERSON#<person>` or `ORG#STAGE` / `CHECKS#<day>`.
 */
export type NumberLookUpTable = ReturnType<typeof numberLookUpTable>;

const CHECKS_KEPT_MS = 7 * DAY_MS;

export function numberLookUpTable(client: DynamoDBDocumentClient, tableName: string) {
  const rowsOf = async (organisationId: string, numberTag: string) => {
    const { pk, sk } = numberLookUpKey(organisationId, numberTag, '');
    const keys = where`pk = ${pk} AND begins_with(sk, ${sk})`;
    const rows = await listRows(client, numberLookUp, query(tableName, keys));
    return rows.map((row) => ({ numberTag, row }));
  };
  const rowsOfAll = async (organisationId: string, numberTags: readonly string[]) =>
    (await Promise.all(numberTags.map((tag) => rowsOf(organisationId, tag)))).flat();
  return {
    /** On a UTC day, for a person, or the stage. Returns false if the total would exceed `most`. */
    takeChecks(personId: string | undefined, day: string, count: number, most: number) {
      const expiresAt = Math.ceil((Date.parse(day) + CHECKS_KEPT_MS) / 1000);
      const write = update(
        tableName,
        profileChecksKey(personId, day),
        change`SET expiresAt = ${expiresAt} ADD used ${count}`,
        where`attribute_not_exists(used) OR used <= ${most - count}`,
      );
      return wasApplied(sendWrite(client, write));
    },
    /** False if a lost call had written the row. */
    insertLookUp({ organisationId, numberTag, requestId }: NumberLookUpRef, row: NumberLookUp) {
      const item = { ...numberLookUpKey(organisationId, numberTag, requestId), ...row };
      return wasApplied(sendWrite(client, put(tableName, item, ABSENT)));
    },
    /** Unless it has been erased. */
    setResult({ organisationId, numberTag, requestId }: NumberLookUpRef, result: NumberLookUp['result']) {
      const key = numberLookUpKey(organisationId, numberTag, requestId);
      return wasApplied(sendWrite(client, update(tableName, key, changeTo({ result }), PRESENT)));
    },
    /** Oldest first. Expired ones count as deleted. */
    async lookUpsOf(
      organisationId: string,
      numberTags: readonly string[],
      nowMs: number,
    ): Promise<NumberLookUp[]> {
      const rows = (await rowsOfAll(organisationId, numberTags)).map(({ row }) => row);
      return rows
        .filter(({ expiresAt }) => expiresAt > nowMs / 1000)
        .sort((a, b) => a.lookedUpAt.localeCompare(b.lookedUpAt));
    },
    /** By operators only. Returns how many. */
    async deleteLookUps(organisationId: string, numberTags: readonly string[]): Promise<number> {
      const rows = await rowsOfAll(organisationId, numberTags);
      const deletions = rows.map(({ numberTag, row }) => {
        const key = numberLookUpKey(organisationId, numberTag, row.requestId);
        return wasApplied(sendDelete(client, remove(tableName, key, PRESENT)));
      });
      return (await Promise.all(deletions)).filter(Boolean).length;
    },
  };
}
