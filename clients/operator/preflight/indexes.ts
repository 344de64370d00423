import { CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { CLIENT_SETTINGS, call } from './aws-call.ts';
import { fault, ok, type Row } from './rows.ts';
import type { DeployedTable, TableTemplate, World } from './world.ts';

const CHECK = 'indexes';

/**
 * Compares the indexes of the deployed tables with those of the code: DynamoDB creates or deletes at most one index of a
 * table in an update, so CloudFormation would fail after it has changed other tables.
 */
export async function checkIndexes({ stacks, region, tables }: World): Promise<Row[]> {
  if (!(await stacks.describe('data'))) return [ok(CHECK, 'The deployment creates the tables.')];
  const client = new CloudFormationClient({ ...CLIENT_SETTINGS, region });
  const command = new GetTemplateCommand({ StackName: stacks.nameOf('data') });
  const { TemplateBody = '{}' } = await call('cloudformation:GetTemplate', () => client.send(command));
  const deployed: TableTemplate = JSON.parse(TemplateBody);
  const wanted = await tables();
  const changes = Object.entries(wanted.Resources ?? {}).flatMap(([id, { Properties }]) => {
    const before = deployed.Resources?.[id]?.Properties;
    const changed = before ? changesOf(before, Properties ?? {}) : [];
    return changed.length > 1 ? [`${id}: ${changed.join(', ')}`] : [];
  });
  if (changes.length === 0) return [ok(CHECK, 'No table gets more than one new or changed index.')];
  return [
    fault(
      CHECK,
      `DynamoDB creates or deletes only one index of a table at a time, but the deployment would make several changes: ${changes.join('; ')}.`,
      '# Deploy the changes of each table one after the other, each from a commit of its own.',
    ),
  ];
}

/** An index with other keys or attributes is deleted and created. */
function changesOf(before: DeployedTable, after: DeployedTable): string[] {
  const [old, wanted] = [described(before), described(after)];
  return [
    ...[...old].filter(([name, text]) => wanted.get(name) !== text).map(([name]) => `deletes ${name}`),
    ...[...wanted].filter(([name, text]) => old.get(name) !== text).map(([name]) => `creates ${name}`),
  ];
}

function described({ GlobalSecondaryIndexes = [] }: DeployedTable): Map<string, string> {
  return new Map(
    GlobalSecondaryIndexes.map(({ IndexName, KeySchema, Projection }) => [
      IndexName,
      JSON.stringify([KeySchema, Projection]),
    ]),
  );
}
