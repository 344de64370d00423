import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PAGES, ROOT } from './pages.ts';

/** Old addresses of the site: docs/moves.json lists the pages and headings that have moved. */

const sitePaths = new Map(PAGES.map(({ source, path }) => [source, path]));

/** The pages whose address was neither `operate/<name>` nor that of the file, before docs was sorted by reader. */
const OLD_PATHS: Readonly<Record<string, string>> = {
  'docs/api.md': 'guides/api',
  'docs/webhooks.md': 'guides/webhooks',
  'docs/versioning.md': 'guides/versioning',
  'docs/design/contract.md': 'operate/contract',
  'docs/delivery/README.md': 'operate/delivery',
  'docs/documents/README.md': 'operate/documents',
  'docs/slips/README.md': 'operate/slips',
  'CONTRIBUTING.md': 'operate/contributing',
  'infra/local/README.md': 'operate/local-runtime',
};

/** Where the links to an old page lead. */
interface Redirect {
  /** The old path on the site, without the extension. */
  readonly from: string;
  /** The new path, perhaps with a heading. */
  readonly to: string;
  /** The new path of headings that are not on that page under the same name. */
  readonly headings: Readonly<Record<string, string>>;
}

function oldPath(source: string): string {
  const current = source.startsWith('docs/guides/') || !source.startsWith('docs/');
  return (
    OLD_PATHS[source] ??
    (current
      ? (sitePaths.get(source) ?? source.replace(/^docs\/|\.md$/g, ''))
      : source.replace(/^docs\/(.*)\.md$/, 'operate/$1'))
  );
}

/** Returns the path on the site of a page of the repository, with its heading. Throws if the page is not on the site. */
function newPath(address: string): string | undefined {
  const [source = '', heading] = address.split('#');
  const path = sitePaths.get(source);
  return path && (heading ? `${path}#${heading}` : path);
}

/** Returns the redirects of pages that are or were on the site. */
export function redirects(): Redirect[] {
  const moves = Object.entries<string>(JSON.parse(readFileSync(join(ROOT, 'docs/moves.json'), 'utf8')));
  const sources = [...new Set(moves.map(([old]) => old.replace(/#.*/, '')))];
  return sources.flatMap((source) => {
    const to = newPath(moves.find(([old]) => old === source)?.[1] ?? source);
    if (to === undefined) return [];
    const headings = moves.flatMap(([old, address]) => {
      const heading = old.startsWith(`${source}#`) && newPath(address);
      return heading ? [[old.slice(source.length + 1), heading]] : [];
    });
    return [{ from: oldPath(source), to, headings: Object.fromEntries(headings) }];
  });
}

const htmlOf = (base: string, address: string) => base + address.replace(/(?=#|$)/, '.html');

/**
 * Returns a script that follows the heading of an old address. A server does not see the part after `#`. On a page that
 * has not moved, it stays if the heading is not in the table.
 */
export function followScript(base: string, { to, headings }: Redirect, stays: boolean): string {
  const targets = Object.fromEntries(
    Object.entries(headings).map(([name, path]) => [name, htmlOf(base, path)]),
  );
  const page = JSON.stringify(htmlOf(base, to));
  const otherwise = stays ? 'undefined' : to.includes('#') ? page : `${page} + location.hash`;
  return `{const to = ${JSON.stringify(targets)}[decodeURIComponent(location.hash.slice(1))] ?? ${otherwise};if (to) location.replace(to);}`;
}

/** Returns the page at an old address. Without scripts, it leads to the new page, without its heading. */
export function redirectPage(base: string, redirect: Redirect): string {
  const to = htmlOf(base, redirect.to);
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<title>Moved</title>
<link rel="canonical" href="${to}">
<script>${followScript(base, redirect, false)}</script>
<meta http-equiv="refresh" content="1; url=${to}">
</head>
<body><p>Moved to <a href="${to}">${to}</a>.</p></body>
</html>
`;
}
