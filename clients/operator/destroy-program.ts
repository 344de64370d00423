import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { Command, InvalidArgumentError, Option } from 'commander';
import { printable } from '../../shared/core/printable-text.ts';
import { accessStage } from './aws-profile.ts';
import { confirmName } from './confirm.ts';
import {
  deleteRetained,
  deleteStacks,
  deletionOrder,
  RECOVERY_DAYS,
  rejectBusyStacks,
} from './delete-stage.ts';
import { table } from './output.ts';
import { type AwsClients, findResources, type StageResources } from './stage-resources.ts';

/** Other stages hold customer records, or are used to rehearse recovery. */
const STAGE = 'dev';

const DESCRIPTION = `Delete the dev stage from AWS, with all of its data.

It deletes only resources with the tags of the stage. If the command is interrupted, run it again to continue.`;

const EXIT_CODES = `
Exit codes:
  0  nothing is left, except for what the command lists at the end
  1  the command line is wrong, the operator did not confirm, or something could
     not be deleted`;

const REMAINS = `Not deleted, because they belong to the account and other stages may use them:
- the role that API Gateway uses to write its logs, and the setting that names it
- the stack CDKToolkit, with the code of the functions in its bucket
- the identity provider for GitHub, if the delivery stack created it
- certificates that the stage created for its domains, and their validation records
Not deleted either: the bucket with the archive of the audit trail. Its objects cannot be
deleted in their first day. Empty and delete it in the S3 console after that.
AWS also keeps metrics and traces until they expire.`;

interface Options {
  readonly stage: typeof STAGE;
  readonly yes?: string;
}

/** Builds the `destroy` CLI. See docs/operations.md, "Destroy a dev stage". */
export function destroyProgram(): Command {
  return new Command('destroy')
    .description(DESCRIPTION)
    .addOption(
      new Option('--stage <stage>', 'the stage to delete: dev. The AWS profile must belong to its account')
        .argParser(parseStage)
        .makeOptionMandatory(),
    )
    .option('--yes <stage>', 'do not ask for confirmation. Repeat the name of the stage: --yes dev')
    .addHelpText('after', EXIT_CODES)
    .action(destroy);
}

function parseStage(text: string): typeof STAGE {
  if (text === STAGE) return STAGE;
  throw new InvalidArgumentError(
    'Only dev can be deleted with this command. Other stages hold customer records, or are used to rehearse recovery.',
  );
}

async function destroy({ stage, yes }: Options): Promise<void> {
  if (yes !== undefined && yes !== stage)
    throw new Error(`\`--yes\` must repeat the name of the stage: \`--yes ${stage}\`. Nothing was deleted.`);
  const { region, account } = await accessStage(stage);
  const place = `the ${stage} stage in the account ${account} and the region ${region}`;
  const clients = clientsIn(region);
  const found = await findResources(clients, stage);
  if (found.untagged.length > 0)
    say(`Not deleted, because they do not have the tags of the stage: ${found.untagged.join(', ')}`);
  if (isEmpty(found)) {
    say(`Found no resources of ${place}.`);
    return;
  }
  rejectBusyStacks(found.stacks);
  process.stdout.write(`${overview(found)}\n`);
  const question = `Delete ${place}, with all of its data?`;
  if (yes === undefined) await confirmName(question, stage, { input: process.stdin, output: process.stderr });
  await deleteStacks(clients.cloudFormation, found.stacks, say);
  await deleteRetained(clients, await findResources(clients, stage), say);
  // AWS has scheduled the deletion of the secrets and keys, but may not show this at once.
  const left = { ...(await findResources(clients, stage)), secrets: [], keys: [] };
  if (!isEmpty(left))
    throw new Error(`Some resources are left:\n${overview(left)}\nRun the command again to continue.`);
  say(`Deleted ${place}.`);
  process.stdout.write(`${REMAINS}\n`);
}

function clientsIn(region: string): AwsClients {
  return {
    cloudFormation: new CloudFormationClient({ region }),
    dynamoDb: new DynamoDBClient({ region }),
    secrets: new SecretsManagerClient({ region }),
    keys: new KMSClient({ region }),
    logs: new CloudWatchLogsClient({ region }),
    userPools: new CognitoIdentityProviderClient({ region }),
  };
}

function isEmpty({ stacks, tables, secrets, keys, logGroups, userPools }: StageResources): boolean {
  return [stacks, tables, secrets, keys, logGroups, userPools].every(({ length }) => length === 0);
}

function overview({ stacks, tables, secrets, keys, logGroups, userPools }: StageResources): string {
  const later = `in ${RECOVERY_DAYS} days`;
  const rows = (kind: string, names: readonly string[], when: string) =>
    names.map((name) => [kind, name, when]);
  return table(
    ['kind', 'name', 'deleted'],
    [
      ...rows(
        'stack',
        deletionOrder(stacks).map(({ name }) => name),
        'now',
      ),
      ...rows('table', tables, 'now; DynamoDB keeps its system backup for 35 days'),
      ...rows('secret', secrets, later),
      ...rows('key', keys, later),
      ...rows('user pool', userPools, 'now, with everyone who signed up'),
      ...rows('log group', logGroups, 'now'),
    ],
  );
}

function say(text: string): void {
  process.stdout.write(`${printable(text)}\n`);
}
