/**
 * Changes the search box of VitePress 1.6: corrects roles and names that WCAG 2.2 AA does not permit (4.1.2, 2.5.3), and
 * makes the pages for operators a section of their own, after those for callers. On a page for operators, theirs are
 * first. (A function in the options of VitePress would need a content security policy with `unsafe-eval`.)
 */

const COMPONENT = 'theme-default/components/VPLocalSearchBox.vue';

/** The replacements in the component, each with its reason. */
const CORRECTIONS: readonly (readonly [wrong: string | RegExp, right: string])[] = [
  // A button must not contain the form and the links, so the button becomes a dialog.
  [
    /role="button"\s+:aria-owns="[^"]*"\s+aria-expanded="true"\s+aria-haspopup="listbox"/,
    'role="dialog" aria-modal="true"',
  ],
  // An option of a list box must not contain a link, so the list box becomes a list of links.
  [/:role="results\?\.length \? 'listbox' : undefined"/, ''],
  [/:aria-selected="[^"]*"\s+role="option"/, ''],
  // The name of a link must contain its visible text.
  [/:aria-label="\[\.\.\.p\.titles, p\.title\]\.join\(' > '\)"/, ''],
  // An element without a role must not have a name, so the key symbols become images.
  [/<kbd :aria-label/g, '<kbd role="img" :aria-label'],
  // Which pages are for operators, and for those who change the service.
  [
    /<script lang="ts" setup>\n/,
    '$&const isForOperators = (path: string) => /\\/(operate|finance|privacy|design)(\\/|\\.html)/.test(path)\n' +
      'const weightOf = (id: string) => isForOperators(id) !== isForOperators(location.pathname) ? 0.001 : /changelog/.test(id) ? 0.1 : /\\/guides\\//.test(id) ? 2 : 1\n',
  ],
  // Guides come first, changelogs late, and the pages of the other section last.
  [/searchOptions: \{/, '$& boostDocument: weightOf,'],
  // Each result for operators says so.
  [
    /<span class="title-icon">#<\/span>/,
    '$&<span v-if="isForOperators(p.id)" class="title"><span class="text">For operators</span><span class="vpi-chevron-right local-search-icon" /></span>',
  ],
];

/** Throws if a newer VitePress has a different template: the corrections must then be reviewed. */
export function accessibleSearch() {
  return {
    name: 'accessible-search',
    enforce: 'pre' as const,
    transform(code: string, id: string): string | undefined {
      if (!id.endsWith(COMPONENT)) return undefined;
      return CORRECTIONS.reduce((corrected, [wrong, right]) => {
        const next = corrected.replace(wrong, right);
        if (next === corrected)
          throw new Error(`${COMPONENT} does not contain ${wrong}. Review infra/site/accessible-search.ts.`);
        return next;
      }, code);
    },
  };
}
