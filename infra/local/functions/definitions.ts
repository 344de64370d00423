import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { wildcard } from '../aws/policy.ts';
import type { CloudAssembly } from '../templates/cloud-assembly.ts';
import type { Deployment, Resource } from '../templates/template.ts';

/** A function as the templates declare it. */
export interface FunctionDefinition {
  /** The short name, from the function's path in the CDK app, such as `nin-basic`. */
  readonly name: string;
  /** The name in AWS. */
  readonly physicalName: string;
  readonly arn: string;
  readonly roleArn: string;
  readonly directory: string;
  readonly file: string;
  /** The handler's export in `file`. */
  readonly exportName: string;
  /** As in the template, such as `start.handler`. */
  readonly handler: string;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly environment: Readonly<Record<string, string>>;
  /** The maximum number of concurrent executions. Undefined if the template reserves none. */
  readonly reservedConcurrency?: number | undefined;
}

const functionShape = v.object({
  Role: v.string(),
  Handler: v.string(),
  Code: v.object({ S3Key: v.string() }),
  // CloudFormation has the same defaults: 3 s and 128 MB.
  Timeout: v.optional(v.number(), 3),
  MemorySize: v.optional(v.number(), 128),
  ReservedConcurrentExecutions: v.optional(v.number()),
  Environment: v.optional(v.object({ Variables: v.optional(v.record(v.string(), v.string()), {}) })),
});

const permissionShape = v.object({
  Action: v.string(),
  FunctionName: v.string(),
  Principal: v.string(),
  SourceArn: v.optional(v.string(), '*'),
});

/** Returns the functions of the templates. Throws if a bundle or its handler file is missing from the assembly. */
export function functionsOf(
  deployment: Deployment,
  { assetDirectories }: Pick<CloudAssembly, 'assetDirectories'>,
): FunctionDefinition[] {
  return deployment.ofType('AWS::Lambda::Function').map((resource) => {
    const name = functionName(resource);
    const declared = v.parse(functionShape, deployment.properties(resource));
    const directory = assetDirectories.get(declared.Code.S3Key);
    if (!directory) throw new Error(`No asset contains the bundle of the function ${name}.`);
    const [module = '', exportName = ''] = declared.Handler.split('.');
    const file = ['.js', '.mjs', '.cjs']
      .map((extension) => join(directory, module + extension))
      .find(existsSync);
    if (!file)
      throw new Error(`The bundle of the function ${name} has no file for its handler ${declared.Handler}.`);
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
      reservedConcurrency: declared.ReservedConcurrentExecutions,
    };
  });
}

/** Returns a function that checks resource policies: may this service and source invoke the function? */
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
  // In `<stack>/<construct>/.../Resource`, the construct names the function.
  return (typeof path === 'string' && path.split('/').at(1)) || logicalId;
}
