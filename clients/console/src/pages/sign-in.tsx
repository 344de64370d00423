import { useLocation } from 'preact-iso/router';
import { signInAddress } from '../api.ts';
import { ButtonLink } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';

/** The address contains `to`, the page to return to, and `failed` after a sign-in that was not completed. */
export default function SignIn() {
  const { query } = useLocation();
  return (
    <div class="single">
      <Page title="Sign in" lead="Manage your organisation, its team, its API keys and its services.">
        {query['failed'] && <Notice kind="error">The sign-in was not completed. Try again.</Notice>}
        {query['to'] && !query['failed'] && (
          <Notice kind="information">You are signed out. Sign in to continue where you left off.</Notice>
        )}
        <ButtonLink kind="primary" href={signInAddress(query['to'] ?? '/')}>
          Sign in
        </ButtonLink>
        <p class="hint">New here? The same button lets you create an account.</p>
      </Page>
    </div>
  );
}
