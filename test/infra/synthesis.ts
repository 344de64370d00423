import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Template as Assertions } from 'aws-cdk-lib/assertions';
import type { StageConfig } from '../../infra/config.ts';
import { outsideJest } from '../support/outside-jest.ts';
import { RUN_DIRECTORY } from '../support/run-directory.ts';
import type { StackTemplate } from './deployment-faults.ts';
import type { Synthesis, Synthesised } from './synthesise.ts';

/** Synthesises the templates for tests, and reads functions, permissions and resources from them. */

export const { Match, Template } =
  outsideJest<typeof import('aws-cdk-lib/assertions')>('aws-cdk-lib/assertions');
export type Template = Assertions;

export interface Templates {
  readonly data: Template;
  /** The functions that the API invokes. */
  readonly functions: Template;
  readonly api: Template;
  /** Empty without the setting `console`. */
  readonly webhooks: Template;
  /** Empty without the setting `console`. */
  readonly console: Template;
  /** Empty for the stage `local`. */
  readonly operations: Template;
  readonly operators: Template;
  readonly access: Template;
  /** Empty without the setting `operations.delivery`. */
  readonly delivery: Template;
  /** Empty without the setting `operations.probeRegion`. */
  readonly probe: Template;
  /** Empty without the setting `operations.backup`. */
  readonly backup: Template;
  /** The only stack with the context value `backupVault`. */
  readonly backupVault: Template;
  /** Termination protection, which is not part of the template. */
  readonly dataIsProtected: boolean;
  readonly warnings: readonly string[];
}

export type Properties = Record<string, unknown>;

export interface Resource {
  readonly Type: string;
  readonly Properties: Properties;
  readonly DependsOn?: string | readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly Metadata: { readonly 'aws:cdk:path': string };
}

/** The syntheses of this test file. They are kept, because many of its tests start from the same settings. */
const known = new Map<string, Synthesised>();
function synthesised(stage: string, synthesis: Synthesis): Synthesised {
  const { changes = {}, more, now } = synthesis;
  const settings = Object.entries(changes).map(([name, value]) => [name, value ?? null]);
  const account = process.env['CDK_DEFAULT_ACCOUNT'];
  const key = JSON.stringify([stage, settings, more, now, account]);
  const found =
    known.get(key) ?? synthesisedInRun(key, () => cdk().synthesise(stage, { ...synthesis, account }));
  known.set(key, found);
  return found;
}

/** Loads the CDK only when a worker first has to synthesise something. */
const cdk = () => outsideJest<typeof import('./synthesise.ts')>(join(import.meta.dirname, 'synthesise.ts'));

/** Synthesises, or reuses the result of another test file for the same settings: synthesising takes a second. */
function synthesisedInRun(key: string, synthesise: () => string): Synthesised {
  const file = join(RUN_DIRECTORY, `${createHash('sha256').update(key).digest('hex')}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const made = synthesise();
  // Test files run at the same time, so a file gets its final name only when it is complete.
  const written = `${file}.${process.pid}`;
  writeFileSync(written, made);
  renameSync(written, file);
  return JSON.parse(made);
}

/** Returns the templates of a stage. `more` contains further context values, for example `deployNow`. */
export function synthesize(
  stage = 'prod',
  changes: Partial<StageConfig> = {},
  more: Readonly<Record<string, unknown>> = {},
): Templates {
  const { stacks, warnings } = synthesised(stage, { changes, more });
  const stack = (part: string) => stacks.find(({ name }) => name === `identity-${stage}-${part}`);
  const template = (part: string) => Template.fromJSON({ ...stack(part)?.template });
  return {
    data: template('data'),
    functions: template('api-functions'),
    api: template('api'),
    webhooks: template('webhooks'),
    console: template('console'),
    operations: template('operations'),
    operators: template('operators'),
    access: template('access'),
    delivery: template('delivery'),
    probe: template('probe'),
    backup: template('backup'),
    backupVault: template('backup-vault'),
    warnings,
    dataIsProtected: stack('data')?.isProtected === true,
  };
}

/** Returns the template of a data stack whose resources no other stack uses. */
export function dataStackAlone(): Template {
  return Template.fromJSON(JSON.parse(cdk().dataStackAlone()));
}

/** Returns the stacks of a stage in the order in which the CDK deploys them. */
export function synthesizeStacks(stage: string, synthesis: Synthesis = {}): readonly StackTemplate[] {
  return synthesised(stage, synthesis).stacks;
}

export function warningsOf(stage: string, synthesis: Synthesis): readonly string[] {
  return synthesised(stage, synthesis).warnings;
}

export function resourcesOf(template: Template, type: string): Map<string, Resource> {
  return new Map(Object.entries(template.findResources(type) as Record<string, Resource>));
}

export function propertiesOf(template: Template, type: string): Properties[] {
  return [...resourcesOf(template, type).values()].map(({ Properties }) => Properties);
}

interface Operation {
  readonly security?: unknown;
  readonly 'x-amazon-apigateway-integration': {
    readonly type: string;
    readonly uri: { readonly 'Fn::Join': readonly [string, readonly unknown[]] };
    readonly credentials?: unknown;
  };
}

/** The OpenAPI document from which API Gateway creates the REST API. */
export interface ApiBody {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly servers: readonly unknown[];
  readonly 'x-amazon-apigateway-binary-media-types': readonly string[];
  readonly 'x-amazon-apigateway-gateway-responses': Readonly<
    Record<
      string,
      {
        readonly statusCode: string;
        readonly responseParameters: Readonly<Record<string, string>>;
        readonly responseTemplates: { readonly 'application/json': string };
      }
    >
  >;
}

/** Returns the API's body. Throws if the template has other resources of the API: an update would remove them. */
export function apiBodyOf(api: Template): ApiBody {
  for (const type of ['Resource', 'Method', 'GatewayResponse', 'Model', 'Authorizer'])
    api.resourceCountIs(`AWS::ApiGateway::${type}`, 0);
  const [restApi] = resourcesOf(api, 'AWS::ApiGateway::RestApi').values();
  return restApi?.Properties['Body'] as ApiBody;
}

/** Returns every method of the REST API, as `POST /v1/ng/nin-basic` or `ANY /`, with its operation. */
export function operationsOf(api: Template): Map<string, Operation> {
  const methods = Object.entries(apiBodyOf(api).paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([key, operation]): [string, Operation] => {
      const method = key === 'x-amazon-apigateway-any-method' ? 'ANY' : key.toUpperCase();
      return [`${method} ${path}`, operation];
    }),
  );
  return new Map(methods);
}

/** Returns `nin-basic` for `identity-prod-api/nin-basic/Resource`. */
export function nameInApp({ Metadata }: Resource): string {
  return Metadata['aws:cdk:path'].split('/').slice(1, -1).join('/');
}

export interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

export interface DeployedFunction {
  readonly name: string;
  readonly logicalId: string;
  readonly properties: Properties;
  readonly environment: Readonly<Record<string, unknown>>;
  readonly statements: readonly Statement[];
}

export function functionsOf(...templates: readonly Template[]): DeployedFunction[] {
  return templates.flatMap(functionsIn);
}

function functionsIn(template: Template): DeployedFunction[] {
  const roles = resourcesOf(template, 'AWS::IAM::Role');
  const policies = ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy'].flatMap((type) => [
    ...resourcesOf(template, type).values(),
  ]);
  return [...resourcesOf(template, 'AWS::Lambda::Function')].map(([logicalId, resource]) => {
    const { Environment, Role } = resource.Properties as {
      Environment: { Variables: Record<string, unknown> };
      Role: { 'Fn::GetAtt': [string, string] };
    };
    const roleId = Role['Fn::GetAtt'][0];
    const role = roles.get(roleId)?.Properties ?? {};
    if (role['ManagedPolicyArns'])
      throw new Error(`${roleId} names managed policies. The tests read only policies that name their role.`);
    const attached = policies.filter(({ Properties }) =>
      JSON.stringify(Properties['Roles']).includes(roleId),
    );
    const documents = [
      ...((role['Policies'] ?? []) as { PolicyDocument: { Statement: Statement[] } }[]),
      ...attached.map(({ Properties }) => Properties as { PolicyDocument: { Statement: Statement[] } }),
    ];
    return {
      name: nameInApp(resource),
      logicalId,
      properties: resource.Properties,
      environment: Environment.Variables,
      statements: documents.flatMap(({ PolicyDocument }) => PolicyDocument.Statement),
    };
  });
}

export function listOf<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? value : [value as T];
}
