import { CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';
import type { Stage, StageConfig } from '../../../infra/config.ts';
import { CallError, CLIENT_SETTINGS, call } from './aws-call.ts';
import { fault, notYet, ok, type Row } from './rows.ts';
import type { StackPart, Stacks, World } from './world.ts';

const CHECK = 'stacks';

/** Returns the stacks to check, in the order in which `cdk deploy --all` creates them. */
function partsOf({ console, operations }: StageConfig): StackPart[] {
  return [
    'data',
    ...(console ? (['webhooks'] as const) : []),
    'api-functions',
    'api',
    ...(console ? (['console'] as const) : []),
    'operators',
    'operations',
    'access',
    ...(operations?.delivery ? (['delivery'] as const) : []),
  ];
}

export function stacksOf(stage: Stage, region: string): Stacks {
  const client = new CloudFormationClient({ ...CLIENT_SETTINGS, region });
  const known = new Map<StackPart, Promise<Stack | undefined>>();
  const nameOf = (part: StackPart) => `identity-${stage}-${part}`;
  const describe = (part: StackPart) => {
    const found = known.get(part) ?? describeStack(client, nameOf(part));
    known.set(part, found);
    return found;
  };
  return {
    nameOf,
    describe,
    async outputs(part) {
      const stack = await describe(part);
      if (!stack) return undefined;
      return Object.fromEntries((stack.Outputs ?? []).map((one) => [one.OutputKey, one.OutputValue]));
    },
  };
}

async function describeStack(client: CloudFormationClient, name: string): Promise<Stack | undefined> {
  try {
    const { Stacks } = await call('cloudformation:DescribeStacks', () =>
      client.send(new DescribeStacksCommand({ StackName: name })),
    );
    // REVIEW_IN_PROGRESS: there is a change set for a new stack, but nothing was deployed.
    return Stacks?.find(({ StackStatus }) => StackStatus !== 'REVIEW_IN_PROGRESS');
  } catch (error) {
    // CloudFormation has no specific error for a stack that does not exist.
    if (error instanceof CallError && /does not exist$/.test(error.message)) return undefined;
    throw error;
  }
}

/**
 * Checks that each stack of `partsOf` is deployed, and that a deployment can change it. CloudFormation would name a
 * stack that failed only when it comes to this stack, after those before it.
 */
export async function checkStacks({ stacks, config, region }: World): Promise<Row[]> {
  const parts = partsOf(config);
  const found = await Promise.all(
    parts.map(async (part) => ({ name: stacks.nameOf(part), stack: await stacks.describe(part) })),
  );
  const faults = found.flatMap(({ name, stack }) => faultsOf(name, stack?.StackStatus ?? '', region));
  const missing = found.filter(({ stack }) => !stack).map(({ name }) => name);
  const deploy = `npm run deploy -- -c stage=${config.stage}`;
  if (missing.length > 0)
    return [...faults, notYet(CHECK, `Not deployed yet: ${missing.join(', ')}.`, deploy)];
  return faults.length > 0 ? faults : [ok(CHECK, `All ${found.length} stacks are deployed.`)];
}

/** Returns a row if the state of a stack needs action. A failed update that was rolled back needs none here. */
function faultsOf(name: string, status: string, region: string): Row[] {
  const stack = (command: string) => `aws cloudformation ${command} --stack-name ${name} --region ${region}`;
  if (status.endsWith('_IN_PROGRESS'))
    return [
      notYet(
        CHECK,
        `${name} is being changed (${status}).`,
        `${stack('describe-stacks')} --query 'Stacks[0].StackStatus'`,
      ),
    ];
  const events = stack('describe-stack-events');
  if (/^ROLLBACK_(COMPLETE|FAILED)$/.test(status))
    return [
      fault(
        CHECK,
        `The first deployment of ${name} failed (${status}). Find the cause in its events, delete the stack, and deploy again.`,
        events,
        stack('update-termination-protection --no-enable-termination-protection'),
        stack('delete-stack'),
      ),
    ];
  if (!status.endsWith('_FAILED')) return [];
  return [
    fault(
      CHECK,
      `The last change to ${name} failed (${status}). Its events name the cause.`,
      events,
      ...(status === 'UPDATE_ROLLBACK_FAILED' ? [stack('continue-update-rollback')] : []),
    ),
  ];
}
