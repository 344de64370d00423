import { isSignInOld } from '../session.ts';

export function SignInHint() {
  return isSignInOld() ? (
    <p class="hint">You will be asked to sign in again first, and then return here.</p>
  ) : null;
}
