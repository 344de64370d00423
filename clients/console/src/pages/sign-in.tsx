import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import type { SignUpBody } from '../../../../shared/members/console/bodies.ts';
import { send, signInAddress } from '../api.ts';
import { ButtonLink } from '../components/button.tsx';
import { TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Notice } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { useForm } from '../form.ts';

/**
 * The address contains `to`, the page to return to, `failed` after a sign-in that was not completed, and `new` for people
 * without an account.
 */
export default function SignIn() {
  const { query } = useLocation();
  const to = query['to'] ?? '/';
  return <div class="single">{query['new'] ? <SignUp to={to} /> : <ExistingAccount to={to} />}</div>;
}

function ExistingAccount({ to }: { readonly to: string }) {
  const { query } = useLocation();
  return (
    <Page
      title="Sign in"
      lead="Welcome. Here you manage your organisation, its team, its API keys and its credits."
    >
      {query['failed'] && <Notice kind="error">The sign-in was not completed. Try again.</Notice>}
      {to !== '/' && !query['failed'] && (
        <Notice kind="information">Sign in to open the page that you asked for.</Notice>
      )}
      <ButtonLink kind="primary" href={signInAddress(to)}>
        Sign in
      </ButtonLink>
      <p class="hint">
        New here? <a href={`/sign-in?new=1&to=${encodeURIComponent(to)}`}>Create an account</a>
      </p>
    </Page>
  );
}

function SignUp({ to }: { readonly to: string }) {
  const form = useForm<SignUpBody>('sign-up', { email: '' });
  const sentTo = useSignal('');
  const { email } = form.values.value;
  const signUp = async () => {
    const result = await form.submit(() => send('POST', '/sign-up', { email } satisfies SignUpBody));
    if (result?.ok) sentTo.value = email;
  };
  return (
    <Page title="Create an account" lead="An email will tell you how to sign in for the first time.">
      {sentTo.value ? (
        <>
          <Notice kind="success">
            An email to {sentTo.value} says how to sign in. If none arrives, sign up again after midnight UTC.
          </Notice>
          <ButtonLink kind="primary" href={signInAddress(to)}>
            Sign in
          </ButtonLink>
        </>
      ) : (
        <Form form={form} action="Create an account" onSubmit={signUp}>
          <TextField
            name="email"
            label="Email address"
            type="email"
            autocomplete="email"
            value={email}
            error={form.errorOf('email')}
            onInput={(text) => form.set('email', text)}
          />
        </Form>
      )}
    </Page>
  );
}
