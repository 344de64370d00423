import { createHash } from 'node:crypto';
import { escapeHtml } from '../../../shared/core/html.ts';
import type { DemoMember } from '../demo-members.ts';

/** The page on which people choose who they are. Plain HTML that needs no script. */

const STYLE = `
:root{color-scheme:light dark;--ground:#eef2f4;--card:#fff;--text:#15202b;--soft:#4c5964;--line:#8896a1;--accent:#0b5d3b;--on-accent:#fff;--notice:#7a3d00}
@media (prefers-color-scheme:dark){:root{--ground:#11171c;--card:#1b242b;--text:#e8eef2;--soft:#b3c0ca;--line:#71808c;--accent:#7fdcae;--on-accent:#06251a;--notice:#ffc37d}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:28rem;margin:0 auto;padding:1.5rem 1rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:1.25rem}
.double{margin:0 0 1rem;padding:.5rem .75rem;border:2px dashed var(--notice);border-radius:6px;color:var(--notice);font-weight:600}
h1{margin:0 0 1rem;font-size:1.15rem;line-height:1.3}
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

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Returns the headers of the page. Its forms lead only to the page itself and on to the client, at `origins`. */
export function signInHeaders(origins: readonly string[]): Record<string, string> {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action ${["'self'", ...origins].join(' ')}; frame-ancestors 'none'`,
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  };
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
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - test double for Cognito</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<div class="card">
<p class="double">Test double for Cognito. Only new people need a password.</p>
${content}
</div>
</main>
</body>
</html>
`;
}
