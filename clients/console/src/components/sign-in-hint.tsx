import { controlTexts } from '../control-texts.ts';
import { isSignInOld } from '../session.ts';

/** Says that a sensitive change first requires a new sign-in. */
export function SignInHint() {
  return isSignInOld(Date.now()) ? <p class="hint">{controlTexts.signInFirst}</p> : null;
}
