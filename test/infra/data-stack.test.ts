import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { StageConfig } from '../../infra/config.ts';
import { LISTED_ATTRIBUTES } from '../../shared/verifications/listed-log.ts';
import { outsideJest } from '../support/outside-jest.ts';
import { MONEY } from './money.ts';
import { dataStackAlone, Match, type Properties, resourcesOf, synthesize, Template } from './synthesis.ts';

const LISTED = `INCLUDE ${LISTED_ATTRIBUTES.join()}`;

/**
 * Every table, with its indexes and the attribute at which rows expire. AuditTrail and Payments have none: whoever can
 * put a row could make it expire, and in Payments, `expiresAt` of orders and lots has a different meaning.
 */
const TABLES: Readonly<Record<string, object>> = {
  ApiKeys: { expiry: 'expiresAt' },
  Wallets: {
    expiry: 'expiresAt',
    statement: 'statementKey HASH, statementSort RANGE: ALL',
    wallets: 'walletsKey HASH, pk RANGE: KEYS_ONLY',
  },
  VerificationLogs: {
    expiry: 'expiresAt',
    byRequest: 'requestKey HASH: ALL',
    byTime: `timeKey HASH, timeSort RANGE: ${LISTED}`,
    byReference: `referenceKey HASH, timeSort RANGE: ${LISTED}`,
  },
  // Off rather than absent, because CloudFormation leaves expiry on otherwise.
  AuditTrail: { expiry: 'off', stream: 'NEW_AND_OLD_IMAGES' },
  Approvals: { expiry: 'expiresAt' },
  Payments: { due: 'dueKey HASH, dueSort RANGE: KEYS_ONLY', orders: 'ordersKey HASH, ordersSort RANGE: ALL' },
  Console: { expiry: 'expiresAt' },
};
const TABLE_NAMES = Object.keys(TABLES);

const { data } = synthesize();
const tables = resourcesOf(data, 'AWS::DynamoDB::GlobalTable');
const secrets = resourcesOf(data, 'AWS::SecretsManager::Secret');

interface Index {
  readonly IndexName: string;
  readonly KeySchema: readonly { readonly AttributeName: string; readonly KeyType: string }[];
  readonly Projection: { readonly ProjectionType: string; readonly NonKeyAttributes?: readonly string[] };
}

const keysOf = ({ KeySchema }: Pick<Index, 'KeySchema'>) =>
  KeySchema.map(({ AttributeName, KeyType }) => `${AttributeName} ${KeyType}`).join(', ');

/** Describes a table as `TABLES` does, without the properties that all tables share. */
function described(table: Properties): object {
  const { AttributeName, Enabled } = Object(table['TimeToLiveSpecification']);
  const stream = Object(table['StreamSpecification'])['StreamViewType'];
  const indexes = ((table['GlobalSecondaryIndexes'] ?? []) as Index[]).map((index) => {
    const { ProjectionType, NonKeyAttributes = [] } = index.Projection;
    return [
      index.IndexName,
      `${keysOf(index)}: ${[ProjectionType, NonKeyAttributes.join()].join(' ').trim()}`,
    ];
  });
  return {
    ...(AttributeName && { expiry: Enabled ? AttributeName : 'off' }),
    ...(stream && { stream }),
    ...Object.fromEntries(indexes),
  };
}

describe('the data stack', () => {
  test('contains tables, the archive of the audit trail, the user pool, secrets, a key and nothing else', () => {
    const types = Object.values(data.toJSON()['Resources'] as Record<string, { Type: string }>).map(
      ({ Type }) => Type,
    );

    expect(new Set(types)).toEqual(
      new Set([
        'AWS::Cognito::UserPool',
        'AWS::DynamoDB::GlobalTable',
        'AWS::KMS::Key',
        'AWS::S3::Bucket',
        'AWS::S3::BucketPolicy',
        'AWS::SecretsManager::Secret',
      ]),
    );
  });

  test('has the tables, expiry, streams and indexes in the table above, and no others', () => {
    const found = [...tables.values()].map(({ Metadata, Properties }) => [
      Metadata['aws:cdk:path'].split('/')[1],
      described(Properties),
    ]);
    expect(Object.fromEntries(found)).toEqual(TABLES);
    for (const hidden of ['consent', 'reason', 'idempotencyHash', 'requestKey'])
      expect(LISTED_ATTRIBUTES).not.toContain(hidden);
  });

  test('makes every table restorable, encrypted, tagged and billed on demand, with the keys pk and sk', () => {
    for (const { Metadata, Properties } of tables.values()) {
      const [replica, ...others] = Properties['Replicas'] as Properties[];
      expect(others).toEqual([]);
      expect(replica).toMatchObject({
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        Tags: [
          { Key: 'service', Value: 'identity-verification' },
          { Key: 'stage', Value: 'prod' },
        ],
      });
      expect(Properties).toMatchObject({
        BillingMode: 'PAY_PER_REQUEST',
      });
      // Only the customer-managed key costs money for each use (docs/operate/key-of-the-stage.md).
      expect(Properties['SSESpecification']).toEqual(
        Metadata['aws:cdk:path'].includes('/VerificationLogs/')
          ? { SSEEnabled: true, SSEType: 'KMS' }
          : { SSEEnabled: false },
      );
      expect(keysOf(Properties as unknown as Index)).toBe('pk HASH, sk RANGE');
      const attributes = Properties['AttributeDefinitions'] as { AttributeType: string }[];
      expect(attributes.every(({ AttributeType }) => AttributeType === 'S')).toBe(true);
    }
  });

  test('has the tables with which the preflight compares the deployed ones', () => {
    const file = join(import.meta.dirname, '../../infra/constructs/data/table-template.ts');
    const { tableTemplate } =
      outsideJest<typeof import('../../infra/constructs/data/table-template.ts')>(file);
    const compared = resourcesOf(Template.fromJSON(tableTemplate()), 'AWS::DynamoDB::GlobalTable');
    const indexesOf = (all: typeof tables) =>
      [...all].map(([id, { Properties }]) => [id, Properties['GlobalSecondaryIndexes']]);
    expect(indexesOf(compared)).toEqual(indexesOf(tables));
  });

  test('has the warm throughput of the setting for a table and an index', () => {
    const [table, index] = [20_000, 30_000].map((writeUnitsPerSecond) => ({
      readUnitsPerSecond: 12_000,
      writeUnitsPerSecond,
    }));
    const warmThroughput = { Wallets: table, 'Wallets.statement': index } as StageConfig['warmThroughput'];
    const warmed = resourcesOf(synthesize('prod', { warmThroughput }).data, 'AWS::DynamoDB::GlobalTable');
    const found = [...warmed.values()].flatMap(({ Properties }) => {
      const indexes = (Properties['GlobalSecondaryIndexes'] ?? []) as { WarmThroughput?: object }[];
      return [Properties, ...indexes].flatMap(({ WarmThroughput: one }) => one ?? []);
    });
    const units = (write: number) => ({ ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: write });
    expect(found).toEqual([units(20_000), units(30_000)]);
  });

  test('keeps copies of the audit trail that nobody can delete or replace for seven years', () => {
    const [bucket] = resourcesOf(data, 'AWS::S3::Bucket').values();
    expect(bucket).toMatchObject({
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        ObjectLockEnabled: true,
        ObjectLockConfiguration: {
          ObjectLockEnabled: 'Enabled',
          Rule: { DefaultRetention: { Mode: 'COMPLIANCE', Days: 2_557 } },
        },
        VersioningConfiguration: { Status: 'Enabled' },
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
        },
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
      },
    });
    const [policy] = resourcesOf(data, 'AWS::S3::BucketPolicy').values();
    const document = policy?.Properties['PolicyDocument'];
    expect(Object(document)['Statement']).toMatchObject([
      { Effect: 'Deny', Action: 's3:*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
      { Effect: 'Deny', Action: 's3:PutObject', Condition: { Null: { 's3:if-none-match': 'true' } } },
    ]);
  });

  test.each([
    ['dev', 'Delete', 'Delete', false],
    ['staging', 'Retain', 'RetainExceptOnCreate', true],
    ['prod', 'Retain', 'RetainExceptOnCreate', true],
  ])(
    'of %s has the policy %s for tables and people, %s for keys and secrets, and its protection is %s',
    (stage, policy, other, isProtected) => {
      const { data: found, dataIsProtected } = synthesize(stage);
      const resources = (type: string) => [...resourcesOf(found, type).values()];
      const [pools, globalTables] = [
        resources('AWS::Cognito::UserPool'),
        resources('AWS::DynamoDB::GlobalTable'),
      ];

      expect(dataIsProtected).toBe(isProtected);
      // A rollback could not delete a protected one.
      for (const resource of [...pools, ...globalTables])
        expect(resource).toMatchObject({ DeletionPolicy: policy, UpdateReplacePolicy: policy });
      for (const resource of [...resources('AWS::KMS::Key'), ...resources('AWS::SecretsManager::Secret')])
        expect(resource).toMatchObject({ DeletionPolicy: other, UpdateReplacePolicy: policy });
      for (const { Properties } of globalTables)
        expect(Properties).toMatchObject({ Replicas: [{ DeletionProtectionEnabled: isProtected }] });
      for (const { Properties } of pools)
        expect(Properties).toMatchObject({ DeletionProtection: isProtected ? 'ACTIVE' : 'INACTIVE' });
      for (const archive of resources('AWS::S3::Bucket'))
        expect(archive).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate' });
    },
  );

  test('contains no secret value', () => {
    expect(secrets.size).toBe(12);
    for (const { Properties } of secrets.values())
      expect([undefined, '{}']).toContain(Properties['SecretString']);
  });

  test('lets Secrets Manager generate the pepper and the slip, sandbox, webhook and card keys under "current"', () => {
    const generated = [...secrets.values()].flatMap(
      ({ Properties }) => Properties['GenerateSecretString'] ?? [],
    );

    expect(generated).toHaveLength(5);
    for (const rule of generated) {
      expect(rule).toMatchObject({
        GenerateStringKey: 'current',
        SecretStringTemplate: '{}',
        PasswordLength: 64,
      });
    }
  });

  test.each([
    ['prod', {}, '10000'],
    ['dev', {}, '10000'],
    ['staging', {}, '10000'],
    ['local', {}, 'off'],
    ['local', { secondPerson: { creditsAbove: 0 } }, '0'],
  ] as const)('of %s with the extra settings %j outputs SecondPersonAbove as %s', (stage, changes, above) => {
    synthesize(stage, changes).data.hasOutput('SecondPersonAbove', { Value: above });
  });

  test('outputs the settings that the CLI needs', () => {
    data.hasOutput('LogRetentionDays', { Value: '365' });
    data.hasOutput('Money', { Value: 'off' });
    const { money } = MONEY;
    synthesize('prod', { money }).data.hasOutput('Money', { Value: JSON.stringify(money) });
  });

  test('outputs the names of the tables', () => {
    for (const name of TABLE_NAMES) data.hasOutput(`${name}Table`, {});
  });
});

test('the data stack exports every table, secret and key, even if no other stack imports them', () => {
  const alone = dataStackAlone();
  const exported = Object.values(alone.findOutputs('*', { Export: Match.anyValue() })).map(
    ({ Value }) => Value,
  );
  const idsOf = (type: string) => [...resourcesOf(alone, type).keys()];
  const tableIds = idsOf('AWS::DynamoDB::GlobalTable');

  expect(tableIds).toHaveLength(7);
  for (const id of [...tableIds, ...idsOf('AWS::SecretsManager::Secret')])
    expect(exported).toContainEqual({ Ref: id });
  for (const id of [...tableIds, ...idsOf('AWS::KMS::Key')])
    expect(exported).toContainEqual({ 'Fn::GetAtt': [id, 'Arn'] });
});
