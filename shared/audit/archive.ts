import { isDeepStrictEqual } from 'node:util';
import { decodeTime } from 'ulid';
import * as v from 'valibot';
import type { S3Bucket } from '../core/bucket.ts';
import type { Row } from '../core/database.ts';
import { BASE_32 } from '../core/ids.ts';
import { auditPk } from '../core/keys.ts';

/**
 * Nobody can delete or replace its objects before their retention ends. `audit/org/<org>/<yyyy-mm>/<id>.json` and
 * `audit/stage/…` are copies of rows. `changed/<yyyy-mm-dd>/<event>.json`: a row was changed or deleted, which no part
 * of the service does.
 */
export type TrailArchive = ReturnType<typeof trailArchive>;

/** The organisation is undefined for the stage. */
interface TrailKey {
  readonly organisationId: string | undefined;
  readonly id: string;
}

/** The copy of a row. */
export interface ArchivedRow extends TrailKey {
  readonly key: string;
  /** Later versions are the work of an administrator. */
  readonly versionId: string;
  readonly versions: number;
}

const rowChange = v.object({
  /** As DynamoDB names it. */
  event: v.string(),
  pk: v.string(),
  sk: v.string(),
  /** ISO time. */
  at: v.string(),
  before: v.optional(v.record(v.string(), v.unknown())),
  after: v.optional(v.record(v.string(), v.unknown())),
});
export type RowChange = v.InferOutput<typeof rowChange>;

const ORGANISATIONS = 'audit/org/';
const CHANGES = 'changed/';
/** A longer key could not be stored. The service writes none. */
const organisationPk = /^ORG#([A-Za-z0-9]{1,64})$/;
/** Other texts with 26 characters may have no time. */
const ulid = new RegExp(`^[0-7][${BASE_32}]{25}$`);

/** Undefined for other keys. */
export function trailKeyOf({ pk, sk }: Row): TrailKey | undefined {
  if (typeof sk !== 'string' || !ulid.test(sk)) return undefined;
  if (pk === auditPk(undefined)) return { organisationId: undefined, id: sk };
  const [, organisationId] = organisationPk.exec(String(pk)) ?? [];
  return organisationId === undefined ? undefined : { organisationId, id: sk };
}

/** UTC, such as `2026-11`. */
export const monthOf = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 7);

const folderOf = (organisationId: string | undefined) =>
  organisationId === undefined ? 'audit/stage/' : `${ORGANISATIONS}${organisationId}/`;

function objectKey({ organisationId, id }: TrailKey): string {
  return `${folderOf(organisationId)}${monthOf(decodeTime(id))}/${id}.json`;
}

export function archivedForm(row: Row): unknown {
  return JSON.parse(asJson(row));
}

const asObject = (content: unknown) => ({ contentType: 'application/json', text: asJson(content) });

/** A changed row must not stop the copies of others. */
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
    /** `differs`: the archive keeps its own copy. */
    async putRow(key: TrailKey, row: Row): Promise<'copied' | 'exists' | 'differs'> {
      if (await bucket.putNew(objectKey(key), asObject(row))) return 'copied';
      return isDeepStrictEqual(await readObject(objectKey(key)), archivedForm(row)) ? 'exists' : 'differs';
    },
    /** Recording the same event again has no effect. */
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

/** Even if a deletion marker hides it. */
async function firstVersions(bucket: S3Bucket, prefix: string, after?: string) {
  const found = new Map<string, { key: string; versionId: string; versions: number }>();
  for await (const page of bucket.listVersions(prefix, { after }))
    for (const { key, versionId, isDeletion } of page.versions) {
      const known = found.get(key) ?? { key, versionId: '', versions: 0 };
      // Newest versions come first.
      found.set(key, {
        key,
        versionId: isDeletion ? known.versionId : versionId,
        versions: known.versions + 1,
      });
    }
  return [...found.values()].filter(({ versionId }) => versionId !== '');
}
