import { escapeHtml } from '../../../shared/core/html.ts';
import { nairaText } from '../../../shared/payments/naira.ts';
import { DOUBLE_STYLE, plainPage, plainPageHeaders } from '../plain-page.ts';
import type { Transaction } from './transactions.ts';

/** The page on which a customer of the test double pays, declines or leaves. Plain HTML that needs no script. */

const STYLE = `${DOUBLE_STYLE}h1{margin:0;font-size:1.15rem;line-height:1.3;font-weight:600}
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

/**
 * Returns the headers of the page. Its form may lead only to the page itself, to the site of the merchant and, because
 * that redirects members, to their console on this machine.
 */
export function checkoutHeaders({ callbackUrl }: Transaction): Record<string, string> {
  return plainPageHeaders(STYLE, callbackUrl ? [new URL(callbackUrl).origin, 'http://127.0.0.1:*'] : []);
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
  const title = 'Checkout - test double for Paystack';
  return plainPage(
    title,
    STYLE,
    `<div class="card">
<p class="double">Test double for Paystack. No money moves.</p>
<h1>Amount to pay</h1>
<p class="amount">${escapeHtml(currency)} ${nairaText(amount)}</p>
<dl>
<dt>Reference</dt><dd>${escapeHtml(reference)}</dd>
<dt>Email</dt><dd>${escapeHtml(email)}</dd>
<dt>Mode</dt><dd>${mode}</dd>
</dl>
${isOpen ? `${declined}${actions}` : '<p role="status">This payment is complete. You can close this page.</p>'}
</div>`,
  );
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
