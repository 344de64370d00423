import * as v from 'valibot';
import type { Deployment, JsonObject } from '../templates/template.ts';

/**
 * IAM policies, to the extent that this app uses them. An action on a resource is allowed if a statement names both
 * and its conditions are met, unless another statement denies it. If a policy contains an element that is not
 * supported, the runtime does not start, so that no rule of the templates is ignored.
 */

/** The values of a condition key, such as `dynamodb:LeadingKeys`, in one request. */
export type ConditionContext = Readonly<Record<string, readonly string[]>>;

/** Checks whether a principal may perform the action on the resource. */
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

const CONDITION_KEYS: ReadonlySet<string> = new Set([
  'dynamodb:Attributes',
  'dynamodb:EnclosingOperation',
  'dynamodb:LeadingKeys',
  'dynamodb:Select',
  'kms:ViaService',
  'lambda:InvokedViaFunctionUrl',
  'ses:FromAddress',
]);

type Statement = v.InferOutput<typeof statementShape>;
type Condition = (context: ConditionContext) => boolean;

interface Rule {
  readonly allows: boolean;
  readonly covers: (action: string, resource: string) => boolean;
  readonly conditions: readonly Condition[];
}

/** Returns a function that checks actions against all policies of a role. */
export function roleAuthoriser(deployment: Deployment, roleArn: string): Authorise {
  return authoriser(policyDocuments(deployment, roleArn));
}

/** Returns a function that checks actions against policy documents. */
export function authoriser(documents: readonly unknown[]): Authorise {
  const rules = documents.flatMap((document) => v.parse(documentShape, document).Statement.map(compile));
  // Most requests repeat a few pairs of action and resource.
  const rulesByPair = new Map<string, readonly Rule[]>();
  return (action, resource, context = {}) => {
    const pair = `${action} ${resource}`;
    let candidates = rulesByPair.get(pair);
    if (!candidates) {
      candidates = rules.filter((rule) => rule.covers(action, resource));
      rulesByPair.set(pair, candidates);
    }
    const applicable = candidates.filter((rule) => rule.conditions.every((isMet) => isMet(context)));
    return applicable.length > 0 && applicable.every((rule) => rule.allows);
  };
}

/** Compiles a pattern with `*` (any text) and `?` (any character) into a test. */
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
  if (!role) throw new Error(`The templates contain no role ${roleArn}.`);
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
    operator === 'Bool'
      ? [operator, undefined, undefined, 'Equals']
      : (/^(?:(ForAllValues|ForAnyValue):)?String(Not)?(Equals|Like)$/.exec(operator) ?? []);
  if (!comparison || !CONDITION_KEYS.has(key)) {
    throw new Error(`The local runtime does not support the policy condition ${operator} on ${key}.`);
  }
  const patterns = values.map((value) =>
    comparison === 'Like' ? wildcard(value) : (text: string) => text === value,
  );
  const matches = (text: string) => patterns.some((pattern) => pattern(text)) !== (negated !== undefined);
  return (context) => {
    const requested = context[key] ?? [];
    // As in IAM, ForAllValues is met by a request without such values.
    if (quantifier === 'ForAllValues') return requested.every(matches);
    return requested.some(matches);
  };
}
