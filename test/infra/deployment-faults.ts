import { isDeepStrictEqual } from 'node:util';
import type { ResourceImpact } from '@aws-cdk/cloudformation-diff';
import { outsideJest } from '../support/outside-jest.ts';

const { fullDiff, ResourceImpact: IMPACTS } = outsideJest<typeof import('@aws-cdk/cloudformation-diff')>(
  '@aws-cdk/cloudformation-diff',
);

/**
 * Finds what CloudFormation would refuse, or what would be lost, when the stacks of a stage are updated one after the
 * other. It reads only templates.
 */

export interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
}

export interface StackTemplate {
  readonly name: string;
  readonly template: {
    readonly Resources?: Readonly<Record<string, Resource>>;
    readonly Outputs?: Readonly<
      Record<string, { readonly Value: unknown; readonly Export?: { readonly Name: unknown } }>
    >;
  };
}

export interface Fault {
  readonly kind:
    | 'export in use' // CloudFormation does not remove or change an export that a stack imports.
    | 'missing value' // A stack needs an export or an output that does not exist when the stack is deployed.
    | 'state lost' // A resource with state is removed or replaced.
    | 'value overwritten' // A secret gets a new value.
    | 'indexes at once' // DynamoDB adds or removes one index of a table at a time, and changes none.
    | 'name taken' // A resource is created under a physical name that another one still has.
    | 'name kept by replacement' // CloudFormation does not replace a resource that keeps its physical name.
    | 'name left behind'; // A retained resource still has the name that is needed when the setting is restored.
  readonly stack: string;
  readonly at: string;
}

/**
 * Types whose resources cannot be created again as they were: they contain data, confirmed subscriptions, rules that
 * others added, an address that callers use, or the version that a rollout chose.
 */
const STATEFUL: ReadonlySet<string> = new Set([
  'AWS::ApiGateway::DomainName',
  'AWS::ApiGateway::RestApi',
  'AWS::CertificateManager::Certificate',
  'AWS::Cognito::UserPool',
  // Passkeys are bound to this domain.
  'AWS::Cognito::UserPoolDomain',
  'AWS::DynamoDB::GlobalTable',
  'AWS::DynamoDB::Table',
  'AWS::Events::EventBus',
  'AWS::KMS::Key',
  'AWS::Lambda::Alias',
  'AWS::Logs::LogGroup',
  'AWS::S3::Bucket',
  'AWS::SNS::Topic',
  'AWS::SQS::Queue',
  'AWS::SecretsManager::Secret',
]);

/** The properties that identify a resource of a type. If the last has no value, CloudFormation generates a name. */
export const NAMES: Readonly<Record<string, readonly string[]>> = {
  'AWS::ApiGateway::DomainName': ['DomainName'],
  'AWS::ApiGateway::Stage': ['RestApiId', 'StageName'],
  'AWS::CloudWatch::Alarm': ['AlarmName'],
  'AWS::CloudWatch::CompositeAlarm': ['AlarmName'],
  'AWS::CloudWatch::Dashboard': ['DashboardName'],
  'AWS::CodeDeploy::Application': ['ApplicationName'],
  'AWS::Cognito::UserPool': ['UserPoolName'],
  'AWS::Cognito::UserPoolDomain': ['Domain'],
  'AWS::CodeDeploy::DeploymentGroup': ['ApplicationName', 'DeploymentGroupName'],
  'AWS::DynamoDB::GlobalTable': ['TableName'],
  'AWS::Events::EventBus': ['Name'],
  'AWS::Events::Rule': ['EventBusName', 'Name'],
  'AWS::IAM::ManagedPolicy': ['ManagedPolicyName'],
  'AWS::IAM::OIDCProvider': ['Url'],
  'AWS::IAM::Role': ['RoleName'],
  'AWS::KMS::Alias': ['AliasName'],
  'AWS::Lambda::Alias': ['FunctionName', 'Name'],
  'AWS::Lambda::Function': ['FunctionName'],
  'AWS::Logs::LogGroup': ['LogGroupName'],
  'AWS::Route53::RecordSet': ['HostedZoneId', 'Type', 'Name'],
  'AWS::S3::Bucket': ['BucketName'],
  'AWS::SNS::Topic': ['TopicName'],
  'AWS::SQS::Queue': ['QueueName'],
  'AWS::SecretsManager::Secret': ['Name'],
  'AWS::SSM::Parameter': ['Name'],
  'AWS::WAFv2::WebACL': ['Scope', 'Name'],
};

const GONE: readonly (ResourceImpact | undefined)[] = [IMPACTS.WILL_DESTROY, IMPACTS.WILL_ORPHAN];
const REPLACED: readonly (ResourceImpact | undefined)[] = [IMPACTS.WILL_REPLACE, IMPACTS.MAY_REPLACE];

/**
 * Returns the faults of an update of `before` to `after`, both in the order of deployment. A stack that is missing from
 * `after` stays deployed, because the CDK does not delete it.
 */
export function deploymentFaults(before: readonly StackTemplate[], after: readonly StackTemplate[]): Fault[] {
  let live = new Map(before.map((stack) => [stack.name, stack]));
  return after.flatMap((stack) => {
    const old = live.get(stack.name) ?? { name: stack.name, template: {} };
    const others = [...live.values()].filter(({ name }) => name !== stack.name);
    live = new Map([...live, [stack.name, stack]]);
    return faultsOfUpdate(old, stack, others);
  });
}

/** Returns the faults of the update of one stack while `others` are deployed. */
function faultsOfUpdate(old: StackTemplate, stack: StackTemplate, others: readonly StackTemplate[]): Fault[] {
  const changes = impacts(old, stack);
  const fault = (kind: Fault['kind'], ats: readonly string[]) =>
    ats.map((at): Fault => ({ kind, stack: stack.name, at }));
  return [
    ...fault('export in use', exportsInUse(old, stack, others, changes.replaced)),
    ...fault('missing value', missingValues(stack, others)),
    ...fault('state lost', lostState(old, changes)),
    ...fault('value overwritten', overwrittenSecrets(old, stack)),
    ...fault('indexes at once', tablesWithSeveralIndexChanges(old, stack)),
    ...fault('name taken', takenNames(stack, [old, ...others])),
    ...fault('name left behind', leftNames(old, changes.gone)),
    ...fault('name kept by replacement', keptNames(old, stack, changes.replaced)),
  ];
}

interface Impacts {
  readonly gone: readonly string[];
  readonly replaced: readonly string[];
}

function impacts(old: StackTemplate, stack: StackTemplate): Impacts {
  // Comparing whole templates is slow. It is needed only if a resource is replaced, because resources that refer to it
  // may be replaced too.
  const ofChanged = impactsIn(...changedResources(old, stack));
  return ofChanged.replaced.length === 0 ? ofChanged : impactsIn(old.template, stack.template);
}

function impactsIn(old: StackTemplate['template'], template: StackTemplate['template']): Impacts {
  const changes = Object.entries(fullDiff(old, template).resources.changes);
  const withImpact = (impacts: readonly (ResourceImpact | undefined)[]) =>
    changes.filter(([, { changeImpact }]) => impacts.includes(changeImpact)).map(([id]) => id);
  return { gone: withImpact(GONE), replaced: withImpact(REPLACED) };
}

/** Returns both templates with only the resources that the update creates, changes or removes. */
function changedResources(old: StackTemplate, stack: StackTemplate) {
  const isChanged = (id: string) => !isDeepStrictEqual(resource(old, id), resource(stack, id));
  const changed = ({ Resources = {} }: StackTemplate['template']) => ({
    Resources: Object.fromEntries(Object.entries(Resources).filter(([id]) => isChanged(id))),
  });
  return [changed(old.template), changed(stack.template)] as const;
}

function exportsInUse(
  old: StackTemplate,
  stack: StackTemplate,
  others: readonly StackTemplate[],
  replaced: readonly string[],
): string[] {
  const values = exportsOf(stack);
  const isReplaced = (value: string) => replaced.some((id) => value.includes(`"${id}"`));
  const changed = [...exportsOf(old)].filter(
    ([name, value]) => values.get(name) !== value || isReplaced(value),
  );
  if (changed.length === 0) return [];
  const imported = new Set(others.flatMap(({ template }) => [...argumentsOf(template, 'Fn::ImportValue')]));
  return changed.map(([name]) => name).filter((name) => imported.has(name));
}

/** Returns the exports that the stack imports and the outputs that it reads, if no deployed stack has them. */
function missingValues(stack: StackTemplate, others: readonly StackTemplate[]): string[] {
  const exported = new Set(others.flatMap((other) => [...exportsOf(other).keys()]));
  const outputs = new Set(
    others.flatMap(({ name, template }) =>
      Object.keys(template.Outputs ?? {}).map((OutputName) => outputName({ StackName: name, OutputName })),
    ),
  );
  const imports = [...argumentsOf(stack.template, 'Fn::ImportValue')];
  const reads = [...argumentsOf(stack.template, 'Fn::GetStackOutput')].map((text) =>
    outputName(JSON.parse(text)),
  );
  return [...imports.filter((name) => !exported.has(name)), ...reads.filter((name) => !outputs.has(name))];
}

function outputName({ StackName, OutputName }: { StackName: string; OutputName: string }): string {
  return `${StackName}.${OutputName}`;
}

function lostState(old: StackTemplate, { gone, replaced }: Impacts): string[] {
  return [...gone, ...replaced]
    .filter((id) => STATEFUL.has(resource(old, id)?.Type ?? ''))
    .map((id) => described(old, id));
}

/** Returns the secrets that get a new value because GenerateSecretString or SecretString changes. */
function overwrittenSecrets(old: StackTemplate, stack: StackTemplate): string[] {
  const secretValue = (one?: Resource) =>
    JSON.stringify([one?.Properties?.['GenerateSecretString'], one?.Properties?.['SecretString']]);
  return Object.keys(old.template.Resources ?? {})
    .filter(
      (id) => resource(old, id)?.Type === 'AWS::SecretsManager::Secret' && resource(stack, id) !== undefined,
    )
    .filter((id) => secretValue(resource(old, id)) !== secretValue(resource(stack, id)))
    .map((id) => described(old, id));
}

function tablesWithSeveralIndexChanges(old: StackTemplate, stack: StackTemplate): string[] {
  return Object.keys(old.template.Resources ?? {})
    .filter((id) => resource(stack, id) !== undefined)
    .filter((id) => indexesOf(old, id).symmetricDifference(indexesOf(stack, id)).size > 1)
    .map((id) => described(old, id));
}

/** Returns the definitions of a table's indexes as text, and an empty set for other resources. */
function indexesOf(stack: StackTemplate, id: string): Set<string> {
  const indexes = resource(stack, id)?.Properties?.['GlobalSecondaryIndexes'];
  return new Set(Array.isArray(indexes) ? indexes.map((index) => JSON.stringify(index)) : []);
}

/** Returns the resources whose names are taken: CloudFormation creates new resources before it deletes old ones. */
function takenNames(stack: StackTemplate, deployed: readonly StackTemplate[]): string[] {
  const owners = new Map(deployed.flatMap((one) => [...namesOf(one)]));
  return [...namesOf(stack)]
    .filter(([name, id]) => owners.has(name) && owners.get(name) !== id)
    .map(([, id]) => described(stack, id.slice(stack.name.length + 1)));
}

function keptNames(old: StackTemplate, stack: StackTemplate, replaced: readonly string[]): string[] {
  const names = new Map([...namesOf(old)].map(([name, id]) => [id, name]));
  const kept = new Set(
    [...namesOf(stack)].filter(([name, id]) => names.get(id) === name).map(([, id]) => id),
  );
  return replaced.filter((id) => kept.has(`${stack.name}.${id}`)).map((id) => described(old, id));
}

function leftNames(old: StackTemplate, gone: readonly string[]): string[] {
  const named = new Set(namesOf(old).values());
  return gone
    .filter((id) => named.has(`${old.name}.${id}`) && resource(old, id)?.DeletionPolicy?.startsWith('Retain'))
    .map((id) => described(old, id));
}

/** Returns the physical names in a stack. The value of each is the stack and logical ID of its resource. */
function namesOf({ name: stack, template }: StackTemplate): Map<string, string> {
  const named = Object.entries(template.Resources ?? {}).flatMap(([id, { Type, Properties }]) => {
    const properties = (NAMES[Type] ?? []).map((property) => Properties?.[property]);
    if (properties.at(-1) === undefined) return [];
    const text = JSON.stringify([Type, ...properties]);
    // A name with a reference is unique only in its stack.
    return [[text.includes('{') ? `${stack}.${text}` : text, `${stack}.${id}`] as const];
  });
  return new Map(named);
}

function exportsOf({ template }: StackTemplate): Map<string, string> {
  return new Map(
    Object.values(template.Outputs ?? {}).flatMap(({ Value, Export }) =>
      Export === undefined ? [] : [[String(Export.Name), JSON.stringify(Value)] as const],
    ),
  );
}

function argumentsOf(template: object, name: string): Set<string> {
  const found = new Set<string>();
  const search = (value: object) => {
    for (const [key, inner] of Object.entries(value)) {
      if (key === name) found.add(typeof inner === 'string' ? inner : JSON.stringify(inner));
      else if (typeof inner === 'object' && inner !== null) search(inner);
    }
  };
  search(template);
  return found;
}

function resource({ template }: StackTemplate, id: string): Resource | undefined {
  return template.Resources?.[id];
}

function described(stack: StackTemplate, id: string): string {
  return `${resource(stack, id)?.Type} ${id}`;
}
