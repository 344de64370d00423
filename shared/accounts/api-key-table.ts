import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { applyRecorded } from '../audit/audit-table.ts';
import { changedValues, NO_RECORD, type Recorder } from '../audit/recorder.ts';
import { collectRows, type Row } from '../core/database.ts';
import { ABSENT, change, changeTo, listRows, put, query, update, where } from '../core/expressions.ts';
import { API_KEY_PREFIX, apiKeyCountKey, apiKeyKey, apiKeysPk } from '../core/keys.ts';
import { type ApiKey, apiKey, type ObservedKey, observedKey } from './api-key.ts';

/** The keys of an organisation, and how often they were created or edited, read together. */
export interface ApiKeys {
  readonly keys: readonly ApiKey[];
  readonly count: number;
}

/** When a rotated key was replaced, and when it stops working. ISO times. */
type Replacement = Required<Pick<ApiKey, 'notAfter' | 'replacedAt'>>;

/** What can be changed about a key. An absent list is no limit. */
export type EditableKey = Pick<ApiKey, 'label' | 'scopes' | 'addressRanges'>;

/**
 * API keys in ApiKeys: `KEYS#<org>` / `KEY#<sha256>`. Each new or edited key increments `KEYS#<org>` / `COUNT`, so that
 * limits on the number of keys hold for concurrent requests too.
 */
export type ApiKeyTable = ReturnType<typeof apiKeyTable>;

const OBSERVED = Object.keys(observedKey.entries);

/** How many characters of a key's hash identify it in the audit trail, in the console and in the operator's lists. */
export const SHORT_HASH = 12;

/** `recorder` records changes. Absent for code that only reads, and for some demo data and tests. */
export function apiKeyTable(
  client: DynamoDBDocumentClient,
  tableName: string,
  recorder: Recorder = NO_RECORD,
) {
  async function readApiKeys(organisationId: string): Promise<ApiKeys> {
    const input = query(tableName, where`pk = ${apiKeysPk(organisationId)}`);
    const rows = await collectRows(paginateQuery({ client }, input));
    const isKey = ({ sk }: Row) => String(sk).startsWith(API_KEY_PREFIX);
    const count = rows.find((row) => !isKey(row))?.['count'];
    return { keys: rows.filter(isKey).map((row) => v.parse(apiKey, row)), count: Number(count ?? 0) };
  }
  const insert = (row: ApiKey, count: number) => [
    put(tableName, { ...apiKeyKey(row.organisationId, row.hash), ...row }, ABSENT),
    put(
      tableName,
      { ...apiKeyCountKey(row.organisationId), count: count + 1 },
      count === 0 ? ABSENT : where`count = ${count}`,
    ),
  ];
  return {
    async listApiKeys(organisationId: string): Promise<ApiKey[]> {
      return [...(await readApiKeys(organisationId)).keys];
    },
    readApiKeys,
    /** The live keys, also those that no longer work, and the test keys that may expire. */
    listObservedKeys(organisationId: string): Promise<ObservedKey[]> {
      const keys = where`pk = ${apiKeysPk(organisationId)} AND begins_with(sk, ${API_KEY_PREFIX})`;
      const mayExpire = where`status = ${'ACTIVE'} AND attribute_exists(notAfter)`;
      const options = { filter: where`env = ${'live'} OR ${mayExpire}`, attributes: OBSERVED };
      return listRows(client, observedKey, query(tableName, keys, options));
    },
    /** Returns false if a key has been added since `count` was read. */
    insertApiKey: (row: ApiKey, count: number) =>
      applyRecorded(client, insert(row, count), recorder.record(insertion(row))),
    /**
     * Inserts the successor of a key and sets when the old key stops working, in one transaction. Returns false if a
     * key has been added since `count` was read, or if the key has been revoked or replaced since it was read.
     */
    replaceApiKey(key: ApiKey, end: Replacement, successor: ApiKey, count: number) {
      const replaced = update(
        tableName,
        apiKeyKey(key.organisationId, key.hash),
        change`SET notAfter = ${end.notAfter}, replacedAt = ${end.replacedAt}`,
        where`status = ${'ACTIVE'} AND attribute_not_exists(replacedAt)`,
      );
      const { label, notAfter } = key;
      const recorded = {
        ...subjectOf(key),
        before: { label, notAfter: notAfter ?? null },
        after: { label, notAfter: end.notAfter },
      };
      const record = recorder.record(insertion(successor), recorded);
      return applyRecorded(client, [replaced, ...insert(successor, count)], record);
    },
    /**
     * Changes the label and the limits of a key. Returns false if a key has been added or edited since `count` was read,
     * or if the key is revoked.
     */
    updateApiKey(key: ApiKey, wanted: EditableKey, count: number) {
      const after = editablePart(wanted);
      const { label, formerLabels: earlier = [] } = key;
      const formerLabels = label === wanted.label ? key.formerLabels : [...new Set([...earlier, label])];
      const keyRow = apiKeyKey(key.organisationId, key.hash);
      const writes = [
        update(tableName, keyRow, changeTo({ ...after, formerLabels }), where`status = ${'ACTIVE'}`),
        update(
          tableName,
          apiKeyCountKey(key.organisationId),
          change`SET count = ${count + 1}`,
          count === 0 ? ABSENT : where`count = ${count}`,
        ),
      ];
      const changed = changedValues(editablePart(key), after);
      const recorded = {
        ...subjectOf(key),
        before: { label: key.label, ...changed.before },
        after: { label: wanted.label, ...changed.after },
      };
      return applyRecorded(client, writes, recorder.record(recorded));
    },
    /** Revokes an active key for good. Returns false if it does not exist or is already revoked. */
    revokeApiKey(key: ApiKey) {
      const rowKey = apiKeyKey(key.organisationId, key.hash);
      const revoked = update(
        tableName,
        rowKey,
        change`SET status = ${'REVOKED'}`,
        where`status = ${'ACTIVE'}`,
      );
      const { label, status } = key;
      const recorded = { ...subjectOf(key), before: { label, status }, after: { label, status: 'REVOKED' } };
      return applyRecorded(client, [revoked], recorder.record(recorded));
    },
  };
}

/** Returns the part of a key that can be edited. */
export function editablePart({ label, scopes, addressRanges }: EditableKey): EditableKey {
  return { label, scopes, addressRanges };
}

function subjectOf({ organisationId, env, hash }: ApiKey) {
  return { organisationId, target: `${env} key ${hash.slice(0, SHORT_HASH)}` };
}

function insertion(row: ApiKey) {
  const { organisationId: _, hash: __, ...after } = row;
  return { ...subjectOf(row), after };
}
