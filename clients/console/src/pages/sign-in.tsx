import { useLocation } from 'preact-iso/router';
import { signInAddress } from '../api.ts';
import { ButtonLink } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { signInTexts } from '../texts.ts';

/** The address contains `to`, the page to return to, and `failed` after a sign-in that was not completed. */
export default function SignIn() {
  const { query } = useLocation();
  return (
    <div class="single">
      <Page title={signInTexts.title} lead={signInTexts.lead}>
        {query['failed'] && <Notice kind="error">{signInTexts.failed}</Notice>}
        {query['to'] && !query['failed'] && <Notice kind="information">{signInTexts.signedOut}</Notice>}
        <ButtonLink kind="primary" href={signInAddress(query['to'] ?? '/')}>
          {signInTexts.action}
        </ButtonLink>
        <p class="hint">{signInTexts.newHere}</p>
      </Page>
    </div>
  );
}
