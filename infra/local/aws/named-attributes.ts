/**
 * The condition key `dynamodb:Attributes` (IAM, "Actions, resources, and condition keys for Amazon DynamoDB"). A nested
 * attribute counts as its top-level one. A read without a projection names only its keys.
 */

type Fields = Readonly<Record<string, unknown>>;

/** The second group is DynamoDB's legacy parameters. */
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

/** A placeholder, or a path such as `#a.b[2]`. A parenthesis marks a function. */
const TOKEN = /:[\w-]+|(#[\w-]+|[A-Za-z_]\w*)((?:\.#?[\w-]+|\[\d+\])*)\s*(\()?/g;
const KEYWORDS = new Set(['AND', 'OR', 'NOT', 'IN', 'BETWEEN']);
const UPDATE_KEYWORDS = new Set(['SET', 'REMOVE', 'ADD', 'DELETE']);

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

/** As written in the expression. */
function pathsIn(expression = '', keywords: ReadonlySet<string>): string[] {
  return [...expression.matchAll(TOKEN)].flatMap(([, first, , parenthesis]) =>
    first === undefined || parenthesis || keywords.has(first.toUpperCase()) ? [] : first,
  );
}
