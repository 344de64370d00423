import type { StageConfig } from '../../../infra/config.ts';
import { checkPin } from '../../../infra/stages/pin.ts';
import { accessStage, credentialsAdvice, type StageAccess } from '../aws-profile.ts';
import { describe } from './aws-call.ts';
import { fault, ok, type Row } from './rows.ts';

const CHECK = 'account';
const REST = 'Nothing else was checked.';

interface AccountCheck {
  /** The account and region that the preflight checks. Undefined if the row is a finding. */
  readonly access: StageAccess | undefined;
  readonly row: Row;
}

/** Checks the account and region of the credentials against those of the stage. Sends only GetCallerIdentity. */
export async function checkAccount(config: StageConfig): Promise<AccountCheck> {
  try {
    checkPin(config);
  } catch (error) {
    const row = fault(
      CHECK,
      `${messageOf(error)} ${REST}`,
      '# The account and region of your current credentials:',
      'aws sts get-caller-identity --query Account --output text',
      'aws configure get region',
    );
    return { access: undefined, row };
  }
  try {
    const access = await accessStage(config.stage, config);
    return { access, row: ok(CHECK, `${access.account} in ${access.region}, as ${access.callerArn}.`) };
  } catch (error) {
    const row = fault(
      CHECK,
      `${messageOf(error)} ${REST}`,
      '# Your profiles, and the account of the current one:',
      'aws configure list-profiles',
      'aws sts get-caller-identity',
    );
    return { access: undefined, row };
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isOurs = error.name === 'Error' && !('code' in error);
  const text = credentialsAdvice(error) ?? (isOurs ? error.message : describe(error));
  return text.replace(/ Nothing was read or changed\.$/, '');
}
