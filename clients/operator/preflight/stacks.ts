import { CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';
import type { Stage, StageConfig } from '../../../infra/config.ts';
import { CallError, CLIENT_SETTINGS, call } from './aws-call.ts';
import { fault, notYet, ok, type Row } from './rows.ts';
import type { StackPart, Stacks, World } from './world.ts';

/** Returns the stacks to check, in the order in which `cdk deploy --all` creates them. */
function partsOf({ console }: StageConfig): StackPart[] {
  return console
    ? ['data', 'webhooks', 'api', 'console', 'operations', 'access']
    : ['data', 'api', 'operations', 'access'];
}

/** Returns access to the stacks of a stage. Reads each stack at most once. */
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

/** Checks that each stack of `partsOf` is deployed, and that its last deployment completed or was rolled back. */
export async function checkStacks({ stacks, config, region }: World): Promise<Row[]> {
  const check = 'stacks';
  const { stage } = config;
  const found = await Promise.all(
    partsOf(config).map(async (part) => ({ name: stacks.nameOf(part), stack: await stacks.describe(part) })),
  );
  const faults = found.flatMap(({ name, stack }) =>
    stack ? faultsOf(check, name, stack.StackStatus ?? '', region) : [],
  );
  const missing = found.filter(({ stack }) => !stack).map(({ name }) => name);
  const deploy = `npm run deploy -- -c stage=${stage}`;
  if (missing.length > 0)
    return [...faults, notYet(check, `Not deployed yet: ${missing.join(', ')}.`, deploy)];
  return faults.length > 0 ? faults : [ok(check, `All ${found.length} stacks are deployed.`)];
}

/** Returns a row if the state of a stack needs action. A failed update that was rolled back needs none here. */
function faultsOf(check: string, name: string, status: string, region: string): Row[] {
  const options = `--stack-name ${name} --region ${region}`;
  if (status === 'ROLLBACK_COMPLETE' || status === 'ROLLBACK_FAILED')
    return [
      fault(
        check,
        `The first deployment of ${name} failed (${status}). Find the cause in its events, delete the stack, and deploy again.`,
        `aws cloudformation describe-stack-events ${options}`,
        `aws cloudformation update-termination-protection --no-enable-termination-protection ${options}`,
        `aws cloudformation delete-stack ${options}`,
      ),
    ];
  if (status === 'UPDATE_ROLLBACK_FAILED')
    return [
      fault(
        check,
        `The rollback of ${name} failed (${status}). Fix the cause that its events name, and continue the rollback.`,
        `aws cloudformation describe-stack-events ${options}`,
        `aws cloudformation continue-update-rollback ${options}`,
      ),
    ];
  if (status.endsWith('_FAILED'))
    return [
      fault(
        check,
        `The last change to ${name} failed (${status}). Its events name the cause.`,
        `aws cloudformation describe-stack-events ${options}`,
      ),
    ];
  if (status.endsWith('_IN_PROGRESS'))
    return [
      notYet(
        check,
        `${name} is being changed (${status}).`,
        `aws cloudformation describe-stacks ${options} --query 'Stacks[0].StackStatus'`,
      ),
    ];
  return [];
}
