import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { synthesize } from './synthesis.ts';

const PAGE = join(fileURLToPath(new URL('../..', import.meta.url)), 'docs/operate/data-stack-deleted.md');

/** For each type, the property that identifies a resource to import. */
const IDENTIFIERS: Readonly<Record<string, string>> = {
  'AWS::Cognito::UserPool': 'UserPoolId',
  'AWS::DynamoDB::GlobalTable': 'TableName',
  'AWS::KMS::Key': 'KeyId',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::S3::BucketPolicy': 'Bucket',
  'AWS::SecretsManager::Secret': 'Id',
};

test('the mapping in docs/operate/data-stack-deleted.md imports every resource of the data stack, except secrets of providers', () => {
  const [, json = ''] = /```json\n([\s\S]*?)```/.exec(readFileSync(PAGE, 'utf8')) ?? [];
  const mapping = JSON.parse(json) as Record<string, Record<string, string>>;
  const { Resources } = synthesize('prod').data.toJSON() as {
    Resources: Record<string, { Type: string; DeletionPolicy: string }>;
  };
  const resources = Object.entries(Resources).filter(([logicalId]) => !logicalId.startsWith('Registry'));
  const expected = resources.map(([logicalId, { Type }]) => [logicalId, IDENTIFIERS[Type]]);
  const documented = Object.entries(mapping).map(([logicalId, value]) => [logicalId, ...Object.keys(value)]);
  expect(documented.sort()).toEqual(expected.sort());
  // CloudFormation imports only resources with one of these deletion policies.
  for (const { DeletionPolicy } of Object.values(Resources))
    expect(['Retain', 'RetainExceptOnCreate']).toContain(DeletionPolicy);
});
