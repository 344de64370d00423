import { existsSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { escaped, outsideCodeBlocks } from './markdown.ts';
import { PAGES, ROOT } from './pages.ts';

/** Converts the links in Markdown files, which work in the repository, to links that work on the site. */

const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g;

const sitePaths = new Map(PAGES.map(({ source, path }) => [source, path]));

interface LinkedPage {
  readonly text: string;
  /** Paths from the project's root; on the site, the same paths in `files`. */
  readonly files: readonly string[];
}

/**
 * A link to a page's source leads to the page, and one to another file in `docs` to a copy. Other files are not
 * published, so only their text remains.
 */
export function withSiteLinks(source: string, markdown: string): LinkedPage {
  const files: string[] = [];
  const rewrite = (link: string, image: string, text: string, href: string) => {
    if (/^([a-z]+:|#)/.test(href)) return link;
    const [path = '', anchor] = href.split('#');
    const target = posix.join(posix.dirname(source), path).replace(/\/$/, '');
    const sitePath = sitePaths.get(target) ?? sitePaths.get(`${target}/README.md`);
    if (sitePath) return `[${text}](/${sitePath}.md${anchor ? `#${anchor}` : ''})`;
    if (!isPublished(target)) return text;
    files.push(target);
    return `${image}[${text}](/files/${target})`;
  };
  const text = outsideCodeBlocks(markdown, (part) => escaped(part).replace(LINK, rewrite));
  return { text, files };
}

function isPublished(target: string): boolean {
  const file = join(ROOT, target);
  return target.startsWith('docs/') && existsSync(file) && statSync(file).isFile();
}
