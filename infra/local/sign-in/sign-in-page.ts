import { escapeHtml } from '../../../shared/core/html.ts';
import type { DemoMember } from '../demo-members.ts';
import { DOUBLE_STYLE, plainPage, plainPageHeaders } from '../plain-page.ts';

/** The page on which people choose who they are. Plain HTML that needs no script. */

const STYLE = `${DOUBLE_STYLE}h1{margin:0 0 1rem;font-size:1.15rem;line-height:1.3}
h2{margin:1.5rem 0 .75rem;font-size:1rem;line-height:1.3}
form{display:grid;gap:.75rem}
label{display:grid;gap:.25rem;font-weight:600}
label span{font-weight:400;color:var(--soft)}
input{min-height:2.75rem;width:100%;padding:.5rem .75rem;border:1px solid var(--line);border-radius:6px;background:var(--card);color:inherit;font:inherit}
button{min-height:2.75rem;padding:.5rem .75rem;border:1px solid var(--line);border-radius:6px;background:transparent;color:inherit;font:inherit;font-weight:600;overflow-wrap:anywhere;cursor:pointer}
button span{display:block;font-size:.875rem;font-weight:400;color:var(--soft)}
button.primary{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
h1+form button{text-align:left}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
[role=alert]{margin:0 0 .75rem;font-weight:600;color:var(--notice)}
p{margin:0}
`;

const AGAIN =
  'The console asks you to sign in again. Cognito now has a new person set up an authenticator app, which this double pretends.';

/** Returns the headers of the page. Its forms lead only to the page itself and on to the client, at `origins`. */
export function signInHeaders(origins: readonly string[]): Record<string, string> {
  return plainPageHeaders(STYLE, origins);
}

export interface SignInPage {
  readonly members: readonly DemoMember[];
  /** The text that the person typed, if it could not be used. */
  readonly email?: string;
  readonly problem?: string;
  /** Whether the person must sign in again, for example to set up a second factor. */
  readonly isAgain?: boolean;
}

export function signInPage({ members, email = '', problem, isAgain = false }: SignInPage): string {
  const buttons = members.map(
    ({ name, role, email: address }) =>
      `<button name="email" value="${escapeHtml(address)}">${escapeHtml(name)}, ${role}<span>${escapeHtml(address)}</span></button>`,
  );
  const alert = problem ? `<p id="problem" role="alert">${escapeHtml(problem)}</p>\n` : '';
  return page(
    'Sign in',
    `<h1>Sign in as</h1>
${isAgain ? `<p>${AGAIN}</p>\n` : ''}<form method="post">
${buttons.join('\n')}
</form>
<h2>Someone else</h2>
${alert}<form method="post" novalidate>
<label for="email">Another email address</label>
<input id="email" name="email" type="email" autocomplete="email" value="${escapeHtml(email)}"${problem ? ' aria-invalid="true" aria-describedby="problem"' : ''}>
<label for="password">Temporary password <span>From the email, at the first sign-in</span></label>
<input id="password" name="password" autocomplete="off">
<label for="name">Name <span>Optional</span></label>
<input id="name" name="name" autocomplete="name">
<button class="primary">Sign in</button>
</form>`,
  );
}

/** Returns the page that shows why a request failed. */
export function signInErrorPage(message: string): string {
  return page('Sign-in failed', `<h1>Sign-in failed</h1>\n<p role="alert">${escapeHtml(message)}</p>`);
}

function page(title: string, content: string): string {
  return plainPage(
    `${title} - test double for Cognito`,
    STYLE,
    `<div class="card">
<p class="double">Test double for Cognito. Only new people need a password.</p>
${content}
</div>`,
  );
}
