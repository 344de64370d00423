/** What WCAG 2.2 AA does not permit (4.1.2, 2.5.3) in the search box of VitePress 1.6. */

const COMPONENT = 'theme-default/components/VPLocalSearchBox.vue';

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
