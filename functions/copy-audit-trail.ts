import type { DynamoDBStreamEvent } from 'aws-lambda';
import { stageArchive } from '../shared/audit/archive-bucket.ts';
import { auditRowsTable } from '../shared/audit/audit-rows-table.ts';
import { copyTrail } from '../shared/audit/copy-trail.ts';
import { setting } from '../shared/core/config.ts';
import { database } from '../shared/core/database.ts';
import { logFailure } from '../shared/core/log-failure.ts';

const client = database();
const table = auditRowsTable(client, setting('AUDIT_TRAIL_TABLE'));
const archive = stageArchive(client);

/** Runs for events of the audit trail's stream. If a person invokes it without events, copies all missing rows. */
export const handler = logFailure(({ Records }: Partial<DynamoDBStreamEvent>) =>
  copyTrail(Records, table, archive),
);
