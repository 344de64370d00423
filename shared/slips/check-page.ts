import { createHash } from 'node:crypto';
import { escapeHtml } from '../core/html.ts';
import { comparedParts, detailsForm, type TypedCheck, verdictOf } from './check-form.ts';
import { formatMoment } from './slip.ts';
import type { ReadToken, SlipFacts, SlipProof } from './token.ts';

/** The page that a slip's QR code opens: plain HTML without scripts, external requests or identity data. */

/** `unchecked`: the service does not know at the moment whether the slip was withdrawn. */
export type SlipCheck =
  | {
      readonly kind: 'valid' | 'expired' | 'withdrawn' | 'unchecked';
      readonly facts: SlipFacts;
      readonly proof?: SlipProof;
    }
  | Extract<ReadToken, { kind: 'invalid' }>;

const STYLE = `
:root{color-scheme:light dark;--ground:#edf3f5;--card:#fff;--text:#15202b;--soft:#4c5964;--line:#b4c0c8;--edge:#6b7883;--accent:#14506b;--on-accent:#fff;--good:#0b5d3b;--warn:#7a4a00;--bad:#a32929}
@media (prefers-color-scheme:dark){:root{--ground:#11171c;--card:#1b242b;--text:#e8eef2;--soft:#b3c0ca;--line:#3c4a55;--edge:#8696a2;--accent:#8ecbea;--on-accent:#11171c;--good:#7fdcae;--warn:#ffc37d;--bad:#ffa8a0}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:36rem;margin:0 auto;padding:2rem 1.25rem}
.card{background:var(--card);border:1px solid var(--line);border-top:6px solid var(--tone);border-radius:8px;padding:1.5rem}
h1{margin:0 0 .5rem;font-size:1.4rem;line-height:1.25;color:var(--tone)}
h2{margin:0 0 .5rem;font-size:1.15rem;line-height:1.3}
section{margin-top:1.5rem;padding-top:1.5rem;border-top:1px solid var(--line)}
dl{margin:1.25rem 0;display:grid;grid-template-columns:fit-content(55%) 1fr;gap:.5rem 1rem}
dt{color:var(--soft)}
dd{margin:0;font-weight:600;overflow-wrap:anywhere}
.specimen{margin:0 0 1rem;padding:.35rem .75rem;border:2px dashed var(--bad);color:var(--bad);border-radius:4px;font-weight:600}
p{margin:.75rem 0}
.valid{--tone:var(--accent)}.match{--tone:var(--good)}.expired,.unchecked{--tone:var(--warn)}.invalid,.withdrawn{--tone:var(--bad)}
dd.match,dd.expired,dd.invalid{color:var(--tone)}
.field{margin:1rem 0}
label,legend{font-weight:600}
fieldset{margin:1.25rem 0;padding:0 1rem;border:1px solid var(--line);border-radius:6px;min-width:0}
.hint{margin:.1rem 0 .35rem;color:var(--soft);font-size:.9rem}
.error{margin:.1rem 0;color:var(--bad);font-weight:600}
input{display:block;width:100%;padding:.6rem .7rem;border:1px solid var(--edge);border-radius:6px;background:var(--card);color:var(--text);font:inherit}
input[aria-invalid]{border:2px solid var(--bad)}
button{width:100%;padding:.75rem 1rem;border:0;border-radius:6px;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;cursor:pointer}
input:focus-visible,button:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media print{:root{--ground:#fff;--card:#fff;--text:#000;--soft:#333;--line:#999;--accent:#14506b;--good:#0b5d3b;--warn:#7a4a00;--bad:#a32929}main{padding:0}section{display:none}}
`;

/** The response headers. The policy permits only the page's own style and form. */
export const CHECK_PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  // With `no-referrer`, browsers without `Sec-Fetch-Site` would send `Origin: null` with the form.
  'Referrer-Policy': 'same-origin',
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
  withdrawn: {
    heading: 'This slip was withdrawn',
    text: 'This service made the slip, but it was withdrawn later. Do not rely on it, even if its details seem right. Verify the number again.',
  },
  unchecked: {
    heading: 'The slip was not checked',
    text: 'The service cannot check slips at the moment. Try again in a minute.',
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
  const { detailsConfirmed } = facts;
  const slipName = `${facts.slipType.charAt(0).toUpperCase()}${facts.slipType.slice(1)} slip`;
  const rows = [
    row('Look-up', 'National Identification Number (NIN)'),
    row('Slip', slipName),
    row('Generated on', formatTime(facts.issuedAt)),
    row('Valid until', formatTime(facts.expiresAt)),
    row('Request', `req_${facts.reference}`),
    ...(detailsConfirmed === undefined
      ? []
      : [row('"Details confirmed"', detailsConfirmed ? 'On the slip' : 'Not on the slip')]),
  ];
  return `<dl>${rows.join('')}</dl>
<p>Compare these with what is printed on the slip. They must be the same.</p>
<p><strong>This page can check only the number, the names and the date of birth.</strong> Everything else on paper, such as photo, gender and address, can be replaced and proves nothing. To see the photo that the registry holds, look up the number with an API key of your own organisation (NIN Premium or a new slip), for a lawful reason.</p>
<p>The code does not confirm who is showing the slip. The slip is not issued by NIMC, and is not an identity card.</p>`;
}

const WITHOUT_DETAILS =
  '<p>The details on this slip cannot be checked here, because its code was made before this check existed. To confirm them, verify the number again.</p>';

/** Returns the form, the reason why it is missing, or nothing if the rest of the page states the reason. */
function formOf(check: SlipCheck, typed: TypedCheck | undefined): string {
  if (check.kind !== 'valid') return '';
  if (check.proof === undefined) return WITHOUT_DETAILS;
  const problem = typed?.kind === 'problem' ? typed.problem : undefined;
  if (problem?.kind === 'too-many-attempts') return '';
  return detailsForm(problem?.kind === 'incomplete' ? problem.errors : {});
}

/**
 * Returns the page for the result of a check. `typed` is the result of comparing the details that an officer typed.
 */
export function checkPage(check: SlipCheck, typed?: TypedCheck): string {
  const verdict = typed === undefined ? undefined : verdictOf(typed);
  const { heading, text, tone } = verdict ?? { ...RESULTS[check.kind], tone: check.kind };
  const facts = check.kind === 'invalid' ? undefined : check.facts;
  const specimen = facts?.specimen
    ? '<p class="specimen">SPECIMEN: made with a test key from invented data. It describes no real person.</p>'
    : '';
  // "Valid" next to "No match" could be misread.
  const about = check.kind === 'valid' ? 'The slip that the code was made for' : RESULTS[check.kind].heading;
  const code = verdict === undefined ? '' : `<h2>${escapeHtml(about)}</h2>`;
  return `<!doctype html>
<html lang="en" translate="no">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(heading)} - NIN slip check</title>
<style>${STYLE}</style>
</head>
<body>
<main class="${tone}">
<div class="card">
${specimen}<h1>${escapeHtml(heading)}</h1>
<p>${escapeHtml(text)}</p>
${typed?.kind === 'compared' ? comparedParts(typed.comparison) : ''}
${code}${facts === undefined ? '' : detailsOf(facts)}
${formOf(check, typed)}
</div>
</main>
</body>
</html>
`;
}
