import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  Billing,
  CfnGlobalTable,
  type GlobalSecondaryIndexPropsV2,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { WarmThroughput } from '../../config.ts';
import { text } from './secondary-indexes.ts';

interface RetainedTableOptions {
  /** The customer-managed key. @default DynamoDB's own key */
  readonly key?: Pick<IKey, 'keyArn'> | undefined;
  /**
   * `none`: rows never expire. `disabled`: rows no longer expire, but did in an earlier version. CloudFormation leaves
   * expiry on unless the template turns it off. @default rows expire at `expiresAt`
   */
  readonly expiry?: 'none' | 'disabled';
  /** Whether the table has a stream, with the rows before and after each change. @default no stream */
  readonly hasStream?: true;
  /** Of this and other tables. @default DynamoDB's */
  readonly warm?: WarmThroughput;
}

/** Survives the deletion of its stack, and can be restored to any second of the last 35 days. */
export class RetainedTable extends TableV2 {
  readonly indexes: readonly string[];

  constructor(
    scope: Construct,
    id: string,
    globalSecondaryIndexes: GlobalSecondaryIndexPropsV2[] = [],
    { key, expiry, hasStream, warm = {} }: RetainedTableOptions = {},
  ) {
    const tags = Object.entries(Stack.of(scope).tags.tagValues()).map(([key, value]) => ({ key, value }));
    super(scope, id, {
      partitionKey: text('pk'),
      sortKey: text('sk'),
      globalSecondaryIndexes: globalSecondaryIndexes.map((index) => ({
        ...index,
        ...warmed(warm, `${id}.${index.indexName}`),
      })),
      ...warmed(warm, id),
      // Epoch seconds. Readers also check it, because DynamoDB may delete items up to two days late
      // (docs/design/ledger.md).
      ...(expiry !== 'none' && { timeToLiveAttribute: 'expiresAt' }),
      ...(hasStream && { dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES }),
      billing: Billing.onDemand(),
      // A customer-managed key needs this too. A key that AWS manages would cost money, and protect no better.
      encryption: key ? TableEncryptionV2.awsManagedKey() : TableEncryptionV2.dynamoOwnedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      // With RETAIN_ON_UPDATE_OR_DELETE, the rollback of a failed creation would fail at the protection.
      removalPolicy: RemovalPolicy.RETAIN,
      // A global table's tags are set per replica.
      tags,
    });
    // `TableEncryptionV2.customerManagedKey` needs the region, but templates must work in every region.
    if (key && this.node.defaultChild instanceof CfnGlobalTable) {
      const property = 'Replicas.0.SSESpecification.KMSMasterKeyId';
      this.node.defaultChild.addPropertyOverride(property, key.keyArn);
    }
    if (expiry === 'disabled' && this.node.defaultChild instanceof CfnGlobalTable)
      this.node.defaultChild.addPropertyOverride('TimeToLiveSpecification.Enabled', false);
    this.indexes = globalSecondaryIndexes.map(({ indexName }) => indexName);
  }
}

function warmed(warm: Readonly<Record<string, WarmThroughput[keyof WarmThroughput]>>, name: string) {
  const warmThroughput = warm[name];
  return warmThroughput && { warmThroughput };
}

/** Returns the ARN of a table's stream. */
export function streamOf({ tableStreamArn }: RetainedTable): string {
  if (tableStreamArn === undefined) throw new Error('The table has no stream.');
  return tableStreamArn;
}

/** The data stack's own, or a restored one. */
export interface ActiveTable {
  readonly tableName: string;
  readonly tableArn: string;
  readonly indexes: readonly string[];
}

/** Restored from `own`, and not part of the stack. */
export function restoredTable(own: RetainedTable, tableName: string): ActiveTable {
  const { indexes } = own;
  const tableArn = Stack.of(own).formatArn({
    service: 'dynamodb',
    resource: 'table',
    resourceName: tableName,
  });
  return { tableName, tableArn, indexes };
}
