import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { CLIENT_SETTINGS, callUnless } from './aws-call.ts';
import { fault, ok, type Row } from './rows.ts';
import type { World } from './world.ts';

/**
 * Where the CDK stores the version of its bootstrap stack, and the lowest version that the synthesised stacks accept.
 */
export const PARAMETER = '/cdk-bootstrap/hnb659fds/version';
export const REQUIRED_VERSION = 6;

export async function checkBootstrap({ account, region }: World): Promise<Row[]> {
  const check = 'bootstrap';
  const command = `npx cdk bootstrap aws://${account}/${region}`;
  const client = new SSMClient({ ...CLIENT_SETTINGS, region });
  const found = await callUnless(['ParameterNotFound'], 'ssm:GetParameter', () =>
    client.send(new GetParameterCommand({ Name: PARAMETER })),
  );
  if (!found) return [fault(check, `The CDK is not set up in ${account} / ${region}.`, command)];
  const version = Number(found.Parameter?.Value);
  if (version >= REQUIRED_VERSION) return [ok(check, `Version ${version}.`)];
  return [
    fault(
      check,
      `The CDK bootstrap stack has version ${found.Parameter?.Value}, but the stacks require at least version ${REQUIRED_VERSION}.`,
      command,
    ),
  ];
}
