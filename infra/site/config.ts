import type { DefaultTheme, MarkdownRenderer, UserConfig } from 'vitepress';
import { accessibleSearch } from './accessible-search.ts';
import { anchorOf } from './markdown.ts';
import { type NavigationGroup, navigation } from './navigation.ts';
import { PAGES } from './pages.ts';
import { followScript, redirects } from './redirects.ts';

/** The VitePress configuration. */

const DESCRIPTION = 'Verify NIN, BVN, CAC, TIN and NUBAN numbers against their registries in Nigeria.';

/** Part of each page, so that browsers request no other file. */
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="#0b6b3a"/><path d="m9 16 5 5 9-10" fill="none" stroke="#fff" stroke-width="3"/></svg>',
)}`;

export function siteConfig(): UserConfig<DefaultTheme.Config> {
  const { guides, reference, operate } = navigation();
  return {
    lang: 'en-GB',
    title: 'Identity verification',
    description: DESCRIPTION,
    head: [['link', { rel: 'icon', href: ICON }]],
    // Static hosts differ in addresses without an extension.
    cleanUrls: false,
    metaChunk: true,
    // Readers on a slow connection load only what they open.
    router: { prefetchLinks: false },
    // Headings that have moved to another page.
    transformHead: ({ page, siteConfig }) => {
      const moved = redirects().find(({ from }) => `${from}.md` === page);
      return moved ? [['script', {}, followScript(siteConfig.site.base, moved, true)]] : [];
    },
    markdown: {
      anchor: { slugify: anchorOf },
      // The default themes have less contrast than WCAG 2.2 AA requires.
      theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
      config: (md) => {
        // A wide table scrolls, also with the keyboard.
        md.renderer.rules['table_open'] = () =>
          '<div class="table" tabindex="0" role="group" aria-label="Table"><table role="table">';
        md.renderer.rules['table_close'] = () => '</table></div>';
        md.core.ruler.push('name_columns', ({ tokens }) => nameColumns(tokens));
      },
    },
    themeConfig: {
      nav: [
        { text: 'Guides', link: '/guides/quick-start', activeMatch: '^/(guides|clients|changelog)' },
        { text: 'Reference', link: '/reference/', activeMatch: '^/reference/' },
        { text: 'Changelog', link: '/changelog' },
        {
          text: 'Operate',
          link: '/operate/first-deployment',
          activeMatch: '^/(operate|finance|privacy|design)/',
        },
      ],
      sidebar: {
        ...Object.fromEntries(
          ['operate', 'finance', 'privacy', 'design'].map((folder) => [`/${folder}/`, sidebar(operate)]),
        ),
        '/reference/': sidebar(reference),
        '/': sidebar(guides),
      },
      search: {
        provider: 'local',
        options: {
          // The READMEs of both clients have the same title.
          _render: (text, env, md) => md.render(withLabel(env.relativePath, text), env),
        },
      },
      outline: [2, 3],
      externalLinkIcon: false,
    },
    // The largest chunk is the search index.
    vite: { logLevel: 'warn', plugins: [accessibleSearch()], build: { chunkSizeWarningLimit: 2_000 } },
  };
}

/** With its navigation label as the title. */
function withLabel(file: string, markdown: string): string {
  const label = PAGES.find(({ path }) => `${path}.md` === file)?.label;
  return label === undefined ? markdown : markdown.replace(/^# .+$/m, `# ${label}`);
}

type Tokens = ReturnType<MarkdownRenderer['parse']>;

/**
 * Each cell shows its heading on a phone. There, rows and cells are blocks, but their roles still make a table for
 * screen readers.
 */
function nameColumns(tokens: Tokens): void {
  let headings: string[] = [];
  let column = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'table_open') headings = [];
    if (token.type === 'th_open') headings.push(textOf(tokens[index + 1]));
    if (token.type === 'tr_open') {
      token.attrSet('role', 'row');
      column = 0;
    }
    if (token.type === 'td_open') {
      token.attrSet('role', 'cell');
      token.attrSet('data-column', headings[column] ?? '');
      column += 1;
    }
  }
}

function textOf(heading: Tokens[number] | undefined): string {
  return (heading?.children ?? []).map(({ content }) => content).join('');
}

function sidebar(groups: readonly NavigationGroup[]): DefaultTheme.SidebarItem[] {
  return groups.map(({ text, items }) => ({ text, items: [...items] }));
}
