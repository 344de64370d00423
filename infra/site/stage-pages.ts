import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readDocument } from './document.ts';
import { withSiteLinks } from './links.ts';
import { PAGES, ROOT, readPage } from './pages.ts';
import { referencePages } from './reference.ts';
import { withSampleTabs } from './samples.ts';

/** Writes the pages of the site to a directory, as the Markdown files that VitePress reads. */

/** Writes all pages. Returns the plain Markdown of each, which the site also publishes, by its path on the site. */
export function stagePages(directory: string): ReadonlyMap<string, string> {
  const files = new Set(['docs/openapi.json', 'docs/postman_collection.json']);
  const fromFiles = PAGES.map((page) => {
    const linked = withSiteLinks(page.source, withSampleTabs(readPage(page)));
    for (const file of linked.files) files.add(file);
    return { path: page.path, text: linked.text };
  });
  const pages = [...fromFiles, ...referencePages(readDocument())];
  for (const { path, text } of pages) writeTo(directory, `${path}.md`, text);
  for (const file of files) copyTo(join(directory, 'public/files'), file);
  return new Map(pages.map(({ path, text }) => [path, withoutFrontmatter(text)]));
}

const withoutFrontmatter = (text: string) => text.replace(/^---\n[\s\S]*?^---\n/m, '');

export function writeTo(directory: string, path: string, text: string): void {
  const file = join(directory, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function copyTo(directory: string, path: string): void {
  const file = join(directory, path);
  mkdirSync(dirname(file), { recursive: true });
  copyFileSync(join(ROOT, path), file);
}
