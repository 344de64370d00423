import { Aws } from 'aws-cdk-lib';
import { AccountRootPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { SecretName, TableName } from '../access/access-profiles.ts';

/**
 * The customer-managed key of a stage. It protects the pepper and VerificationLogs, which together show who was looked
 * up. It does not protect AuditTrail: each change by an operator writes a row there, and operators must still be able
 * to revoke API keys and suspend organisations while this key is disabled.
 */

const KEY_TABLES: readonly TableName[] = ['VerificationLogs'];
const KEY_SECRETS: readonly SecretName[] = ['PEPPER'];

const READ = ['kms:Decrypt', 'kms:DescribeKey'];
/** The actions that DynamoDB's documentation lists for callers that write, but without its wildcard. */
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

/** A key that rotates every year and can be used only through DynamoDB and Secrets Manager. */
export class DataKey extends Key {
  constructor(scope: Construct, id: string) {
    const principals = [new AccountRootPrincipal()];
    const allow = (actions: string[], conditions: object) =>
      new PolicyStatement({ principals, actions, resources: ['*'], conditions: { ...conditions } });
    super(scope, id, {
      description: 'Protects the pepper and the VerificationLogs table',
      enableKeyRotation: true,
      // The policy lets IAM policies of the account grant these actions, and no others.
      policy: new PolicyDocument({
        statements: [
          allow(ADMINISTER, {}),
          allow(WRITE, via('dynamodb', 'secretsmanager')),
          // When a table is created or restored, DynamoDB creates grants for its own maintenance and backups.
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
 * Allows a function or an operator role to use the key to the extent that its access to these tables and secrets
 * requires. The permission exists even while the key protects nothing, because the data stack is deployed first and
 * the key then protects data at once.
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
