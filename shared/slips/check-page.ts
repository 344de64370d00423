import { createHash } from 'node:crypto';
import { escapeHtml } from '../core/html.ts';
import { formatMoment } from './slip.ts';
import type { SlipCheck, SlipFacts } from './token.ts';

/** The page that a slip's QR code opens: plain HTML without scripts, external requests or identity data. */

const STYLE = `
:root{color-scheme:light}
*{box-sizing:border-box}
body{margin:0;background:#edf3f5;color:#15202b;font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:34rem;margin:0 auto;padding:2rem 1.25rem}
.card{background:#fff;border:1px solid #b4c0c8;border-top:6px solid var(--tone);border-radius:8px;padding:1.5rem}
h1{margin:0 0 .5rem;font-size:1.4rem;line-height:1.25;color:var(--tone)}
dl{margin:1.25rem 0;display:grid;grid-template-columns:minmax(7rem,auto) 1fr;gap:.5rem 1rem}
dt{color:#55636f}
dd{margin:0;font-weight:600;overflow-wrap:anywhere}
.specimen{margin:0 0 1rem;padding:.35rem .75rem;background:#a32929;color:#fff;border-radius:4px;font-weight:600}
p{margin:.75rem 0}
.valid{--tone:#14506b}.expired{--tone:#7a4a00}.invalid{--tone:#a32929}
@media print{body{background:#fff}}
`;

/** The response headers. The policy allows the page its own style and nothing else. */
export const CHECK_PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
  'Cache-Control': 'no-store',
};

const RESULTS = {
  valid: {
    heading: 'The code is valid',
    text: 'This service made a slip of this type, after a look-up in the identity registry at the time below.',
  },
  expired: {
    heading: 'The code is genuine, but has expired',
    text: 'This service made a slip of this type, but it is too old to rely on. Verify the number again.',
  },
  invalid: {
    heading: 'The code is not valid',
    text: 'This service did not make this code, or the code was changed or not read completely. Do not rely on the slip.',
  },
} as const;

function row(name: string, value: string): string {
  return `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`;
}

function formatTime(moment: Date): string {
  const { date, time } = formatMoment(moment);
  return `${date}, ${time}`;
}

function detailsOf(facts: SlipFacts): string {
  const slipName = `${facts.slipType.charAt(0).toUpperCase()}${facts.slipType.slice(1)} slip`;
  const rows = [
    row('Look-up', 'National Identification Number (NIN)'),
    row('Slip', slipName),
    row('Generated on', formatTime(facts.issuedAt)),
    row('Valid until', formatTime(facts.expiresAt)),
    row('Request', `req_${facts.reference}`),
  ];
  return `<dl>${rows.join('')}</dl>
<p>Compare the slip type, time and request with those printed on the slip. They must be the same.</p>
<p>The code confirms the look-up only. It does not confirm the person who shows the slip or the details printed on it. To confirm those, verify the number again with a lawful reason.</p>`;
}

/** Returns the page for the result of a check. */
export function checkPage(check: SlipCheck): string {
  const { heading, text } = RESULTS[check.kind];
  const facts = check.kind === 'invalid' ? undefined : check.facts;
  const specimen = facts?.specimen
    ? '<p class="specimen">SPECIMEN: made with a test key from invented data. It describes no real person.</p>'
    : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(heading)} - NIN slip check</title>
<style>${STYLE}</style>
</head>
<body>
<main class="${check.kind}">
<div class="card">
${specimen}<h1>${escapeHtml(heading)}</h1>
<p>${escapeHtml(text)}</p>
${facts === undefined ? '' : detailsOf(facts)}
</div>
</main>
</body>
</html>
`;
}
