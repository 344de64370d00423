import { Aws, RemovalPolicy } from 'aws-cdk-lib';
import { AccountRootPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { SecretName, TableName } from '../access/access-profiles.ts';

/**
 * Protects the pepper and VerificationLogs, which together show who was looked up. Not AuditTrail: operators must be
 * able to revoke keys and suspend organisations while this key is disabled.
 */

const KEY_TABLES: readonly TableName[] = ['VerificationLogs'];
const KEY_SECRETS: readonly SecretName[] = ['PEPPER'];

const READ = ['kms:Decrypt', 'kms:DescribeKey'];
/** As DynamoDB's documentation lists them, without its wildcard. */
const WRITE = [
  ...READ,
  'kms:Encrypt',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
  'kms:GenerateDataKey',
  'kms:GenerateDataKeyWithoutPlaintext',
];
/** None of these actions allows decryption. */
const ADMINISTER = [
  'kms:DescribeKey',
  'kms:GetKeyPolicy',
  'kms:PutKeyPolicy',
  'kms:GetKeyRotationStatus',
  'kms:EnableKeyRotation',
  'kms:ListGrants',
  'kms:RevokeGrant',
  'kms:EnableKey',
  'kms:DisableKey',
  'kms:ScheduleKeyDeletion',
  'kms:CancelKeyDeletion',
  'kms:UpdateKeyDescription',
  'kms:TagResource',
  'kms:UntagResource',
  'kms:ListResourceTags',
];

type Service = 'dynamodb' | 'secretsmanager';

const via = (...services: readonly Service[]) => ({
  StringEquals: { 'kms:ViaService': services.map((service) => `${service}.${Aws.REGION}.amazonaws.com`) },
});

/** Rotates every year, and only through DynamoDB and Secrets Manager. */
export class DataKey extends Key {
  constructor(scope: Construct, id: string) {
    const principals = [new AccountRootPrincipal()];
    const allow = (actions: string[], conditions: object) =>
      new PolicyStatement({ principals, actions, resources: ['*'], conditions: { ...conditions } });
    super(scope, id, {
      description: 'Protects the pepper and the VerificationLogs table',
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      // IAM policies of the account can grant these actions only.
      policy: new PolicyDocument({
        statements: [
          allow(ADMINISTER, {}),
          allow(WRITE, via('dynamodb', 'secretsmanager')),
          // For DynamoDB's own maintenance and backups.
          allow(['kms:CreateGrant'], { ...via('dynamodb'), Bool: { 'kms:GrantIsForAWSResource': 'true' } }),
        ],
      }),
    });
  }
}

interface Uses {
  readonly tables: readonly { readonly table: TableName; readonly actions: readonly string[] }[];
  readonly secrets: readonly SecretName[];
}

/**
 * As far as access to these tables and secrets requires. Even while the key protects nothing: the data stack is
 * deployed first.
 */
export function keyStatements(
  key: { readonly keyArn: string },
  { tables, secrets }: Uses,
): PolicyStatement[] {
  const rights = tables.filter(({ table }) => KEY_TABLES.includes(table));
  const writes = rights.some(({ actions }) => actions.some((action) => /Put|Update|Delete/.test(action)));
  const allow = (actions: string[], service: Service) =>
    new PolicyStatement({ actions, resources: [key.keyArn], conditions: via(service) });
  return [
    ...(rights.length > 0 ? [allow(writes ? WRITE : READ, 'dynamodb')] : []),
    ...(secrets.some((name) => KEY_SECRETS.includes(name)) ? [allow(['kms:Decrypt'], 'secretsmanager')] : []),
  ];
}
