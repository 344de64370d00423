import { createHash } from 'node:crypto';

/** Pages of plain HTML that need no script. */

/** Returns the headers of a page. Its forms lead only to the page itself and to `origins`. */
export function plainPageHeaders(style: string, origins: readonly string[] = []): Record<string, string> {
  const styleHash = createHash('sha256').update(style).digest('base64');
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action ${["'self'", ...origins].join(' ')}; frame-ancestors 'none'`,
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  };
}

export function plainPage(title: string, style: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;
}

/** The style that the pages of test doubles have in common. */
export const DOUBLE_STYLE = `
:root{color-scheme:light dark;--ground:#eef2f4;--card:#fff;--text:#15202b;--soft:#4c5964;--line:#8896a1;--accent:#0b5d3b;--on-accent:#fff;--notice:#7a3d00}
@media (prefers-color-scheme:dark){:root{--ground:#11171c;--card:#1b242b;--text:#e8eef2;--soft:#b3c0ca;--line:#71808c;--accent:#7fdcae;--on-accent:#06251a;--notice:#ffc37d}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:28rem;margin:0 auto;padding:1.5rem 1rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:1.25rem}
.double{margin:0 0 1rem;padding:.5rem .75rem;border:2px dashed var(--notice);border-radius:6px;color:var(--notice);font-weight:600}
`;
