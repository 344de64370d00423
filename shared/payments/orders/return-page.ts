import { createHash } from 'node:crypto';
import { escapeHtml } from '../../core/html.ts';
import { nairaText } from '../naira.ts';
import { isPageAddress } from '../page-address.ts';
import type { TopUpOrder } from './order.ts';

/**
 * Plain HTML without scripts or external requests. Anyone who knows the reference can open it, so it shows only the
 * order and a link, and these not for long.
 */

const STYLE = `
:root{color-scheme:light dark;--ground:#edf3f5;--card:#fff;--text:#15202b;--soft:#4c5964;--line:#b4c0c8;--link:#14506b;--paid:#0b5d3b;--waiting:#14506b;--attention:#7a4a00;--failed:#a32929}
@media (prefers-color-scheme:dark){:root{--ground:#11171c;--card:#1b242b;--text:#e8eef2;--soft:#b3c0ca;--line:#3c4a55;--link:#8ecbea;--paid:#7fdcae;--waiting:#8ecbea;--attention:#ffc37d;--failed:#ffa8a0}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:34rem;margin:0 auto;padding:2rem 1.25rem}
.card{background:var(--card);border:1px solid var(--line);border-top:6px solid var(--tone);border-radius:8px;padding:1.5rem}
h1{margin:0 0 .5rem;font-size:1.4rem;line-height:1.25;color:var(--tone)}
dl{margin:1.25rem 0;display:grid;grid-template-columns:minmax(6rem,auto) 1fr;gap:.5rem 1rem}
dt{color:var(--soft)}
dd{margin:0;font-weight:600;overflow-wrap:anywhere}
.test{margin:0 0 1rem;padding:.35rem .75rem;border:2px dashed var(--attention);border-radius:4px;color:var(--attention);font-weight:600}
p{margin:.75rem 0}
a{display:inline-block;padding:.5rem 0;color:var(--link);font-weight:600;overflow-wrap:anywhere}
a:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.paid{--tone:var(--paid)}.waiting{--tone:var(--waiting)}.attention{--tone:var(--attention)}.failed{--tone:var(--failed)}
@media print{body{background:#fff}}
`;

/** The policy allows only the page's own style. */
export const RETURN_PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
  'Cache-Control': 'no-store',
};

/** `unknown`: no order has the reference. */
export type ReturnPageView =
  | { readonly kind: 'order'; readonly order: TopUpOrder; readonly isRecent: boolean }
  | { readonly kind: 'unknown' };

type Tone = 'paid' | 'waiting' | 'attention' | 'failed';

interface Text {
  readonly tone: Tone;
  readonly heading: string;
  readonly text: string;
  /** The page offers to check again. */
  readonly mayChange?: true;
}

const NEEDS_CHECK: Text = {
  tone: 'attention',
  heading: 'The payment is being checked',
  text: 'The operator of this service is checking the payment. You do not need to do anything. Keep the reference.',
};

const NOT_PAID: Text = {
  tone: 'waiting',
  heading: 'No payment has arrived yet',
  text: 'If you left the payment page, or the payment was declined, you can still pay. If you have paid, do not pay again: the credits are added when Paystack confirms the payment, usually within a few minutes.',
  mayChange: true,
};

const UNKNOWN: Text = {
  tone: 'failed',
  heading: 'This payment does not exist',
  text: 'No order has this reference. Open the page again with the address that you were sent to after the payment.',
};

const TEXTS: Readonly<Record<TopUpOrder['state'], Text>> = {
  OPENED: NOT_PAID,
  PAID: {
    tone: 'waiting',
    heading: 'The payment has arrived',
    text: 'The credits are being added to the wallet. This usually takes less than a minute.',
    mayChange: true,
  },
  CREDITED: {
    tone: 'paid',
    heading: 'The payment is complete',
    text: 'The credits have been added to the wallet. The invoice and the receipt are available.',
  },
  FAILED: {
    tone: 'failed',
    heading: 'The payment was not successful',
    text: 'No credits were added. Start a new payment. If money has left your account, it is returned, or the credits are added when Paystack confirms the payment.',
    mayChange: true,
  },
  EXPIRED: {
    tone: 'failed',
    heading: 'The payment was not made in time',
    text: 'No credits were added. Start a new payment. If you have paid, the credits are added when Paystack confirms the payment.',
    mayChange: true,
  },
  MISMATCH: {
    ...NEEDS_CHECK,
    text: 'The payment differs from the order or came too late, so no credits were added. The operator of this service is checking it. Keep the reference.',
  },
  REFUNDED: {
    tone: 'attention',
    heading: 'The payment was refunded',
    text: 'The money is returned to the account that it was paid from. None of the credits are left in the wallet.',
  },
};

/** A credited order has a problem if its payment was reversed. */
function textOf({ state, problem }: TopUpOrder): Text {
  return state === 'CREDITED' && problem !== undefined ? NEEDS_CHECK : TEXTS[state];
}

/** `ownUrl` is a relative link to the page. */
export function returnPage(view: ReturnPageView, ownUrl: string): string {
  const order = view.kind === 'order' ? view.order : undefined;
  const recent = view.kind === 'order' && view.isRecent ? view.order : undefined;
  const { tone, heading, text, mayChange } = order ? textOf(order) : UNKNOWN;
  const test =
    order?.env === 'test'
      ? '<p class="test">TEST: no money moves, and this is not a tax document.</p>\n'
      : '';
  return `<!doctype html>
<html lang="en" translate="no">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(heading)}</title>
<style>${STYLE}</style>
</head>
<body>
<main class="${tone}">
<div class="card">
${test}<h1>${escapeHtml(heading)}</h1>
<p>${escapeHtml(text)}</p>
${recent ? detailsOf(recent) : ''}
${payLink(recent)}
${mayChange ? `<p><a href="${escapeHtml(ownUrl)}">Check again</a></p>` : ''}
${returnLink(recent)}
</div>
</main>
</body>
</html>
`;
}

function detailsOf({ reference, credits, totalKobo, vatKobo }: TopUpOrder): string {
  const rows = [
    ['Credits', new Intl.NumberFormat('en-NG').format(credits)],
    ['Total', `₦${nairaText(totalKobo)}, including ₦${nairaText(vatKobo)} of VAT`],
    ['Reference', reference],
  ];
  return `<dl>${rows.map(([name = '', value = '']) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join('')}</dl>`;
}

function payLink(order: TopUpOrder | undefined): string {
  const url = order?.state === 'OPENED' ? order.checkoutUrl : undefined;
  return url && isPageAddress(url)
    ? `<p><a href="${escapeHtml(url)}" rel="noreferrer">Continue to pay</a></p>`
    : '';
}

/** Not a redirect, so that nobody is sent to another site without seeing its name. */
function returnLink(order: TopUpOrder | undefined): string {
  const url = order?.returnUrl;
  if (!url || !isPageAddress(url)) return '';
  const { host } = new URL(url);
  return `<p><a href="${escapeHtml(url)}" rel="noreferrer">Return to ${escapeHtml(host)}</a></p>`;
}

/** Returns the HTTP status of the page. */
export function returnPageStatus({ kind }: ReturnPageView): 200 | 404 {
  return kind === 'unknown' ? 404 : 200;
}
