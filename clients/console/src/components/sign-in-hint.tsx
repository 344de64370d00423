import { isSignInOld } from '../session.ts';

/** If the sign-in is old, says that a sensitive change first requires a new one. */
export function SignInHint() {
  return isSignInOld(Date.now()) ? (
    <p class="hint">You will be asked to sign in again first. Your input is kept.</p>
  ) : null;
}
