import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { buildApp } from '../../infra/app.ts';
import type { StageConfig } from '../../infra/config.ts';
import { FUNCTION_NAMES } from '../../infra/routes.ts';

/** Synthesises the templates for tests, and reads functions, permissions and resources from them. */

export interface Templates {
  readonly data: Template;
  readonly api: Template;
  /** Empty for the stage `local`. */
  readonly operations: Template;
  /** Empty for the stage `local`. */
  readonly access: Template;
  /** Termination protection, which is not part of the template. */
  readonly dataIsProtected: boolean;
}

export type Properties = Record<string, unknown>;

export interface Resource {
  readonly Type: string;
  readonly Properties: Properties;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly Metadata: { readonly 'aws:cdk:path': string };
}

/** The context of cdk.json with additional values, for example the stage. */
export function context(more: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { context: flags } = JSON.parse(readFileSync('cdk.json', 'utf8'));
  return { ...flags, 'aws:cdk:enable-path-metadata': true, ...more };
}

/** Synthesises a stage with empty bundles. */
export function synthesize(stage = 'prod', changes: Partial<StageConfig> = {}): Templates {
  const directory = mkdtempSync(join(tmpdir(), 'synthesis-'));
  try {
    const bundle = join(directory, 'bundle');
    mkdirSync(bundle);
    writeFileSync(join(bundle, 'index.cjs'), '');
    const bundles = new Map(FUNCTION_NAMES.map((name) => [name, bundle]));
    const app = buildApp({
      outdir: join(directory, 'out'),
      context: context({ stage }),
      changes,
      bundles,
      // Takes seconds. The test of the whole synthesis in bundle.test.ts does not disable it.
      builtinCloudFormationValidation: false,
    });
    const stack = (part: string) => app.node.tryFindChild(`identity-${stage}-${part}`);
    const template = (part: string) => {
      const found = stack(part);
      return found ? Template.fromStack(Stack.of(found)) : Template.fromJSON({});
    };
    const data = stack('data');
    return {
      data: template('data'),
      api: template('api'),
      operations: template('operations'),
      access: template('access'),
      dataIsProtected: data !== undefined && Stack.of(data).terminationProtection === true,
    };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** The resources of a type, by logical ID. */
export function resourcesOf(template: Template, type: string): Map<string, Resource> {
  return new Map(Object.entries(template.findResources(type) as Record<string, Resource>));
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

/** Every function with all statements of its role. */
export function functionsOf(api: Template): DeployedFunction[] {
  const roles = resourcesOf(api, 'AWS::IAM::Role');
  const policies = [...resourcesOf(api, 'AWS::IAM::Policy').values()];
  return [...resourcesOf(api, 'AWS::Lambda::Function')].map(([logicalId, resource]) => {
    const { Environment, Role } = resource.Properties as {
      Environment: { Variables: Record<string, unknown> };
      Role: { 'Fn::GetAtt': [string, string] };
    };
    const roleId = Role['Fn::GetAtt'][0];
    const role = roles.get(roleId)?.Properties ?? {};
    if (role['ManagedPolicyArns'])
      throw new Error(`${roleId} has managed policies. The tests can only read inline policies.`);
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

/** Puts a single value into a list. */
export function listOf<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? value : [value as T];
}
