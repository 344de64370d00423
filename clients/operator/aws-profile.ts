import type { Stage } from '../../infra/config.ts';
import { type Pin, stageFile, wrongAccount } from '../../infra/stages/pin.ts';
import { pinOf } from '../../infra/stages/read-config.ts';

export interface StageAccess {
  readonly region: string;
  /** The 12 digits of the account. */
  readonly account: string;
  readonly callerArn: string;
}

const NOTHING = 'Nothing was read or changed.';

/**
 * Sends only GetCallerIdentity, which needs no permission. Throws, with the setting to change, if the region or the
 * credentials are not those of the stage.
 */
export async function accessStage(stage: Stage, pin: Pin = pinOf(stage)): Promise<StageAccess> {
  // --local does not need it.
  const { GetCallerIdentityCommand, STSClient } = await import('@aws-sdk/client-sts');
  const selected = await selectedRegion(() => new STSClient().config.region());
  const region = pin.region ?? selected;
  if (region === undefined) throw new Error(noRegion(stage));
  if (selected !== undefined && selected !== region) throw new Error(wrongRegion(stage, region, selected));
  const { Account, Arn } = await new STSClient({ region }).send(new GetCallerIdentityCommand());
  if (!Account || !Arn) throw new Error(`AWS did not return your identity. ${NOTHING}`);
  if (pin.account !== undefined && Account !== pin.account)
    throw new Error(`${wrongAccount(stage, pin.account, Account)} ${NOTHING}`);
  return { region, account: Account, callerArn: Arn };
}

/** From AWS_REGION, the profile or the EC2 instance. */
async function selectedRegion(load: () => Promise<string>): Promise<string | undefined> {
  try {
    return await load();
  } catch (error) {
    // The SDK has no class for this error.
    if (error instanceof Error && error.message === 'Region is missing') return undefined;
    throw error;
  }
}

function noRegion(stage: Stage): string {
  return (
    `No AWS region is selected. Select a profile that has a region (AWS_PROFILE=<profile>), add a region to your ` +
    `profile (\`aws configure\`), or set region in ${stageFile(stage)}. ${NOTHING}`
  );
}

function wrongRegion(stage: Stage, expected: string, found: string): string {
  return (
    `The ${stage} stage is in the AWS region ${expected} (${stageFile(stage)}), but AWS_REGION or your profile selects ` +
    `${found}. Select a profile for ${expected} (AWS_PROFILE=<profile>), or set AWS_REGION=${expected}. ${NOTHING}`
  );
}

const EXPIRED: ReadonlySet<string> = new Set(['ExpiredToken', 'ExpiredTokenException']);
const UNKNOWN: ReadonlySet<string> = new Set([
  'InvalidClientTokenId',
  'UnrecognizedClientException',
  'InvalidAccessKeyId',
]);

/** Undefined for any other error. */
export function credentialsAdvice({ name, message }: Error): string | undefined {
  if (name === 'CredentialsProviderError')
    return (
      `No AWS credentials were found${message.startsWith('Could not load') ? '' : `: ${message.replace(/\.$/, '')}`}. ` +
      'Select a profile (AWS_PROFILE=<profile>; `aws configure list-profiles` lists yours), sign in (`aws sso login`), ' +
      'or add a profile (`aws configure`).'
    );
  if (EXPIRED.has(name))
    return 'Your AWS credentials have expired. Sign in again, for example with `aws sso login`, or assume the role again.';
  if (UNKNOWN.has(name))
    return 'AWS does not recognise your credentials. Check the access key of your profile. If you assumed a role, assume it again.';
  return undefined;
}
