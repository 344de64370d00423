import type { DynamoDBRecord } from 'aws-lambda';
import { type Row, rowOfImage } from '../core/database.ts';
import { APPROVALS_PK } from '../core/keys.ts';
import { logger } from '../core/logger.ts';
import { onlyAboveZero, publishMetrics } from '../core/metrics.ts';
import { type RowChange, type TrailArchive, trailKeyOf } from './archive.ts';
import type { AuditRowsTable } from './audit-rows-table.ts';

interface CopyReport {
  readonly copied: number;
  /** The error of the first row that was neither copied nor recorded. */
  readonly error?: unknown;
  /** In the stream, or as a difference from a copy. */
  readonly changes: readonly Pick<RowChange, 'event' | 'pk' | 'sk'>[];
}

/** With more, the bucket is unavailable. */
const MOST_ERRORS = 3;

/**
 * Copies new rows, and records every other change. One that fails does not keep those after it from being copied: Lambda
 * sends its events again for up to 24 hours, and others of the shard only once it has given up.
 */
export async function copyEvents(
  records: readonly DynamoDBRecord[],
  archive: Pick<TrailArchive, 'putRow' | 'putChange'>,
): Promise<CopyReport> {
  let copied = 0;
  const changes: RowChange[] = [];
  const errors: unknown[] = [];
  for (const record of records) {
    const change = changeOf(record);
    // Approvals of earlier versions may still expire here.
    if (change.pk === APPROVALS_PK) continue;
    const key = change.event === 'INSERT' && change.after ? trailKeyOf(change.after) : undefined;
    try {
      const result = key && change.after ? await archive.putRow(key, change.after) : 'differs';
      if (result === 'copied') copied += 1;
      if (result !== 'differs') continue;
      await archive.putChange(record.eventID ?? '', change);
      changes.push(change);
    } catch (error) {
      errors.push(error);
      if (errors.length === MOST_ERRORS) break;
    }
  }
  return { copied, changes, ...(errors.length > 0 && { error: errors[0] }) };
}

function changeOf({ eventName = 'MODIFY', dynamodb = {} }: DynamoDBRecord): RowChange {
  const { pk, sk } = rowOfImage(dynamodb.Keys) ?? {};
  const [before, after] = [rowOfImage(dynamodb.OldImage), rowOfImage(dynamodb.NewImage)];
  const at = new Date((dynamodb.ApproximateCreationDateTime ?? 0) * 1000).toISOString();
  return {
    event: eventName,
    pk: String(pk),
    sk: String(sk),
    at,
    ...(before && { before }),
    ...(after && { after }),
  };
}

const PARALLEL = 16;

/** For example if the trail is older than the archive. */
export async function copyAll(
  table: Pick<AuditRowsTable, 'rowPages'>,
  archive: Pick<TrailArchive, 'putRow'>,
): Promise<CopyReport> {
  let copied = 0;
  const changes: CopyReport['changes'][number][] = [];
  const errors: unknown[] = [];
  const copyRow = async (row: Row) => {
    const key = trailKeyOf(row);
    const result = key && (await archive.putRow(key, row).catch((error) => void errors.push(error)));
    if (result === 'copied') copied += 1;
    if (result === 'differs') changes.push({ event: 'MODIFY', pk: String(row['pk']), sk: String(row['sk']) });
  };
  for await (const page of table.rowPages())
    for (let first = 0; first < page.length && errors.length < MOST_ERRORS; first += PARALLEL)
      await Promise.all(page.slice(first, first + PARALLEL).map(copyRow));
  return { copied, changes, ...(errors.length > 0 && { error: errors[0] }) };
}

/** All missing rows if there are no events. If it throws, Lambda sends the events again. */
export async function copyTrail(
  records: readonly DynamoDBRecord[] | undefined,
  table: Pick<AuditRowsTable, 'rowPages'>,
  archive: Pick<TrailArchive, 'putRow' | 'putChange'>,
): Promise<void> {
  const { copied, changes, error } = await (records ? copyEvents(records, archive) : copyAll(table, archive));
  for (const { event: kind, pk, sk } of changes)
    logger.error('A row of the audit trail was changed.', { kind, pk, sk });
  logger.info('audit trail', { copied, changed: changes.length });
  publishMetrics({ values: onlyAboveZero({ changedAuditRows: changes.length }) });
  if (error !== undefined) throw error;
}
