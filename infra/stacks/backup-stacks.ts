import { Duration, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import {
  BackupPlan,
  BackupPlanRule,
  BackupResource,
  BackupVault,
  type LockConfiguration,
} from 'aws-cdk-lib/aws-backup';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { AccountPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { BackupConfig, Stage } from '../config.ts';
import { keyStatements } from '../constructs/data/data-key.ts';
import { backupVaultName } from '../constructs/physical-names.ts';
import type { DataStack } from './data-stack.ts';

/** Daily copies of the tables in another AWS account and region (docs/operate/restore.md, "Backups"). */

/** Each copy is complete, and billed as such. Point-in-time recovery covers 35 days. */
const COPY_DAYS = 7;
/** A copy needs its original until it is complete. */
const ORIGINAL_DAYS = 2;
/** In which a wrong lock can be removed. */
const LOCK_GRACE_DAYS = 3;

interface VaultProps {
  readonly stage: Stage;
  /** The account with the other vault. AWS copies between two accounts only with keys that both may use. */
  readonly otherAccount: string;
  readonly lock?: LockConfiguration;
}

/** A vault with a key of its own. Both are retained. */
function vault(scope: Construct, { stage, otherAccount, lock }: VaultProps): BackupVault {
  const other = new AccountPrincipal(otherAccount);
  const encryptionKey = new Key(scope, 'Key', {
    description: `Protects the backups of ${stage}`,
    enableKeyRotation: true,
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  });
  encryptionKey.grantEncryptDecrypt(other);
  encryptionKey.addToResourcePolicy(
    new PolicyStatement({
      principals: [other],
      actions: ['kms:CreateGrant', 'kms:DescribeKey'],
      resources: ['*'],
      conditions: { BoolIfExists: { 'kms:GrantIsForAWSResource': 'true' } },
    }),
  );
  const copyInto = new PolicyStatement({
    principals: [other],
    actions: ['backup:CopyIntoBackupVault'],
    resources: ['*'],
    effect: Effect.ALLOW,
  });
  return new BackupVault(scope, 'Vault', {
    backupVaultName: backupVaultName(stage),
    encryptionKey,
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    ...(lock && { lockConfiguration: lock, accessPolicy: new PolicyDocument({ statements: [copyInto] }) }),
  });
}

interface BackupVaultStackProps extends StackProps {
  readonly stage: Stage;
  /** The account of the stage. */
  readonly account: string;
}

/**
 * The vault of the copies. Deployed on its own, with credentials of the other account, so that nobody in the account of
 * the stage can change it. After three days, nobody can: not even the root user can remove the lock or delete a copy.
 */
export class BackupVaultStack extends Stack {
  constructor(scope: Construct, id: string, { stage, account, ...props }: BackupVaultStackProps) {
    super(scope, id, { ...props, terminationProtection: true });
    const lock = {
      minRetention: Duration.days(COPY_DAYS),
      // The CDK rejects equal values.
      maxRetention: Duration.days(COPY_DAYS + 1),
      changeableFor: Duration.days(LOCK_GRACE_DAYS),
    };
    vault(this, { stage, otherAccount: account, lock });
  }
}

interface BackupStackProps extends StackProps {
  readonly stage: Stage;
  readonly backup: BackupConfig;
  readonly data: DataStack;
}

/** Backs up the tables in use each day, and copies each backup to the other vault. */
export class BackupStack extends Stack {
  constructor(scope: Construct, id: string, { stage, backup, data, ...props }: BackupStackProps) {
    super(scope, id, props);
    const name = backupVaultName(stage);
    const copies = `arn:${this.partition}:backup:${backup.region}:${backup.account}:backup-vault:${name}`;
    const plan = new BackupPlan(this, 'Plan', {
      backupVault: vault(this, { stage, otherAccount: backup.account }),
      backupPlanRules: [
        new BackupPlanRule({
          ruleName: 'daily',
          scheduleExpression: Schedule.cron({ hour: '1', minute: '0' }),
          startWindow: Duration.hours(1),
          completionWindow: Duration.hours(12),
          deleteAfter: Duration.days(ORIGINAL_DAYS),
          copyActions: [
            {
              destinationBackupVault: BackupVault.fromBackupVaultArn(this, 'Copies', copies),
              deleteAfter: Duration.days(COPY_DAYS),
            },
          ],
        }),
      ],
    });
    const tables = Object.values(data.tables).map(({ tableArn }) => BackupResource.fromArn(tableArn));
    const { grantPrincipal } = plan.addSelection('Tables', { resources: tables });
    const read = {
      tables: [{ table: 'VerificationLogs', actions: ['dynamodb:GetItem'] }],
      secrets: [],
    } as const;
    for (const statement of keyStatements(data.key, read)) grantPrincipal.addToPrincipalPolicy(statement);
  }
}
