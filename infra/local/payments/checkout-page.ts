import { createHash } from 'node:crypto';
import { escapeHtml } from '../../../shared/core/html.ts';
import { nairaText } from '../../../shared/payments/naira.ts';
import type { Transaction } from './transactions.ts';

/** The page on which a customer of the test double pays, declines or leaves. Plain HTML that needs no script. */

const STYLE = `
:root{color-scheme:light dark;--ground:#eef2f4;--card:#fff;--text:#15202b;--soft:#4c5964;--line:#8896a1;--accent:#0b5d3b;--on-accent:#fff;--notice:#7a3d00}
@media (prefers-color-scheme:dark){:root{--ground:#11171c;--card:#1b242b;--text:#e8eef2;--soft:#b3c0ca;--line:#71808c;--accent:#7fdcae;--on-accent:#06251a;--notice:#ffc37d}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:28rem;margin:0 auto;padding:1.5rem 1rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:1.25rem}
.double{margin:0 0 1rem;padding:.5rem .75rem;border:2px dashed var(--notice);border-radius:6px;color:var(--notice);font-weight:600}
h1{margin:0;font-size:1.15rem;line-height:1.3;font-weight:600}
.amount{margin:.25rem 0 0;font-size:1.9rem;font-weight:700;line-height:1.2;overflow-wrap:anywhere}
dl{margin:1rem 0;display:grid;grid-template-columns:minmax(6rem,auto) 1fr;gap:.25rem 1rem}
dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere}
form{display:grid;gap:.75rem;margin-top:1.25rem}
button{min-height:2.75rem;padding:.5rem 1rem;border:1px solid var(--line);border-radius:6px;background:transparent;color:inherit;font:inherit;font-weight:600;cursor:pointer}
button[value=pay]{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
button:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
[role=status]{margin:1rem 0 0;font-weight:600;color:var(--notice)}
p{margin:.75rem 0 0}
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/**
 * Returns the headers of the page. Its form may lead only to the page itself, to the site of the merchant and, because
 * that redirects members, to their console on this machine.
 */
export function checkoutHeaders({ callbackUrl }: Transaction): Record<string, string> {
  const merchant = callbackUrl ? ` ${new URL(callbackUrl).origin} http://127.0.0.1:*` : '';
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'self'${merchant}; frame-ancestors 'none'`,
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  };
}

export function checkoutPage(transaction: Transaction): string {
  const { status, amount, currency, reference, email, mode } = transaction;
  const isOpen = status !== 'success' && status !== 'reversed';
  const declined =
    status === 'failed' ? '<p role="status">The payment was declined. Try again, or leave.</p>' : '';
  const actions = `<form method="post">
<button name="outcome" value="pay">Pay</button>
<button name="outcome" value="decline">Decline</button>
<button name="outcome" value="leave">Leave</button>
</form>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Checkout - test double for Paystack</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<div class="card">
<p class="double">Test double for Paystack. No money moves.</p>
<h1>Amount to pay</h1>
<p class="amount">${escapeHtml(currency)} ${nairaText(amount)}</p>
<dl>
<dt>Reference</dt><dd>${escapeHtml(reference)}</dd>
<dt>Email</dt><dd>${escapeHtml(email)}</dd>
<dt>Mode</dt><dd>${mode}</dd>
</dl>
${isOpen ? `${declined}${actions}` : '<p role="status">This payment is complete. You can close this page.</p>'}
</div>
</main>
</body>
</html>
`;
}

/**
 * Returns the address that the browser goes to when the customer pays or leaves: the merchant's page, with the
 * reference as Paystack adds it. Returns undefined if the transaction has no such page.
 */
export function returnAddress({ callbackUrl, reference }: Transaction): string | undefined {
  if (!callbackUrl) return undefined;
  const url = new URL(callbackUrl);
  url.searchParams.append('trxref', reference);
  url.searchParams.append('reference', reference);
  return url.href;
}
