import { isDeepStrictEqual } from 'node:util';
import { decodeTime } from 'ulid';
import * as v from 'valibot';
import type { S3Bucket } from '../core/bucket.ts';
import type { Row } from '../core/database.ts';
import { BASE_32 } from '../core/ids.ts';
import { auditPk } from '../core/keys.ts';

/**
 * The archive of the audit trail, in a bucket whose objects nobody can delete or replace before their retention ends.
 * `audit/org/<org>/<yyyy-mm>/<id>.json` or `audit/stage/<yyyy-mm>/<id>.json` is a copy of a row.
 * `changed/<yyyy-mm-dd>/<event>.json` says that a row was changed or deleted, which no part of the service does.
 */
export type TrailArchive = ReturnType<typeof trailArchive>;

/** The place of a row in the trail: its organisation, which is undefined for the stage, and its ID. */
interface TrailKey {
  readonly organisationId: string | undefined;
  readonly id: string;
}

/** The copy of a row. */
export interface ArchivedRow extends TrailKey {
  readonly key: string;
  /** The first version. A later one, or a deletion marker, is the work of someone with the rights of an administrator. */
  readonly versionId: string;
  readonly versions: number;
}

const rowChange = v.object({
  /** What happened to the row, as DynamoDB names it. */
  event: v.string(),
  pk: v.string(),
  sk: v.string(),
  /** ISO time. */
  at: v.string(),
  before: v.optional(v.record(v.string(), v.unknown())),
  after: v.optional(v.record(v.string(), v.unknown())),
});
/** A change to a row after it was written. */
export type RowChange = v.InferOutput<typeof rowChange>;

const ORGANISATIONS = 'audit/org/';
const CHANGES = 'changed/';
const organisationPk = /^ORG#([A-Za-z0-9]+)$/;
/** Other texts with 26 characters may have no time. */
const ulid = new RegExp(`^[0-7][${BASE_32}]{25}$`);

/** Returns the place of a row in the trail. Undefined if its key is not one of a row of the trail. */
export function trailKeyOf({ pk, sk }: Row): TrailKey | undefined {
  if (typeof sk !== 'string' || !ulid.test(sk)) return undefined;
  if (pk === auditPk(undefined)) return { organisationId: undefined, id: sk };
  const [, organisationId] = organisationPk.exec(String(pk)) ?? [];
  return organisationId === undefined ? undefined : { organisationId, id: sk };
}

/** Returns the month of a time, such as `2026-11`, in UTC. */
export const monthOf = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 7);

const folderOf = (organisationId: string | undefined) =>
  organisationId === undefined ? 'audit/stage/' : `${ORGANISATIONS}${organisationId}/`;

function objectKey({ organisationId, id }: TrailKey): string {
  return `${folderOf(organisationId)}${monthOf(decodeTime(id))}/${id}.json`;
}

/** Returns a row as the archive stores it. */
export function archivedForm(row: Row): unknown {
  return JSON.parse(asJson(row));
}

const asObject = (content: unknown) => ({ contentType: 'application/json', text: asJson(content) });

/** The service writes neither large integers nor sets, but a changed row must not stop the copies of others. */
function asJson(content: unknown): string {
  return JSON.stringify(content, (_, value: unknown) => {
    if (typeof value === 'bigint') return { integer: String(value) };
    return value instanceof Set ? { set: [...value] } : value;
  });
}

/** Opens the archive in a bucket. */
export function trailArchive(bucket: S3Bucket) {
  const readObject = async (key: string, versionId?: string): Promise<unknown> =>
    JSON.parse(await bucket.get(key, versionId));

  return {
    /** Copies a row. `differs`: the archive has a copy with another content, which it keeps. */
    async putRow(key: TrailKey, row: Row): Promise<'copied' | 'exists' | 'differs'> {
      if (await bucket.putNew(objectKey(key), asObject(row))) return 'copied';
      return isDeepStrictEqual(await readObject(objectKey(key)), archivedForm(row)) ? 'exists' : 'differs';
    },
    /** Records a change to a row. Recording the same event again has no effect. */
    async putChange(eventId: string, change: RowChange): Promise<void> {
      await bucket.putNew(`${CHANGES}${change.at.slice(0, 10)}/${eventId}.json`, asObject(change));
    },
    /** Returns the first version of a copy. */
    readRow: ({ key, versionId }: ArchivedRow): Promise<unknown> => readObject(key, versionId),
    /** Returns the copies of the rows of an organisation or of the stage, by ID. @default of all months */
    async listRows(organisationId: string | undefined, month?: string): Promise<Map<string, ArchivedRow>> {
      const found = await firstVersions(bucket, `${folderOf(organisationId)}${month ? `${month}/` : ''}`);
      return new Map(
        found.map(({ key, ...version }) => {
          const id = key.slice(key.lastIndexOf('/') + 1, -'.json'.length);
          return [id, { organisationId, id, key, ...version }];
        }),
      );
    },
    /** Returns the organisations of which the archive has rows. */
    async listOrganisations(): Promise<string[]> {
      const found: string[] = [];
      for await (const { prefixes } of bucket.listVersions(ORGANISATIONS, { delimiter: '/' }))
        found.push(...prefixes.map((prefix) => prefix.slice(ORGANISATIONS.length, -1)));
      return found;
    },
    /** Returns the changes to rows since a day (`yyyy-mm-dd`, UTC). @default all that the archive keeps */
    async listChanges(sinceDay?: string): Promise<RowChange[]> {
      const found = await firstVersions(bucket, CHANGES, sinceDay && `${CHANGES}${sinceDay}`);
      const changes: RowChange[] = [];
      for (const { key, versionId } of found)
        changes.push(v.parse(rowChange, await readObject(key, versionId)));
      return changes;
    },
  };
}

/** Returns the first version of each object, even if a deletion marker hides it. */
async function firstVersions(bucket: S3Bucket, prefix: string, after?: string) {
  const found = new Map<string, { key: string; versionId: string; versions: number }>();
  for await (const page of bucket.listVersions(prefix, { after }))
    for (const { key, versionId, isDeletion } of page.versions) {
      const known = found.get(key) ?? { key, versionId: '', versions: 0 };
      // Newest versions come first, so the last one of a key is the first that was stored.
      found.set(key, {
        key,
        versionId: isDeletion ? known.versionId : versionId,
        versions: known.versions + 1,
      });
    }
  return [...found.values()].filter(({ versionId }) => versionId !== '');
}
