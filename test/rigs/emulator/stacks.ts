import {
  CloudFormationClient,
  DescribeStacksCommand,
  ListStackResourcesCommand,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation';
import { mustRun, type ProgramResult, run } from '../../support/programs.ts';
import { ROOT } from './assemblies.ts';
import type { Emulator } from './emulator.ts';

export function stacksOf({ environment, account, region, settings }: Emulator) {
  const client = new CloudFormationClient(settings);
  const options = { cwd: ROOT, env: environment };
  const describe = async (StackName: string) => {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName }));
    return Stacks?.[0];
  };
  const resourcesOf = async (StackName: string) => {
    const { StackResourceSummaries } = await client.send(new ListStackResourcesCommand({ StackName }));
    return StackResourceSummaries ?? [];
  };
  return {
    bootstrap: () => mustRun('cdk', ['bootstrap', `aws://${account}/${region}`], options),
    // Uses no change sets, because moto loses the outputs of stacks that it deploys with them.
    deploy: (assembly: string) =>
      mustRun(
        'cdk',
        ['deploy', '--all', '--app', assembly, '--method', 'direct', '--require-approval', 'never'],
        options,
      ),
    destroy: (assembly: string, stack: string): Promise<ProgramResult> =>
      run('cdk', ['destroy', stack, '--app', assembly, '--force', '--exclusively'], options),
    /** Throws if the stack does not exist. */
    stateOf: async (stack: string) => (await describe(stack))?.StackStatus,
    outputOf: async (stack: string, name: string): Promise<string> => {
      const output = (await describe(stack))?.Outputs?.find(({ OutputKey }) => OutputKey === name);
      if (!output?.OutputValue) throw new Error(`${stack} has no output ${name}.`);
      return output.OutputValue;
    },
    countResources: async (StackName: string): Promise<number> => (await resourcesOf(StackName)).length,
    /** Returns the physical ID of the only resource of a type. */
    physicalIdOf: async (StackName: string, type: string): Promise<string | undefined> => {
      const found = (await resourcesOf(StackName)).filter(({ ResourceType }) => ResourceType === type);
      if (found.length !== 1)
        throw new Error(`${StackName} has ${found.length} resources of the type ${type}.`);
      return found[0]?.PhysicalResourceId;
    },
    liftProtection: (StackName: string) =>
      client.send(new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection: false })),
  };
}

export type Stacks = ReturnType<typeof stacksOf>;
