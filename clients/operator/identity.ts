import { userInfo } from 'node:os';
import { UsageError } from './arguments.ts';

/**
 * The actor of changes that are made with --local. No option can set this name. With --stage, the actor is the ARN of
 * the AWS caller (aws-profile.ts).
 */

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
