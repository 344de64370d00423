import * as v from 'valibot';
import type { JsonObject } from './cloudformation.ts';
import type { Deployment } from './template.ts';

/**
 * IAM policies as far as this app uses them: an action on a resource is allowed by a statement that names both and
 * whose conditions hold, unless another statement denies it. What is not understood fails the start, so that
 * no rule of the templates is passed over in silence.
 */

/** From a condition key, for example `dynamodb:LeadingKeys`, to its values in one request. */
export type ConditionContext = Readonly<Record<string, readonly string[]>>;

/** May the role do the action on the resource? */
export type Authorise = (action: string, resource: string, context?: ConditionContext) => boolean;

const oneOrMore = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((value) => (typeof value === 'string' ? [value] : value)),
);

const statementShape = v.strictObject({
  Sid: v.optional(v.string()),
  Effect: v.picklist(['Allow', 'Deny']),
  Action: oneOrMore,
  Resource: oneOrMore,
  Condition: v.optional(v.record(v.string(), v.record(v.string(), oneOrMore)), {}),
});

const documentShape = v.object({ Statement: v.array(statementShape) });

type Statement = v.InferOutput<typeof statementShape>;
type Condition = (context: ConditionContext) => boolean;

interface Rule {
  readonly allows: boolean;
  readonly covers: (action: string, resource: string) => boolean;
  readonly conditions: readonly Condition[];
}

/** The decision of all statements of a role, whose ARN a function carries. */
export function roleAuthoriser(deployment: Deployment, roleArn: string): Authorise {
  return authoriser(policyDocuments(deployment, roleArn));
}

/** The decision of some policy documents together. */
export function authoriser(documents: readonly unknown[]): Authorise {
  const rules = documents.flatMap((document) => v.parse(documentShape, document).Statement.map(compile));
  // Most requests ask the same few things, and their rules have no conditions.
  const covering = new Map<string, readonly Rule[]>();
  return (action, resource, context = {}) => {
    const question = `${action} ${resource}`;
    let candidates = covering.get(question);
    if (!candidates) {
      candidates = rules.filter((rule) => rule.covers(action, resource));
      covering.set(question, candidates);
    }
    const holding = candidates.filter((rule) => rule.conditions.every((holds) => holds(context)));
    return holding.length > 0 && holding.every((rule) => rule.allows);
  };
}

/** A test for texts that match a pattern with `*` (any text) and `?` (any character). */
export function wildcard(pattern: string, ignoreCase = false): (text: string) => boolean {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  const expression = new RegExp(
    `^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`,
    ignoreCase ? 'is' : 's',
  );
  return (text) => expression.test(text);
}

function policyDocuments(deployment: Deployment, roleArn: string): unknown[] {
  const role = deployment.ofType('AWS::IAM::Role').find((resource) => deployment.arn(resource) === roleArn);
  if (!role) throw new Error(`The templates have no role ${roleArn}.`);
  const inline = deployment.properties(role)['Policies'];
  const attached = deployment
    .ofType('AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy')
    .map((resource) => deployment.properties(resource))
    .filter(({ Roles }) => Array.isArray(Roles) && Roles.includes(deployment.name(role)));
  return [...(Array.isArray(inline) ? (inline as JsonObject[]) : []), ...attached].map(
    ({ PolicyDocument }) => PolicyDocument,
  );
}

function compile(statement: Statement): Rule {
  const actions = statement.Action.map((pattern) => wildcard(pattern, true));
  const resources = statement.Resource.map((pattern) => wildcard(pattern));
  return {
    allows: statement.Effect === 'Allow',
    covers: (action, resource) =>
      actions.some((matches) => matches(action)) && resources.some((matches) => matches(resource)),
    conditions: Object.entries(statement.Condition).flatMap(([operator, keys]) =>
      Object.entries(keys).map(([key, values]) => compileCondition(operator, key, values)),
    ),
  };
}

function compileCondition(operator: string, key: string, values: readonly string[]): Condition {
  const [, quantifier, negated, comparison] =
    /^(?:(ForAllValues|ForAnyValue):)?String(Not)?(Equals|Like)$/.exec(operator) ?? [];
  if (!comparison || key !== 'dynamodb:LeadingKeys') {
    throw new Error(`The local runtime does not know the policy condition ${operator} on ${key}.`);
  }
  const patterns = values.map((value) =>
    comparison === 'Like' ? wildcard(value) : (text: string) => text === value,
  );
  const matches = (text: string) => patterns.some((pattern) => pattern(text)) !== (negated !== undefined);
  return (context) => {
    const found = context[key] ?? [];
    // As IAM has it, ForAllValues holds for a request that has no such values at all.
    if (quantifier === 'ForAllValues') return found.every(matches);
    return found.some(matches);
  };
}
