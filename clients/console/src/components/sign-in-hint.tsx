import { controlTexts } from '../control-texts.ts';
import { isSignInOld } from '../session.ts';

/** Says, before a sensitive change, that it leads to the sign-in. */
export function SignInHint() {
  return isSignInOld(Date.now()) ? <p class="hint">{controlTexts.signInFirst}</p> : null;
}
