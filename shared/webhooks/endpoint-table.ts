import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { applyRecorded } from '../audit/audit-table.ts';
import { changedValues, NO_RECORD, type Recorder } from '../audit/recorder.ts';
import { ABSENT, changeTo, listRows, put, query, readRow, update, where } from '../core/expressions.ts';
import { ENDPOINT_PREFIX, endpointCountKey, endpointKey, endpointsPk, type WalletId } from '../core/keys.ts';
import { type Endpoint, endpoint } from './endpoint.ts';

/** Below `HOOKS#<env>#<org>`, as members see and change them. */
export type EndpointTable = ReturnType<typeof endpointTable>;

const endpointCount = v.object({ version: v.number() });

/** Absent where the table is only read, and for demo data. */
export function endpointTable(
  client: DynamoDBDocumentClient,
  tableName: string,
  recorder: Recorder = NO_RECORD,
) {
  return {
    /** Also deleted ones, oldest first. */
    async listEndpoints(owner: WalletId): Promise<Endpoint[]> {
      const keys = where`pk = ${endpointsPk(owner)} AND begins_with(sk, ${ENDPOINT_PREFIX})`;
      const rows = await listRows(client, endpoint, query(tableName, keys));
      return rows.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
    },
    getEndpoint: (owner: WalletId, id: string): Promise<Endpoint | undefined> =>
      readRow(client, endpoint, tableName, endpointKey(owner, id)),
    /** How many have ever been added. */
    async getCount(owner: WalletId): Promise<number> {
      return (await readRow(client, endpointCount, tableName, endpointCountKey(owner)))?.version ?? 0;
    },
    /** Returns false if another one has been added since `count` was read. */
    insertEndpoint(row: Endpoint, count: number) {
      const { organisationId, url, eventTypes: events } = row;
      const writes = [
        put(tableName, { ...endpointKey(row, row.id), ...row }, ABSENT),
        put(
          tableName,
          { ...endpointCountKey(row), version: count + 1 },
          count > 0 ? where`version = ${count}` : ABSENT,
        ),
      ];
      const record = { organisationId, target: webhookTarget(row), after: { host: hostOf(url), events } };
      return applyRecorded(client, writes, recorder.record(record));
    },
    /** Returns false if the row was changed. Never changes leases. */
    changeEndpoint(before: Endpoint, after: Endpoint) {
      const changed = update(
        tableName,
        endpointKey(before, before.id),
        changeTo(changedMemberValues(before, { ...after, version: before.version + 1 })),
        where`version = ${before.version}`,
      );
      const values = changedValues(recorded(before), recorded(after));
      const isMoved = before.url !== after.url && hostOf(before.url) === hostOf(after.url);
      const record = recorder.record({
        organisationId: before.organisationId,
        target: webhookTarget(before),
        before: values.before,
        // Not the path itself, which may contain a token.
        after: { ...values.after, ...(isMoved && { changed: ['path'] }) },
      });
      return applyRecorded(client, [changed], record);
    },
  };
}

/** For the audit trail. People do not know the ID. */
export const webhookTarget = ({ env, id, url }: Endpoint) => `${env} webhook ${id} at ${hostOf(url)}`;

/** An address may contain a token. */
const hostOf = (url: string) => new URL(url).host;

function recorded({ url, eventTypes, state, secret }: Endpoint): Record<string, unknown> {
  return { host: hostOf(url), events: eventTypes, state, secret_version: secret.version };
}

/** So that each function needs only the permission for its attributes. */
function changedMemberValues(before: Endpoint, after: Endpoint): Record<string, unknown> {
  const read = memberValues(before);
  return Object.fromEntries(
    Object.entries(memberValues(after)).filter(([name, value]) => !isDeepStrictEqual(value, read[name])),
  );
}

/** An update removes those that are undefined. */
function memberValues(row: Endpoint): Record<string, unknown> {
  const { url, eventTypes, state, disabledBecause, secret, previousSecret, version, expiresAt } = row;
  return { url, eventTypes, state, disabledBecause, secret, previousSecret, version, expiresAt };
}
