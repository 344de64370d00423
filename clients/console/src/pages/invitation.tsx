import { useEffect, useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { AcceptInvitationBody } from '../../../../shared/members/console/bodies.ts';
import type { SessionView } from '../../../../shared/members/console/views.ts';
import { send } from '../api.ts';
import { Form } from '../components/form.tsx';
import { Notice, ProblemNotice } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { useForm } from '../form.ts';
import { loadSession, session, sessionProblem } from '../session.ts';

/** In the session storage. The invitation belongs to the tab until someone accepts it, whoever signs in. */
const STORED = 'invitation';

/**
 * The secret of the link is in the fragment, which browsers do not send. It is kept during the sign-in, removed from
 * the address, and sent only to accept the invitation.
 */
function takeSecret(): string {
  const token = location.hash.slice(1) || (sessionStorage.getItem(STORED) ?? '');
  history.replaceState(null, '', location.pathname);
  sessionStorage.setItem(STORED, token);
  return token;
}

export default function Invitation() {
  const { route } = useLocation();
  const token = useMemo(takeSecret, []);
  useEffect(() => {
    // Runs once the secret is stored, because `loadSession` opens the sign-in page if there is no session.
    loadSession();
  }, []);
  const form = useForm<object>('invitation', {});
  const accept = async () => {
    const body: AcceptInvitationBody = { token };
    const result = await form.submit(() => send<SessionView>('POST', '/invitations/accept', body));
    if (!result?.ok) return;
    sessionStorage.removeItem(STORED);
    session.value = result.data;
    route('/');
  };
  const email = session.value?.person.email;
  return (
    <div class="single">
      <Page title="Join an organisation" lead="You were invited to join an organisation.">
        <ProblemNotice problem={sessionProblem.value} onRetry={loadSession} />
        {!token && (
          <Notice kind="warning">
            This link contains no invitation. Open the link in the email again, or ask for a new one.
          </Notice>
        )}
        {token && email && (
          <Form form={form} action="Accept the invitation" onSubmit={accept}>
            <p>
              You are signed in as {email}. If the invitation is for another address, sign out, then open its
              link again.
            </p>
          </Form>
        )}
      </Page>
    </div>
  );
}
