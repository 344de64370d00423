import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readDocument } from './document.ts';
import { withSiteLinks } from './links.ts';
import { PAGES, ROOT, readPage } from './pages.ts';
import { FORM, referencePages } from './reference.ts';
import { withSampleTabs } from './samples.ts';

/** Writes the pages of the site to a directory, as the Markdown files that VitePress reads. */

interface StageOptions {
  /**
   * Whether readers can send requests. Requires that the site has the same origin as the API, which sends no CORS
   * headers.
   */
  readonly canSendRequests: boolean;
}

interface StagedPage {
  readonly path: string;
  /** Plain Markdown, which the site also publishes. */
  readonly text: string;
  /** For VitePress. */
  readonly frontmatter: Readonly<Record<string, unknown>>;
}

/** Writes all pages. Returns the plain Markdown of each, by its path on the site. */
export function stagePages(
  directory: string,
  { canSendRequests }: StageOptions,
): ReadonlyMap<string, string> {
  const files = new Set(['docs/openapi.json']);
  const fromFiles = PAGES.map((page): StagedPage => {
    const linked = withSiteLinks(page.source, withSampleTabs(readPage(page)));
    for (const file of linked.files) files.add(file);
    return { path: page.path, text: linked.text, frontmatter: {} };
  });
  const generated = referencePages(readDocument()).map(({ path, text, request }): StagedPage => {
    return { path, text, frontmatter: request ? { request } : {} };
  });
  const pages = [...fromFiles, ...generated];
  for (const { path, text, frontmatter } of pages) {
    const body = canSendRequests ? text : text.replace(FORM, '');
    writeTo(directory, `${path}.md`, withFrontmatter(frontmatter, body));
  }
  for (const file of files) copyTo(join(directory, 'public/files'), file);
  return new Map(pages.map(({ path, text }) => [path, plain(text)]));
}

function plain(text: string): string {
  return text.replace(`${FORM}\n\n`, '').replace(/^---\n[\s\S]*?^---\n/m, '');
}

function withFrontmatter(frontmatter: object, text: string): string {
  // JSON is valid YAML.
  return Object.keys(frontmatter).length === 0 ? text : `---\n${JSON.stringify(frontmatter)}\n---\n\n${text}`;
}

function writeTo(directory: string, path: string, text: string): void {
  const file = join(directory, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function copyTo(directory: string, path: string): void {
  const file = join(directory, path);
  mkdirSync(dirname(file), { recursive: true });
  copyFileSync(join(ROOT, path), file);
}
