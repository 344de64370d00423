import { userInfo } from 'node:os';
import { UsageError } from './arguments.ts';

/** Who runs the CLI: no option sets the name that is recorded. It comes from AWS, or from the operating system. */

/** Returns the ARN of the AWS caller, which the credentials of the AWS profile determine. */
export async function awsIdentity(): Promise<string> {
  // Loaded on demand: only commands that change something need it.
  const { GetCallerIdentityCommand, STSClient } = await import('@aws-sdk/client-sts');
  const { Arn } = await new STSClient().send(new GetCallerIdentityCommand());
  if (!Arn) throw new Error('AWS did not return your identity. Nothing was changed.');
  return Arn;
}

/** Returns the user name of the operating system. It does not depend on environment variables. */
export function localIdentity(): string {
  try {
    return userInfo().username;
  } catch {
    throw new UsageError(
      'No user name was found for the current user of this machine. Nothing was changed. Run the command as a user that has a name in the operating system.',
    );
  }
}
