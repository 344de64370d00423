import { DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { Command, InvalidArgumentError, Option } from 'commander';
import { STAGES, type Stage } from '../../infra/config.ts';
import { printable } from '../../shared/core/printable-text.ts';
import { operator } from '../../shared/operators/operator.ts';
import { accessStage } from './aws-profile.ts';
import { type Deployment, stageDeployment } from './deployment.ts';
import { counted } from './output.ts';
import { completeRestore, startRestore, streamOf } from './restored-table.ts';

const MAX_WAIT_SECONDS = 6 * 3600;

type TableNames = Deployment['tables'];

const DESCRIPTION = `Restore the tables of a stage to one point in time, as new tables, and reconcile them.

Tables in use do not change. If the command is interrupted, run it again with the same time to continue.`;

const EXIT_CODES = `
Exit codes:
  0  the tables are restored and the reconciliation found no differences, except
     holds of requests that were in progress at that time (old-hold)
  1  the command line is wrong, a table could not be restored, or the
     reconciliation found other differences`;

/** Builds the `restore` CLI. See docs/operate/restore.md. */
export function restoreProgram(): Command {
  return new Command('restore')
    .description(DESCRIPTION)
    .addOption(
      new Option(
        '--stage <stage>',
        'restore the tables of this stage. The AWS profile must belong to its account',
      )
        .choices(STAGES.filter((stage) => stage !== 'local'))
        .makeOptionMandatory(),
    )
    .requiredOption('--to <time>', 'restore to this time, for example 2026-11-21T12:00:00Z', parseInstant)
    .addHelpText('after', EXIT_CODES)
    .action(async ({ stage, to }: { stage: Stage; to: Date }) => restore(stage, to));
}

async function restore(stage: Stage, instant: Date): Promise<void> {
  const access = await accessStage(stage);
  const deployment = await stageDeployment(stage, access);
  const client = new DynamoDBClient({ region: access.region });
  const suffix = `-at-${instant.toISOString().replaceAll(/[^0-9TZ]/g, '')}`;
  await forEachTable(deployment.tables, async (source) => {
    const target = source + suffix;
    const isNew = await startRestore(client, { source, target, instant });
    printLine(`Restoring ${source} as ${target}${isNew ? '' : ' (started by an earlier run)'}`);
    return target;
  });
  const tables = await forEachTable(deployment.tables, async (source) => {
    const target = source + suffix;
    await waitUntilTableExists(
      { client, maxWaitTime: MAX_WAIT_SECONDS, maxDelay: 30 },
      { TableName: target },
    );
    await completeRestore(client, { source, target });
    printLine(`Restored ${target}`);
    return target;
  });
  // The archive also contains the rows of the audit trail that were written after the instant.
  const restored = { ...deployment, tables, archive: () => undefined };
  const { differences, wallets } = await operator(restored).reconcile();
  printLine(`Reconciled ${counted(wallets, 'wallet')}: ${counted(differences.length, 'difference')}`);
  for (const difference of differences) printLine(JSON.stringify(difference));
  const restoredTables = {
    ApiKeys: tables.apiKeys,
    Wallets: tables.wallets,
    VerificationLogs: tables.verificationLogs,
    AuditTrail: tables.auditTrail,
    AuditTrailStream: await streamOf(client, tables.auditTrail),
    Approvals: tables.approvals,
    Payments: tables.payments,
    Console: tables.console,
  };
  printLine(`restoredTables: ${JSON.stringify(restoredTables)}`);
  // Holds of requests that were in progress at that instant are older than 5 minutes by now.
  if (differences.some(({ kind }) => kind !== 'old-hold')) process.exitCode = 1;
}

async function forEachTable(names: TableNames, work: (name: string) => Promise<string>): Promise<TableNames> {
  const [apiKeys, wallets, verificationLogs, auditTrail, approvals, payments, console] = await Promise.all([
    work(names.apiKeys),
    work(names.wallets),
    work(names.verificationLogs),
    work(names.auditTrail),
    work(names.approvals),
    work(names.payments),
    work(names.console),
  ]);
  return { apiKeys, wallets, verificationLogs, auditTrail, approvals, payments, console };
}

function parseInstant(text: string): Date {
  const instant = new Date(text);
  if (Number.isNaN(instant.getTime()) || !/(Z|[+-]\d\d:\d\d)$/.test(text))
    throw new InvalidArgumentError(
      'It must be an ISO time with a time zone, for example 2026-11-21T12:00:00Z.',
    );
  return instant;
}

function printLine(text: string): void {
  process.stdout.write(`${printable(text)}\n`);
}
