import { type NavigationGroup, navigation } from './navigation.ts';

/**
 * Returns the text of `llms.txt` (llmstxt.org): what the site contains, for language models, with links to plain
 * Markdown.
 */
export function llmsText(base: string): string {
  const { guides, reference, operate } = navigation();
  const list = (groups: readonly NavigationGroup[]) =>
    groups.map(({ text, items }) => {
      const links = items.map(
        (item) => `- [${item.text}](${base}${item.link.slice(1).replace(/\/$/, '/index')}.md)`,
      );
      return `## ${text}\n\n${links.join('\n')}`;
    });
  return `# Identity verification

> An API that verifies Nigerian identity numbers (NIN, BVN, CAC, TIN and NUBAN) against their registries. One HTTPS request returns one record and usually costs one prepaid credit if the record is found.

Every page of this site is also available as Markdown: replace \`.html\` in its address with \`.md\`. The OpenAPI document is at ${base}files/docs/openapi.json.

${list([...guides, ...reference]).join('\n\n')}

## Optional

For the team that runs the service:

${list(operate).join('\n\n').replaceAll('\n## ', '\n### ').replace(/^## /, '### ')}
`;
}
