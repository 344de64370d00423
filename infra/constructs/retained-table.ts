import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  CfnGlobalTable,
  type GlobalSecondaryIndexPropsV2,
  ProjectionType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';

/** Returns a string attribute for a key. */
function text(name: string) {
  return { name, type: AttributeType.STRING };
}

/** Defines an index that contains the keys and these attributes. @default all attributes */
export function index(
  indexName: string,
  keys: { readonly partition: string; readonly sort?: string },
  attributes?: readonly string[],
): GlobalSecondaryIndexPropsV2 {
  return {
    indexName,
    partitionKey: text(keys.partition),
    ...(keys.sort && { sortKey: text(keys.sort) }),
    ...projectionOf(attributes),
  };
}

function projectionOf(attributes: readonly string[] | undefined) {
  if (attributes === undefined) return { projectionType: ProjectionType.ALL };
  if (attributes.length === 0) return { projectionType: ProjectionType.KEYS_ONLY };
  return { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...attributes] };
}

export interface RetainedTableOptions {
  /** The customer-managed key. @default the key that AWS manages */
  readonly key?: Pick<IKey, 'keyArn'> | undefined;
  /** Whether rows never expire. @default rows expire at `expiresAt` */
  readonly keepsAllRows?: true;
}

/** A table that survives the deletion of its stack and can be restored to any second of the last 35 days. */
export class RetainedTable extends TableV2 {
  readonly indexes: readonly string[];

  constructor(
    scope: Construct,
    id: string,
    globalSecondaryIndexes: GlobalSecondaryIndexPropsV2[] = [],
    { key, keepsAllRows }: RetainedTableOptions = {},
  ) {
    const tags = Object.entries(Stack.of(scope).tags.tagValues()).map(([key, value]) => ({ key, value }));
    super(scope, id, {
      partitionKey: text('pk'),
      sortKey: text('sk'),
      globalSecondaryIndexes,
      // In epoch seconds. Readers also check the attribute, because DynamoDB may delete items up to two days late
      // (docs/ledger.md).
      ...(!keepsAllRows && { timeToLiveAttribute: 'expiresAt' }),
      billing: Billing.onDemand(),
      encryption: TableEncryptionV2.awsManagedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
      // The stack's tags do not apply to a global table, whose tags are set per replica.
      tags,
    });
    // `TableEncryptionV2.customerManagedKey` needs the region, but the templates must work in every region.
    if (key && this.node.defaultChild instanceof CfnGlobalTable) {
      const property = 'Replicas.0.SSESpecification.KMSMasterKeyId';
      this.node.defaultChild.addPropertyOverride(property, key.keyArn);
    }
    this.indexes = globalSecondaryIndexes.map(({ indexName }) => indexName);
  }
}

/** A table in use: the data stack's own, or a restored one. */
export interface ActiveTable {
  readonly tableName: string;
  readonly tableArn: string;
  /** The names of its indexes, which a restored table also has. */
  readonly indexes: readonly string[];
}

/** Returns the table `tableName`, which was restored from `own` and is not part of the stack. */
export function restoredTable(own: RetainedTable, tableName: string): ActiveTable {
  const { indexes } = own;
  const tableArn = Stack.of(own).formatArn({
    service: 'dynamodb',
    resource: 'table',
    resourceName: tableName,
  });
  return { tableName, tableArn, indexes };
}
