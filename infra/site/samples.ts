import { join } from 'node:path';
import type { CodeSample } from '../openapi/samples.ts';
import { readDocument, routesOf, samplesOf } from './document.ts';
import { ROOT } from './pages.ts';
import { codeTabs } from './reference.ts';

/**
 * Code samples of the OpenAPI document in Markdown pages: one after the other in the repository, as tabs on the site.
 */

/** The pages that `npm run openapi` writes samples into. */
export const SAMPLE_PAGES = ['docs/guides/quick-start.md', 'infra/site/index.md'].map((page) =>
  join(ROOT, page),
);

const SAMPLES = /<!-- samples of (\w+): written by npm run openapi -->\n[\s\S]*?<!-- \/samples -->/g;

/** Returns a page of the repository with the current samples. */
export function withSamples(page: string): string {
  return page.replace(SAMPLES, (_, operationId: string) => {
    const blocks = samplesNamed(operationId).map(
      ({ lang, label = lang, source }) =>
        `**${label}**\n\n\`\`\`${lang.toLowerCase()}\n${source.trimEnd()}\n\`\`\``,
    );
    return `<!-- samples of ${operationId}: written by npm run openapi -->\n${blocks.join('\n\n')}\n<!-- /samples -->`;
  });
}

/** Returns a page of the site with its samples as tabs. */
export function withSampleTabs(page: string): string {
  return page.replace(SAMPLES, (_, operationId: string) => codeTabs(samplesNamed(operationId)));
}

function samplesNamed(operationId: string): readonly CodeSample[] {
  const route = routesOf(readDocument()).find(({ operation }) => operation.operationId === operationId);
  if (!route) throw new Error(`docs/openapi.json has no operation ${operationId}.`);
  return samplesOf(route);
}
