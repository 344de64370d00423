import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import type { SecretName, TableName } from '../constructs/access/access-profiles.ts';
import { MemberPool } from '../constructs/console/member-pool.ts';
import { ArchiveBucket, type AuditArchive } from '../constructs/data/audit-archive.ts';
import { DataKey } from '../constructs/data/data-key.ts';
import { type ActiveTable, type RetainedTable, streamOf } from '../constructs/data/retained-table.ts';
import { stageSecrets } from '../constructs/data/stage-secrets.ts';
import { restoredTables, stageTables } from '../constructs/data/stage-tables.ts';

interface DataStackProps extends StackProps {
  readonly restoredTables?: StageConfig['restoredTables'];
  readonly warmThroughput?: StageConfig['warmThroughput'];
  readonly auditArchive: StageConfig['auditArchive'];
  /** Whether a customer-managed key protects the pepper and VerificationLogs. @default false */
  readonly customerManagedKey?: boolean;
  readonly secondPerson?: StageConfig['secondPerson'];
  readonly logRetentionDays: number;
  readonly money?: StageConfig['money'];
  /** The address from which the console's emails are sent. @default Cognito sends the emails about sign-ins */
  readonly mailFrom?: string | undefined;
}

/** Everything that must never be lost. */
export class DataStack extends Stack {
  /** This stack's own, or restored ones. */
  readonly tables: Readonly<Record<TableName, ActiveTable>>;
  readonly secrets: Readonly<Record<SecretName, Secret>>;
  readonly archive: AuditArchive;
  /** Even without a console, so that it can be closed and opened again with the same people. */
  readonly userPool: MemberPool;
  /** Even if it protects nothing, so that functions may use it before it does. */
  readonly key: DataKey;

  constructor(scope: Construct, id: string, props: DataStackProps) {
    super(scope, id, { ...props, terminationProtection: true });
    this.key = new DataKey(this, 'Key');
    const protectingKey = props.customerManagedKey ? this.key : undefined;
    const own = stageTables(this, protectingKey, props.warmThroughput);
    this.tables = props.restoredTables ? restoredTables(own, props.restoredTables) : own;
    this.archive = this.#archive(props, own.AuditTrail);
    this.secrets = stageSecrets(this, protectingKey);
    this.userPool = new MemberPool(this, 'Members', { mailFrom: props.mailFrom });
    this.#exportAll(Object.values(own));
    for (const [name, { tableName }] of Object.entries(this.tables))
      new CfnOutput(this, `${name}Table`, { value: tableName });
    new CfnOutput(this, 'AuditArchiveBucket', { value: this.archive.bucketName });
    new CfnOutput(this, 'AuditArchiveAccount', { value: this.archive.account });
    // For the `admin` CLI, which does not rely on the operator's own settings.
    const above = props.secondPerson?.creditsAbove;
    new CfnOutput(this, 'SecondPersonAbove', { value: above === undefined ? 'off' : String(above) });
    new CfnOutput(this, 'LogRetentionDays', { value: String(props.logRetentionDays) });
    new CfnOutput(this, 'Money', { value: props.money ? JSON.stringify(props.money) : 'off' });
    // For erasures (docs/privacy/README.md). The ARN, not the value.
    new CfnOutput(this, 'PepperSecret', { value: this.secrets.PEPPER.secretArn });
  }

  /**
   * Exports everything that another stack can import: when a setting stops using something, CloudFormation would refuse
   * to remove an export that the deployed version of another stack still imports.
   */
  #exportAll(tables: readonly RetainedTable[]): void {
    const names = tables.flatMap(({ tableName, tableArn }) => [tableName, tableArn]);
    const secrets = Object.values(this.secrets).map(({ secretArn }) => secretArn);
    const { userPoolId, userPoolArn, userPoolProviderUrl } = this.userPool;
    const pool = [userPoolId, userPoolArn, userPoolProviderUrl];
    for (const value of [...names, ...secrets, this.key.keyArn, ...pool]) this.exportValue(value);
  }

  /** The stack's own bucket exists even if another one is used. */
  #archive({ auditArchive, restoredTables }: DataStackProps, trail: RetainedTable): AuditArchive {
    const own = new ArchiveBucket(this, 'AuditArchive', auditArchive.retentionDays);
    for (const value of [own.bucketName, own.bucketArn, streamOf(trail)]) this.exportValue(value);
    const { name, account = this.account } = auditArchive.bucket ?? {};
    const { bucketName, bucketArn } = name ? Bucket.fromBucketName(this, 'OtherArchive', name) : own;
    return { bucketName, bucketArn, account, streamArn: restoredTables?.AuditTrailStream ?? streamOf(trail) };
  }
}
