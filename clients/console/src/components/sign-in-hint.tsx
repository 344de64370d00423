import { isSignInOld } from '../session.ts';
import { sharedTexts } from '../texts.ts';

/** Says, before a sensitive change, that it leads to the sign-in. */
export function SignInHint() {
  return isSignInOld(Date.now()) ? <p class="hint">{sharedTexts.signInFirst}</p> : null;
}
