import { DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { Command, InvalidArgumentError, Option } from 'commander';
import { STAGES, type Stage } from '../../infra/config.ts';
import { printable } from '../../shared/core/printable-text.ts';
import { operator } from '../../shared/operators/operator.ts';
import { accessStage } from './aws-profile.ts';
import { backupVault, type RecoveryPoint } from './backup-vault.ts';
import { type Deployment, stageDeployment } from './deployment.ts';
import { counted } from './output.ts';
import { completeRestore, startRestore, streamOf, tableExists } from './restored-table.ts';

const MAX_WAIT_SECONDS = 6 * 3600;

type TableNames = Deployment['tables'];

const DESCRIPTION = `Restore the tables of a stage as new tables, to one point in time or from copies in
a vault of AWS Backup, and reconcile them.

Tables in use do not change. If the command is interrupted, run it again with the same time, or while the
copies are still the newest, to continue.`;

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
    .option('--to <time>', 'restore to this time, for example 2026-11-21T12:00:00Z', parseInstant)
    .option('--from-vault <name>', 'restore the newest copies in this vault of the account and region')
    .option(
      '--role <arn>',
      'the role with which AWS Backup restores. Default: the default role of AWS Backup',
    )
    .addHelpText('after', EXIT_CODES)
    .action(async ({ stage, ...from }: Options) => restore(stage, from));
}

interface From {
  readonly to?: Date;
  readonly fromVault?: string;
  readonly role?: string;
}
type Options = From & { readonly stage: Stage };

async function restore(stage: Stage, { to, fromVault, role }: From): Promise<void> {
  if ((to === undefined) === (fromVault === undefined)) throw new Error('Use either --to or --from-vault.');
  const access = await accessStage(stage);
  const deployment = await stageDeployment(stage, access);
  const client = new DynamoDBClient({ region: access.region });
  const targets = to
    ? await forEachTable(deployment.tables, (source) => restoreTo(client, source, to))
    : await restoreCopies(client, deployment.tables, {
        vault: vaultOf(fromVault ?? '', access.region, client),
        role: role ?? `arn:aws:iam::${access.account}:role/service-role/AWSBackupDefaultServiceRole`,
      });
  const tables = await forEachTable(deployment.tables, async (source, name) => {
    const target = targets[name];
    await waitUntilTableExists(
      { client, maxWaitTime: MAX_WAIT_SECONDS, maxDelay: 30 },
      { TableName: target },
    );
    await completeRestore(client, { source, target, setsKey: fromVault !== undefined });
    printLine(`Restored ${target}`);
    return target;
  });
  // The archive also contains the rows of the audit trail that were written after the instant.
  const restored = { ...deployment, tables, archive: () => undefined };
  const { differences, wallets } = await operator(restored).reconcile();
  printLine(`Reconciled ${counted(wallets, 'wallet')}: ${counted(differences.length, 'difference')}`);
  for (const difference of differences) printLine(JSON.stringify(difference));
  const named = Object.entries(tables).map(([name, table]) => [
    LOGICAL_NAMES[name as keyof TableNames],
    table,
  ]);
  const AuditTrailStream = await streamOf(client, tables.auditTrail);
  const restoredTables = { ...Object.fromEntries(named), AuditTrailStream };
  printLine(`restoredTables: ${JSON.stringify(restoredTables)}`);
  // Holds of requests that were in progress at that instant are older than 5 minutes by now.
  if (differences.some(({ kind }) => kind !== 'old-hold')) process.exitCode = 1;
}

/** Starts the restore of one table, and returns the name of the new one. */
async function restoreTo(client: DynamoDBClient, source: string, instant: Date): Promise<string> {
  const target = `${source}-at-${compact(instant)}`;
  const isNew = await startRestore(client, { source, target, instant });
  printLine(`Restoring ${source} as ${target}${isNew ? '' : ' (started by an earlier run)'}`);
  return target;
}

interface Copies {
  readonly vault: ReturnType<typeof backupVault>;
  readonly role: string;
}

/** Finds the newest copy of every table first, so that nothing is restored if one is missing. */
async function restoreCopies(
  client: DynamoDBClient,
  tables: TableNames,
  { vault, role }: Copies,
): Promise<TableNames> {
  const points = new Map<string, RecoveryPoint>();
  await forEachTable(tables, async (source, name) => {
    points.set(source, await vault.newestOf(LOGICAL_NAMES[name]));
    return source;
  });
  return forEachTable(tables, async (source) => {
    const point = points.get(source) as RecoveryPoint;
    const target = `${source}-copy-${compact(point.createdAt)}`;
    printLine(`Restoring the copy of ${point.createdAt.toISOString()} as ${target}`);
    if (!(await tableExists(client, target))) await vault.restore(point, target, role);
    return target;
  });
}

function vaultOf(name: string, region: string, { config }: DynamoDBClient) {
  const endpoint = process.env['AWS_ENDPOINT_URL_BACKUP'] ?? `https://backup.${region}.amazonaws.com`;
  return backupVault({ name, endpoint, config });
}

const compact = (time: Date) => time.toISOString().replaceAll(/[^0-9TZ]/g, '');

/** In the data stack. */
const LOGICAL_NAMES: TableNames = {
  apiKeys: 'ApiKeys',
  wallets: 'Wallets',
  verificationLogs: 'VerificationLogs',
  auditTrail: 'AuditTrail',
  approvals: 'Approvals',
  payments: 'Payments',
  console: 'Console',
};

async function forEachTable(
  names: TableNames,
  work: (physicalName: string, name: keyof TableNames) => Promise<string>,
): Promise<TableNames> {
  const keys = Object.keys(LOGICAL_NAMES) as (keyof TableNames)[];
  const done = await Promise.all(keys.map(async (name) => [name, await work(names[name], name)] as const));
  return { ...names, ...Object.fromEntries(done) };
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
