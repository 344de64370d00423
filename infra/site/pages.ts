import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The pages of the documentation site that are files of the project, and their order. reference.ts adds the others. */

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A page that is a Markdown file of the project. */
interface Page {
  /** From the project's root. */
  readonly source: string;
  /** On the site, without the extension: `guides/errors`. */
  readonly path: string;
  /** In the navigation. @default the title of the page */
  readonly label?: string;
}

/** A heading of the navigation and the pages under it. */
export interface Group {
  readonly title: string;
  readonly pages: readonly Page[];
}

const docs = (name: string): Page => page(`docs/${name}.md`, `operate/${name}`);
const guide = (name: string): Page => page(`docs/guides/${name}.md`, `guides/${name}`);

function page(source: string, path: string, label?: string): Page {
  return { source, path, ...(label !== undefined && { label }) };
}

/** Returns every page of a folder, such as the decisions. */
function folder(name: string): Page[] {
  const names = globSync(`docs/${name}/*.md`, { cwd: ROOT }).sort();
  return names.map((source) => page(source, source.replace(/^docs/, 'operate').replace(/\.md$/, '')));
}

const HOME: Page = { source: 'infra/site/index.md', path: 'index' };

/** For customers: developers who call the API, and teams that use the console. */
export const GUIDES: readonly Group[] = [
  {
    title: 'Start',
    pages: [guide('quick-start'), guide('sandbox'), guide('going-live')],
  },
  {
    title: 'Guides',
    pages: [
      guide('idempotency'),
      guide('errors'),
      guide('onboarding'),
      guide('match'),
      guide('move-from-lumiid'),
      guide('move-from-prembly'),
      guide('move-from-dojah'),
    ],
  },
  { title: 'For your team', pages: [guide('console')] },
  {
    title: 'API',
    pages: [
      page('docs/api.md', 'guides/api'),
      page('docs/webhooks.md', 'guides/webhooks'),
      page('docs/versioning.md', 'guides/versioning'),
      page('CHANGELOG.md', 'changelog'),
    ],
  },
  {
    title: 'Clients',
    pages: [
      page('clients/python/README.md', 'clients/python', 'Python'),
      page('clients/typescript/README.md', 'clients/typescript', 'TypeScript'),
      page('clients/python/CHANGELOG.md', 'clients/python-changelog', 'Python: changelog'),
      page('clients/typescript/CHANGELOG.md', 'clients/typescript-changelog', 'TypeScript: changelog'),
    ],
  },
];

/** For the team that runs the service and for those who change it, in groups by topic. */
export const OPERATE: readonly Group[] = [
  {
    title: 'Run the service',
    pages: [
      docs('operations'),
      docs('first-deployment'),
      docs('preflight'),
      page('docs/delivery/README.md', 'operate/delivery'),
      docs('admin'),
      docs('console'),
      docs('drills'),
      docs('regions'),
      docs('events'),
    ],
  },
  { title: 'Registry providers', pages: [docs('registries'), ...folder('providers')] },
  { title: 'Capacity and cost', pages: [docs('slo'), docs('performance'), docs('scale'), docs('cost')] },
  {
    title: 'Data protection',
    pages: [docs('data-protection'), docs('law'), docs('matching'), docs('security')],
  },
  {
    title: 'Finance',
    pages: [
      docs('finance'),
      page('docs/documents/README.md', 'operate/documents'),
      docs('ledger'),
      docs('tables'),
    ],
  },
  {
    title: 'Change the service',
    pages: [
      page('CONTRIBUTING.md', 'operate/contributing'),
      docs('architecture'),
      page('docs/design/contract.md', 'operate/contract'),
      page('infra/local/README.md', 'operate/local-runtime'),
      page('docs/slips/README.md', 'operate/slips'),
      docs('console/pictures'),
    ],
  },
  { title: 'Decisions', pages: folder('decisions') },
];

/** All pages that are files of the project. */
export const PAGES: readonly Page[] = [HOME, ...[...GUIDES, ...OPERATE].flatMap(({ pages }) => pages)];

export function readPage({ source }: Page): string {
  return readFileSync(join(ROOT, source), 'utf8');
}

/** Returns the text of the first heading of level 1. Throws if there is none. */
export function titleOf(source: string, text: string): string {
  const title = /^# (.+)$/m.exec(text)?.[1];
  if (title === undefined) throw new Error(`${source} has no title. Add a first line such as "# Title".`);
  return title;
}
