import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { auditTable } from '../../shared/audit/audit-table.ts';
import { auditRecorder } from '../../shared/audit/recorder.ts';
import { REAL_CLOCK } from '../../shared/core/clock.ts';
import { auditKey } from '../../shared/core/keys.ts';
import { operator } from '../../shared/operators/operator.ts';
import { deploymentFrom } from '../support/deployment-from.ts';
import { linesSince } from '../support/log-lines.ts';
import { until } from '../support/until.ts';

/**
 * The audit trail and its archive over the wire: the stream of the table, the function that copies its rows, the bucket,
 * and both reconciliations. Someone with the rights of an administrator then changes the table.
 */

// The test damages the audit trail, so no other test may use the service.
process.env['OWN_SERVICE'] = '1';
const { localService } = await import('../support/local-service.ts');
const { adminAwsEnvironment, control, logFile } = await localService();
const deployment = deploymentFrom(adminAwsEnvironment);
const { client, tables } = deployment;
const archive = required(deployment.archive());
const admin = operator(deployment);
const run = { actor: 'ada', action: 'org create', commandId: '01KADA3CV5Y2M2J1Q0QW5PZ7Z4' };
const recorder = auditRecorder(auditTable(client, tables.auditTrail), run, REAL_CLOCK.nowMs);

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The service has no archive.');
  return value;
}

test('a row of the audit trail that an administrator changes or deletes is named by the next reconciliation', async () => {
  const recording = operator(deployment, { recorder });
  const { id } = await recording.createOrganisation('Kainji Pay');
  await recording.approve(id);
  await recording.suspend(id);
  const rows = (await admin.auditTrail({ organisationId: id })).toReversed();
  const [created, approved, suspended] = rows.map((row) => row.id);
  await until(async () => (await archive.listRows(id)).size === 3);
  expect((await admin.reconcile(id)).differences).toEqual([]);

  const TableName = tables.auditTrail;
  await client.send(new DeleteCommand({ TableName, Key: auditKey(id, created ?? '') }));
  await client.send(
    new UpdateCommand({
      TableName,
      Key: auditKey(id, approved ?? ''),
      UpdateExpression: 'SET actor = :bola',
      ExpressionAttributeValues: { ':bola': 'bola' },
    }),
  );
  await until(async () => (await archive.listChanges()).length === 2);

  const { differences } = await admin.reconcile(id);
  const found = differences.map(
    ({ kind, reference, organisation }) => `${kind} ${reference} ${organisation}`,
  );
  expect(found.sort()).toEqual(
    [
      `trail-changed ${approved} ${id}`,
      `trail-event ${approved} ${id}`,
      `trail-event ${created} ${id}`,
      `trail-removed ${created} ${id}`,
    ].sort(),
  );
  expect(differences).toContainEqual(
    expect.objectContaining({ kind: 'trail-removed', expected: 'org create by ada', found: 'none' }),
  );
  expect(differences).toContainEqual(
    expect.objectContaining({ kind: 'trail-changed', found: 'different: actor' }),
  );
  expect(JSON.stringify(differences)).not.toContain(suspended);

  const lines = linesSince(logFile);
  await control.runSchedule('reconcile-wallets');
  const named = lines('The reconciliation found a difference.').join('\n');
  for (const difference of differences) expect(named).toContain(`"kind":"${difference.kind}"`);
  expect(named).toContain(created);
  expect(named).toContain(approved);
  expect(named).not.toContain(suspended);
});
