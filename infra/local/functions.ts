import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { CloudAssembly } from './cloud-assembly.ts';
import type { Resource } from './cloudformation.ts';
import { wildcard } from './policy.ts';
import type { Deployment } from './template.ts';

/** The functions of the deployment, as the templates declare them. */
export interface FunctionDefinition {
  /** As people call it: the function's path in the CDK app, for example `nin-basic`. */
  readonly name: string;
  /** As AWS calls it. */
  readonly physicalName: string;
  readonly arn: string;
  readonly roleArn: string;
  /** The bundle: its directory, its file, and the name of the export that is called. */
  readonly directory: string;
  readonly file: string;
  readonly exportName: string;
  /** As the template has it: `index.handler`. */
  readonly handler: string;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly environment: Readonly<Record<string, string>>;
}

const functionShape = v.object({
  Role: v.string(),
  Handler: v.string(),
  Code: v.object({ S3Key: v.string() }),
  // CloudFormation's own defaults: 3 seconds, 128 MB.
  Timeout: v.optional(v.number(), 3),
  MemorySize: v.optional(v.number(), 128),
  Environment: v.optional(v.object({ Variables: v.optional(v.record(v.string(), v.string()), {}) })),
});

const permissionShape = v.object({
  Action: v.string(),
  FunctionName: v.string(),
  Principal: v.string(),
  SourceArn: v.optional(v.string(), '*'),
});

/** Every function of the templates whose bundle the assembly has. */
export function functionsOf(
  deployment: Deployment,
  { assetDirectories }: Pick<CloudAssembly, 'assetDirectories'>,
): FunctionDefinition[] {
  return deployment.ofType('AWS::Lambda::Function').map((resource) => {
    const name = functionName(resource);
    const declared = v.parse(functionShape, deployment.properties(resource));
    const directory = assetDirectories.get(declared.Code.S3Key);
    if (!directory) throw new Error(`The bundle of the function ${name} is in no asset.`);
    const [module = '', exportName = ''] = declared.Handler.split('.');
    const file = ['.js', '.mjs', '.cjs'].map((end) => join(directory, module + end)).find(existsSync);
    if (!file) throw new Error(`The bundle of the function ${name} has no file for ${declared.Handler}.`);
    return {
      name,
      physicalName: deployment.name(resource),
      arn: deployment.arn(resource),
      roleArn: declared.Role,
      directory,
      file,
      exportName,
      handler: declared.Handler,
      timeoutMs: declared.Timeout * 1000,
      memoryMb: declared.MemorySize,
      environment: declared.Environment?.Variables ?? {},
    };
  });
}

/** The resource policies of functions: may this service, for this resource of its own, call the function? */
export function callPermissions(
  deployment: Deployment,
): (principal: string, sourceArn: string, functionArn: string) => boolean {
  const permissions = deployment.ofType('AWS::Lambda::Permission').map((resource) => {
    const permission = v.parse(permissionShape, deployment.properties(resource));
    return { ...permission, covers: wildcard(permission.SourceArn) };
  });
  return (principal, sourceArn, functionArn) =>
    permissions.some(
      ({ Action, FunctionName, Principal, covers }) =>
        Action.startsWith('lambda:Invoke') &&
        Principal === principal &&
        (FunctionName === functionArn || functionArn.endsWith(`:${FunctionName}`)) &&
        covers(sourceArn),
    );
}

function functionName({ metadata, logicalId }: Resource): string {
  const path = metadata['aws:cdk:path'];
  // `<stack>/<construct>/.../Resource`: the first construct below the stack.
  return (typeof path === 'string' && path.split('/').at(1)) || logicalId;
}
