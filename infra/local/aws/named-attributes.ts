/**
 * The attributes that a request to DynamoDB names: the values of the condition key `dynamodb:Attributes` (IAM,
 * "Actions, resources, and condition keys for Amazon DynamoDB"). A nested attribute counts as its top-level
 * attribute. A read without a projection names only the attributes of its keys.
 */

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a request that name attributes. The second group contains DynamoDB's legacy parameters. */
export interface AttributeFields {
  readonly Key?: Fields;
  readonly Item?: Fields;
  readonly UpdateExpression?: string;
  readonly ConditionExpression?: string;
  readonly ProjectionExpression?: string;
  readonly FilterExpression?: string;
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;

  readonly AttributeUpdates?: Fields;
  readonly Expected?: Fields;
  readonly KeyConditions?: Fields;
  readonly QueryFilter?: Fields;
  readonly ScanFilter?: Fields;
  readonly AttributesToGet?: readonly string[];
}

/** A placeholder for a value, or a document path such as `#a.b[2]`. A parenthesis after it marks a function. */
const TOKEN = /:[\w-]+|(#[\w-]+|[A-Za-z_]\w*)((?:\.#?[\w-]+|\[\d+\])*)\s*(\()?/g;
const KEYWORDS = new Set(['AND', 'OR', 'NOT', 'IN', 'BETWEEN']);
const UPDATE_KEYWORDS = new Set(['SET', 'REMOVE', 'ADD', 'DELETE']);

/** Returns the top-level attributes that a request names, without duplicates. */
export function namedAttributes(fields: AttributeFields): string[] {
  const { ExpressionAttributeNames: names = {} } = fields;
  const expressions = [
    fields.ConditionExpression,
    fields.ProjectionExpression,
    fields.FilterExpression,
    fields.KeyConditionExpression,
  ];
  const maps = [
    fields.Key,
    fields.Item,
    fields.AttributeUpdates,
    fields.Expected,
    fields.KeyConditions,
    fields.QueryFilter,
    fields.ScanFilter,
  ];
  const paths = [
    ...expressions.flatMap((expression) => pathsIn(expression, KEYWORDS)),
    ...pathsIn(fields.UpdateExpression, UPDATE_KEYWORDS),
  ];
  return [
    ...new Set([
      ...maps.flatMap((map) => Object.keys(map ?? {})),
      ...(fields.AttributesToGet ?? []).map((path) => path.split(/[.[]/)[0] ?? path),
      ...paths.map((name) => names[name] ?? name),
    ]),
  ];
}

/** Returns the first name of each document path in an expression, as it is written there. */
function pathsIn(expression = '', keywords: ReadonlySet<string>): string[] {
  return [...expression.matchAll(TOKEN)].flatMap(([, first, , parenthesis]) =>
    first === undefined || parenthesis || keywords.has(first.toUpperCase()) ? [] : first,
  );
}
