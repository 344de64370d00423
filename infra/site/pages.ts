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

/** Returns the page of a file in docs. A README.md is the page of its folder. */
const docs = (name: string): Page => page(`docs/${name}.md`, name.replace(/\/README$/, ''));

function page(source: string, path: string, label?: string): Page {
  return { source, path, ...(label !== undefined && { label }) };
}

const operate = (names: string): Page[] => names.split(' ').map((name) => docs(`operate/${name}`));

/** Returns every page of a folder, such as the decisions. */
function folder(name: string): Page[] {
  const names = globSync(`docs/${name}/*.md`, { cwd: ROOT }).sort();
  return names.map((source) => docs(source.slice('docs/'.length, -'.md'.length)));
}

const HOME: Page = { source: 'infra/site/index.md', path: 'index' };

/** For customers: developers who call the API, and teams that use the console. */
export const GUIDES: readonly Group[] = [
  {
    title: 'Start',
    pages: [
      docs('guides/quick-start'),
      docs('guides/sandbox'),
      docs('guides/mocks'),
      docs('guides/going-live'),
      page('docs/README.md', 'map', 'All documentation'),
    ],
  },
  {
    title: 'Requests and responses',
    pages: [
      docs('guides/api'),
      docs('guides/authentication'),
      docs('guides/requests'),
      docs('guides/responses'),
      docs('guides/records'),
      docs('guides/errors'),
      docs('guides/limits'),
      docs('guides/pagination'),
      docs('guides/languages'),
    ],
  },
  {
    title: 'Guides',
    pages: [
      docs('guides/idempotency'),
      docs('guides/outages'),
      docs('guides/match'),
      docs('guides/nuban'),
      docs('guides/slips'),
      docs('guides/onboarding'),
      docs('guides/log'),
      docs('guides/billing'),
      docs('guides/webhooks'),
      docs('guides/personal-data'),
      docs('guides/move'),
    ],
  },
  { title: 'For your team', pages: [docs('guides/console')] },
  { title: 'Versions', pages: [docs('guides/versioning'), page('CHANGELOG.md', 'changelog')] },
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
    title: 'Deploy',
    pages: operate(
      'README first-deployment deploy preflight new-versions go-back delivery publish-clients destroy',
    ),
  },
  {
    title: 'Set up',
    pages: operate('regions domains payments console-setup secrets key-of-the-stage audit-archive events'),
  },
  { title: 'Run the service', pages: operate('disable-a-provider tracing slo console') },
  { title: 'The admin CLI', pages: [docs('operate/admin'), ...folder('operate/admin')] },
  { title: 'Runbooks', pages: folder('operate/runbooks') },
  {
    title: 'Recover',
    pages: operate(
      'restore restore-payments data-stack-deleted restore-other-account compromised end-of-contract drills first-account',
    ),
  },
  { title: 'Registry providers', pages: [docs('operate/registries'), docs('operate/providers')] },
  { title: 'Capacity and cost', pages: [...operate('capacity scale cost'), docs('design/performance')] },
  { title: 'Data protection', pages: folder('privacy') },
  { title: 'Finance', pages: [...folder('finance'), docs('finance/documents/README')] },
  {
    title: 'Change the service',
    pages: [
      page('CONTRIBUTING.md', 'design/contributing'),
      docs('design/common-changes'),
      docs('design/glossary'),
      docs('design/architecture'),
      docs('design/flows'),
      docs('design/checks'),
      docs('design/contract'),
      docs('design/ledger'),
      docs('design/closed-months'),
      docs('design/ledger-evidence'),
      docs('design/matching'),
      docs('design/add-a-provider'),
      docs('design/security'),
      docs('design/attacks'),
      docs('design/slips/README'),
      page('infra/local/README.md', 'design/local-runtime'),
      docs('design/console/pictures'),
    ],
  },
  { title: 'Tables', pages: [docs('design/tables'), ...folder('design/tables')] },
  { title: 'Decisions', pages: folder('design/decisions') },
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
