import { DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { Command, InvalidArgumentError, Option } from 'commander';
import { STAGES, type Stage } from '../../infra/config.ts';
import { type Deployment, stageDeployment } from './deployment.ts';
import { operator } from './operator.ts';
import { complete, startRestore } from './restored-table.ts';

/**
 * `npm run restore -- --stage prod --to 2026-11-21T12:00:00Z`: restores the three tables as they were at one instant
 * into new ones beside them, gives these what a restore leaves out, and reconciles them. It changes nothing that is in
 * use, and run again it goes on where it was stopped: see docs/operations.md, "Restore". Exit code 1 where the restored
 * books differ, or a table could not be restored.
 */

/** A restore takes as long as the table is large. */
const WAIT_SECONDS = 6 * 3600;

type Names = Deployment['tables'];

const program = new Command('restore')
  .addOption(
    new Option('--stage <stage>').choices(STAGES.filter((stage) => stage !== 'local')).makeOptionMandatory(),
  )
  .requiredOption(
    '--to <time>',
    'ISO time with its zone; all three tables are restored to this instant',
    readInstant,
  )
  .action(async ({ stage, to }: { stage: Stage; to: Date }) => restore(stage, to));

async function restore(stage: Stage, instant: Date): Promise<void> {
  const deployment = await stageDeployment(stage);
  const client = new DynamoDBClient();
  const suffix = `-at-${instant.toISOString().replaceAll(/[^0-9TZ]/g, '')}`;
  await forEach(deployment.tables, async (source) => {
    const isNew = await startRestore(client, { source, target: source + suffix, instant });
    say(`${source} is being restored as ${source + suffix}${isNew ? '' : ', since an earlier run'}`);
    return source;
  });
  const names = await forEach(deployment.tables, async (source) => {
    const TableName = source + suffix;
    await waitUntilTableExists({ client, maxWaitTime: WAIT_SECONDS, maxDelay: 30 }, { TableName });
    await complete(client, { source, target: TableName });
    say(`${TableName} is restored`);
    return TableName;
  });
  const { differences, wallets } = await operator({ ...deployment, tables: names }).reconcile();
  say(`${wallets} wallets were recomputed; ${differences.length} differences`);
  for (const difference of differences) say(JSON.stringify(difference));
  const { apiKeys: ApiKeys, wallets: Wallets, verificationLogs: VerificationLogs } = names;
  say(`restoredTables: ${JSON.stringify({ ApiKeys, Wallets, VerificationLogs })}`);
  if (differences.length > 0) process.exitCode = 1;
}

async function forEach(names: Names, work: (name: string) => Promise<string>): Promise<Names> {
  const [apiKeys, wallets, verificationLogs] = await Promise.all([
    work(names.apiKeys),
    work(names.wallets),
    work(names.verificationLogs),
  ]);
  return { apiKeys, wallets, verificationLogs };
}

function readInstant(text: string): Date {
  const instant = new Date(text);
  if (Number.isNaN(instant.getTime()) || !/(Z|[+-]\d\d:\d\d)$/.test(text))
    throw new InvalidArgumentError('It is an ISO time with its zone, for example 2026-11-21T12:00:00Z.');
  return instant;
}

function say(words: string): void {
  process.stdout.write(`${words}\n`);
}

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
