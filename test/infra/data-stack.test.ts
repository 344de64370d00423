import { describe, expect, test } from '@jest/globals';
import { LISTED_ATTRIBUTES } from '../../shared/verifications/listed-log.ts';
import { dataStackAlone, Match, resourcesOf, synthesize } from './synthesis.ts';

const TABLE_NAMES = [
  'ApiKeys',
  'Wallets',
  'VerificationLogs',
  'AuditTrail',
  'Approvals',
  'Payments',
  'Console',
];

const { data } = synthesize();
const tables = resourcesOf(data, 'AWS::DynamoDB::GlobalTable');
const secrets = resourcesOf(data, 'AWS::SecretsManager::Secret');

function table(name: string) {
  const found = [...tables.values()].find(({ Metadata }) => Metadata['aws:cdk:path'].includes(`/${name}/`));
  if (!found) throw new Error(`There is no table ${name}.`);
  return found.Properties;
}

describe('the data stack', () => {
  test('contains seven tables, the archive of the audit trail, the user pool, secrets, a key and nothing else', () => {
    const types = Object.values(data.toJSON()['Resources'] as Record<string, { Type: string }>).map(
      ({ Type }) => Type,
    );

    expect(tables.size).toBe(7);
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

  test.each(TABLE_NAMES)(
    'makes %s retained, protected, restorable, encrypted, tagged and billed on demand',
    (name) => {
      const [resource] = [...tables.values()].filter(({ Properties }) => Properties === table(name));
      const [replica, ...others] = table(name)['Replicas'] as Record<string, unknown>[];

      expect(resource).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
      expect(others).toEqual([]);
      expect(replica).toMatchObject({
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        Tags: [
          { Key: 'service', Value: 'identity-verification' },
          { Key: 'stage', Value: 'prod' },
        ],
      });
      expect(table(name)).toMatchObject({
        BillingMode: 'PAY_PER_REQUEST',
        SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
      });
    },
  );

  test.each(TABLE_NAMES)(
    'gives %s the keys pk and sk, and lets rows expire except in AuditTrail and Payments',
    (name) => {
      expect(table(name)).toMatchObject({
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
      });
      // Whoever can put a row could make it expire. In Payments, orders and lots have an `expiresAt` with a different
      // meaning.
      const expiry = { AttributeName: 'expiresAt', Enabled: name !== 'AuditTrail' };
      expect(table(name)['TimeToLiveSpecification']).toEqual(name === 'Payments' ? undefined : expiry);
      const attributes = table(name)['AttributeDefinitions'] as { AttributeType: string }[];
      expect(attributes.every(({ AttributeType }) => AttributeType === 'S')).toBe(true);
    },
  );

  test('keeps copies of the audit trail that nobody can delete or replace for seven years', () => {
    const [bucket] = resourcesOf(data, 'AWS::S3::Bucket').values();
    expect(bucket).toMatchObject({
      DeletionPolicy: 'Retain',
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

  test('gives only AuditTrail a stream, with the rows before and after each change', () => {
    const streams = TABLE_NAMES.map((name) => [name, table(name)['StreamSpecification']]);
    expect(streams.filter(([, stream]) => stream)).toEqual([
      ['AuditTrail', { StreamViewType: 'NEW_AND_OLD_IMAGES' }],
    ]);
  });

  test('has exactly these indexes', () => {
    expect(table('ApiKeys')['GlobalSecondaryIndexes']).toBeUndefined();
    expect(table('AuditTrail')['GlobalSecondaryIndexes']).toBeUndefined();
    expect(table('Approvals')['GlobalSecondaryIndexes']).toBeUndefined();
    expect(table('Console')['GlobalSecondaryIndexes']).toBeUndefined();
    expect(table('Wallets')['GlobalSecondaryIndexes']).toEqual([
      {
        IndexName: 'statement',
        KeySchema: [
          { AttributeName: 'statementKey', KeyType: 'HASH' },
          { AttributeName: 'statementSort', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      },
      {
        IndexName: 'wallets',
        KeySchema: [
          { AttributeName: 'walletsKey', KeyType: 'HASH' },
          { AttributeName: 'pk', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ]);
    const listed = [...LISTED_ATTRIBUTES];
    expect(table('VerificationLogs')['GlobalSecondaryIndexes']).toEqual([
      {
        IndexName: 'byRequest',
        KeySchema: [{ AttributeName: 'requestKey', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
      },
      {
        IndexName: 'byTime',
        KeySchema: [
          { AttributeName: 'timeKey', KeyType: 'HASH' },
          { AttributeName: 'timeSort', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: listed },
      },
      {
        IndexName: 'byReference',
        KeySchema: [
          { AttributeName: 'referenceKey', KeyType: 'HASH' },
          { AttributeName: 'timeSort', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: listed },
      },
    ]);
    expect(table('Payments')['GlobalSecondaryIndexes']).toEqual([
      {
        IndexName: 'due',
        KeySchema: [
          { AttributeName: 'dueKey', KeyType: 'HASH' },
          { AttributeName: 'dueSort', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
      {
        IndexName: 'orders',
        KeySchema: [
          { AttributeName: 'ordersKey', KeyType: 'HASH' },
          { AttributeName: 'ordersSort', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      },
    ]);
    for (const hidden of ['consent', 'reason', 'idempotencyHash', 'requestKey'])
      expect(listed).not.toContain(hidden);
  });

  test.each([
    ['dev', 'Delete', false],
    ['staging', 'Retain', true],
    ['prod', 'Retain', true],
  ])('of %s has the policy %s for data, and its protection is %s', (stage, policy, isProtected) => {
    const { data: found, dataIsProtected } = synthesize(stage);
    const resources = (type: string) => [...resourcesOf(found, type).values()];
    const [pools, globalTables] = [
      resources('AWS::Cognito::UserPool'),
      resources('AWS::DynamoDB::GlobalTable'),
    ];

    expect(dataIsProtected).toBe(isProtected);
    for (const resource of [
      ...pools,
      ...globalTables,
      ...resources('AWS::KMS::Key'),
      ...resources('AWS::SecretsManager::Secret'),
    ])
      expect(resource).toMatchObject({ DeletionPolicy: policy, UpdateReplacePolicy: policy });
    for (const { Properties } of globalTables)
      expect(Properties).toMatchObject({ Replicas: [{ DeletionProtectionEnabled: isProtected }] });
    for (const { Properties } of pools)
      expect(Properties).toMatchObject({ DeletionProtection: isProtected ? 'ACTIVE' : 'INACTIVE' });
    for (const archive of resources('AWS::S3::Bucket'))
      expect(archive).toMatchObject({ DeletionPolicy: 'Retain' });
  });

  test('retains every secret, and its template contains no secret value', () => {
    expect(secrets.size).toBe(11);
    for (const secret of secrets.values()) {
      expect(secret).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
      expect([undefined, '{}']).toContain(secret.Properties['SecretString']);
    }
  });

  test('lets Secrets Manager generate the pepper and the slip, sandbox and webhook keys under "current"', () => {
    const generated = [...secrets.values()].flatMap(
      ({ Properties }) => Properties['GenerateSecretString'] ?? [],
    );

    expect(generated).toHaveLength(4);
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
