import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  type GlobalSecondaryIndexPropsV2,
  ProjectionType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';

/** A string attribute as part of a key. */
export function text(name: string) {
  return { name, type: AttributeType.STRING };
}

/** An index that carries whole items, or only their keys. */
export function index(
  indexName: string,
  keys: { readonly partition: string; readonly sort?: string; readonly keysOnly?: true },
): GlobalSecondaryIndexPropsV2 {
  return {
    indexName,
    partitionKey: text(keys.partition),
    ...(keys.sort && { sortKey: text(keys.sort) }),
    projectionType: keys.keysOnly ? ProjectionType.KEYS_ONLY : ProjectionType.ALL,
  };
}

/** A table whose rows outlive every mistake with the stack: kept, protected, restorable to any second of 35 days. */
export class KeptTable extends TableV2 {
  readonly indexes: readonly string[];

  constructor(scope: Construct, id: string, globalSecondaryIndexes: GlobalSecondaryIndexPropsV2[] = []) {
    const tags = Object.entries(Stack.of(scope).tags.tagValues()).map(([key, value]) => ({ key, value }));
    super(scope, id, {
      partitionKey: text('pk'),
      sortKey: text('sk'),
      globalSecondaryIndexes,
      // Epoch seconds. Readers check it too: deletion can lag two days (ledger design).
      timeToLiveAttribute: 'expiresAt',
      billing: Billing.onDemand(),
      encryption: TableEncryptionV2.awsManagedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
      // A global table has tags by replica only, and those of its stack do not reach it.
      tags,
    });
    this.indexes = globalSecondaryIndexes.map(({ indexName }) => indexName);
  }
}
