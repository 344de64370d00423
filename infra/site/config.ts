import type { DefaultTheme, UserConfig } from 'vitepress';
import { accessibleSearch } from './accessible-search.ts';
import { anchorOf } from './markdown.ts';
import { type NavigationGroup, navigation } from './navigation.ts';

/** The configuration of VitePress. */

const DESCRIPTION = 'Verify NIN, BVN, CAC, TIN and NUBAN numbers against their registries in Nigeria.';

/** A tick in a circle. Part of each page, so that browsers do not ask for another file. */
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
    // Works on every static host, whatever it does with addresses without an extension.
    cleanUrls: false,
    metaChunk: true,
    // Readers on a slow connection load only what they open.
    router: { prefetchLinks: false },
    markdown: {
      anchor: { slugify: anchorOf },
      // The default themes have text below the contrast of WCAG 2.2 AA.
      theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
      config: (md) => {
        // A wide table scrolls. People without a mouse need the focus for that.
        md.renderer.rules['table_open'] = () =>
          '<div class="table" tabindex="0" role="group" aria-label="Table"><table>';
        md.renderer.rules['table_close'] = () => '</table></div>';
      },
    },
    themeConfig: {
      nav: [
        { text: 'Guides', link: '/guides/quick-start', activeMatch: '^/(guides|clients|changelog)' },
        { text: 'Reference', link: '/reference/', activeMatch: '^/reference/' },
        { text: 'Changelog', link: '/changelog' },
        { text: 'Operate', link: '/operate/operations', activeMatch: '^/operate/' },
      ],
      sidebar: {
        '/operate/': sidebar(operate),
        '/reference/': sidebar(reference),
        '/': sidebar(guides),
      },
      search: { provider: 'local' },
      outline: [2, 3],
      externalLinkIcon: false,
    },
    // The largest chunk is the index of the search, which is loaded when a reader searches.
    vite: { logLevel: 'warn', plugins: [accessibleSearch()], build: { chunkSizeWarningLimit: 2_000 } },
  };
}

function sidebar(groups: readonly NavigationGroup[]): DefaultTheme.SidebarItem[] {
  return groups.map(({ text, items }) => ({ text, items: [...items] }));
}
