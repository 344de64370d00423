import {
  DescribeTableCommand,
  DynamoDBClient,
  RestoreTableToPointInTimeCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { Command, Option } from 'commander';
import { operator } from '../admin/operator.ts';
import { type Place, stagePlace } from '../admin/place.ts';
import { STAGES, type Stage } from '../config.ts';

/**
 * `npm run restore -- --stage prod --to 2026-11-21T12:00:00Z`: restores the three tables as they were at one instant
 * into new ones beside them, gives these what a restore leaves out, and reconciles them. It changes nothing that is in
 * use: see docs/operations.md, "Restore". Exit code 1 where the restored books differ.
 */

/** A restore takes as long as the table is large. */
const WAIT_SECONDS = 6 * 3600;

type Names = Place['tables'];

const program = new Command('restore')
  .addOption(
    new Option('--stage <stage>').choices(STAGES.filter((stage) => stage !== 'local')).makeOptionMandatory(),
  )
  .requiredOption('--to <time>', 'ISO time with its zone; all three tables are restored to this instant')
  .action(async ({ stage, to }: { stage: Stage; to: string }) => restore(stage, readInstant(to)));

async function restore(stage: Stage, instant: Date): Promise<void> {
  const place = await stagePlace(stage);
  const client = new DynamoDBClient();
  const suffix = `-at-${instant.toISOString().replaceAll(/[^0-9TZ]/g, '')}`;
  const names = await forEach(place.tables, async (source) => {
    const target = source + suffix;
    await client.send(
      new RestoreTableToPointInTimeCommand({
        SourceTableName: source,
        TargetTableName: target,
        RestoreDateTime: instant,
      }),
    );
    say(`${source} is being restored as ${target}`);
    return target;
  });
  await forEach(names, (name) => finish(client, name));
  const { differences, wallets } = await operator({ ...place, tables: names }).reconcile();
  say(`${wallets} wallets were recomputed; ${differences.length} differences`);
  for (const difference of differences) say(JSON.stringify(difference));
  say(
    `restoredTables: ${JSON.stringify({ ApiKeys: names.apiKeys, Wallets: names.wallets, VerificationLogs: names.verificationLogs })}`,
  );
  if (differences.length > 0) process.exitCode = 1;
}

/** What DynamoDB leaves out of a restored table: expiry, its own backups, and protection. */
async function finish(client: DynamoDBClient, TableName: string): Promise<string> {
  await waitUntilTableExists({ client, maxWaitTime: WAIT_SECONDS, maxDelay: 30 }, { TableName });
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  if (Table?.TableStatus !== 'ACTIVE') throw new Error(`${TableName} is ${Table?.TableStatus}.`);
  await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true }));
  const TimeToLiveSpecification = { AttributeName: 'expiresAt', Enabled: true };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  await client.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }));
  say(`${TableName} is restored`);
  return TableName;
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
    throw new Error('--to is an ISO time with its zone, for example 2026-11-21T12:00:00Z.');
  return instant;
}

function say(words: string): void {
  process.stdout.write(`${words}\n`);
}

await program.parseAsync();
