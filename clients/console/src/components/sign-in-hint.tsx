import { isSignInOld } from '../session.ts';

export function SignInHint() {
  return isSignInOld() ? (
    <p class="hint">You will be asked to sign in again first. Your input is kept.</p>
  ) : null;
}
