import type { Environment } from 'aws-cdk-lib';
import type { Stage, StageConfig } from '../config.ts';

/** Keeps a stage in its own account, whichever AWS profile is in use. */

export type Pin = Pick<StageConfig, 'stage' | 'account' | 'region'>;

const PINNED_STAGES: readonly Stage[] = ['staging', 'prod'];
const EXAMPLES = { account: "'123456789012'", region: "'eu-west-1'" } as const;

export const stageFile = (stage: Stage) => `infra/stages/${stage}.ts`;

/** For stages of customers or rehearsals. */
export function checkPin(pin: Pin): void {
  const missing = (['account', 'region'] as const).filter((name) => pin[name] === undefined);
  if (missing.length === 0 || !PINNED_STAGES.includes(pin.stage)) return;
  const settings = missing.map((name) => `${name}: ${EXAMPLES[name]}`).join(', ');
  throw new Error(
    `${stageFile(pin.stage)} does not set ${missing.join(' or ')}. Add the AWS ${missing.join(' and ')} of the ` +
      `stage, for example ${settings} (docs/operate/deploy.md, "Account and region").`,
  );
}

/**
 * Returns the account and region of the stacks. They come from the stage's settings, or else from the AWS profile,
 * whose values the CDK CLI passes in `variables`. Without either, the templates work in any account and region. Throws
 * if the credentials belong to an account other than the stage's. The stage's region may differ from the profile's,
 * because the CDK CLI deploys to the region of the stacks.
 */
export function stackEnvironment(
  { stage, account, region }: Pin,
  variables: Readonly<Record<string, string | undefined>>,
): Environment {
  const found = variables['CDK_DEFAULT_ACCOUNT'];
  if (account && found && found !== account) throw new Error(wrongAccount(stage, account, found));
  const target = {
    account: account ?? found,
    region: region ?? variables['CDK_DEFAULT_REGION'],
  };
  return {
    ...(target.account && { account: target.account }),
    ...(target.region && { region: target.region }),
  };
}

export function wrongAccount(stage: Stage, expected: string, found: string): string {
  return (
    `The ${stage} stage is in the AWS account ${expected} (${stageFile(stage)}), but your credentials belong to the ` +
    `account ${found}. Select a profile for the account ${expected}: AWS_PROFILE=<profile>.`
  );
}
