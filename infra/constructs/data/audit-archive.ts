import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectLockRetention } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { AccessProfile } from '../access/access-profiles.ts';

/** The archive of the audit trail, and the stream from which it is filled. */
export interface AuditArchive {
  readonly bucketName: string;
  readonly bucketArn: string;
  /** The AWS account that owns the bucket. */
  readonly account: string;
  /** The stream of the AuditTrail table in use. */
  readonly streamArn: string;
}

/** A bucket whose objects nobody, not even the root user, can delete or replace before their retention ends. */
export class ArchiveBucket extends Bucket {
  constructor(scope: Construct, id: string, retentionDays: number) {
    super(scope, id, {
      versioned: true,
      objectLockEnabled: true,
      objectLockDefaultRetention: ObjectLockRetention.compliance(Duration.days(retentionDays)),
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    // Object Lock protects versions. Without this statement, a new version could still hide one.
    this.addToResourcePolicy(
      new PolicyStatement({
        sid: 'OnlyNewObjects',
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: ['s3:PutObject'],
        resources: [this.arnForObjects('*')],
        conditions: { Null: { 's3:if-none-match': 'true' }, Bool: { 's3:ObjectCreationOperation': 'true' } },
      }),
    );
    this.policy?.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
  }
}

/** Returns the variables and policy statements for a function that fills the archive or compares it with the table. */
export function archiveAccess(archive: AuditArchive | undefined, { archive: use }: AccessProfile) {
  if (!use) return { environment: {}, statements: [] };
  if (!archive)
    throw new Error('A function that uses the archive of the audit trail must be in the API stack.');
  return {
    environment: { ARCHIVE_BUCKET: archive.bucketName, ARCHIVE_ACCOUNT: archive.account },
    statements: use === 'copy' ? copyStatements(archive) : compareStatements(archive),
  };
}

const objects = ({ bucketArn }: Pick<AuditArchive, 'bucketArn'>, ...folders: readonly string[]) =>
  folders.map((folder) => `${bucketArn}/${folder}/*`);

function copyStatements(archive: AuditArchive): PolicyStatement[] {
  const [rows, changes] = [objects(archive, 'audit'), objects(archive, 'changed')];
  return [
    new PolicyStatement({ actions: ['s3:PutObject'], resources: [...rows, ...changes] }),
    new PolicyStatement({ actions: ['s3:GetObject'], resources: rows }),
    new PolicyStatement({
      actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      resources: [archive.streamArn],
    }),
    // Lambda requires this action, which has no resource-level permissions.
    new PolicyStatement({ actions: ['dynamodb:ListStreams'], resources: ['*'] }),
  ];
}

/** Allows reading all versions in the archive. */
export function compareStatements(archive: Pick<AuditArchive, 'bucketArn'>): PolicyStatement[] {
  return [
    new PolicyStatement({ actions: ['s3:ListBucketVersions'], resources: [archive.bucketArn] }),
    new PolicyStatement({
      actions: ['s3:GetObjectVersion'],
      resources: objects(archive, 'audit', 'changed'),
    }),
  ];
}
