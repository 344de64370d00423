import { AttributeType, type GlobalSecondaryIndexPropsV2, ProjectionType } from 'aws-cdk-lib/aws-dynamodb';

/** Returns a string attribute for a key. */
export function text(name: string) {
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
