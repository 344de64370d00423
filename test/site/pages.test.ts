import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as consoleLinks from '../../clients/console/src/documentation.ts';
import { readDocument, routesOf } from '../../infra/site/document.ts';
import { withSiteLinks } from '../../infra/site/links.ts';
import { llmsText } from '../../infra/site/llms.ts';
import { anchorOf } from '../../infra/site/markdown.ts';
import { PAGES, ROOT } from '../../infra/site/pages.ts';
import { followScript, redirectPage, redirects } from '../../infra/site/redirects.ts';
import { referencePages } from '../../infra/site/reference.ts';
import { SAMPLE_PAGES, withSamples, withSampleTabs } from '../../infra/site/samples.ts';

/** What the site contains, before VitePress builds it. site.test.ts opens the built site in a browser. */

test('every page of docs except docs/releases is on the site', () => {
  const pages = globSync('docs/**/*.md', { cwd: ROOT, exclude: ['docs/releases/**'] });
  expect(pages.length).toBeGreaterThan(30);
  expect(pages.filter((page) => !PAGES.some(({ source }) => source === page))).toEqual([]);
});

test('the console uses each of its links to the site', () => {
  const files = globSync('clients/console/src/*/*.tsx', { cwd: ROOT });
  const code = files.map((file) => readFileSync(join(ROOT, file), 'utf8').replace(/^import[^;]*;/gm, ''));
  const words = new Set(code.join('\n').match(/\b[A-Z_]+\b/g));
  const unused = Object.keys(consoleLinks).filter((name) => !words.has(name));
  expect(unused).toEqual([]);
});

describe('a link', () => {
  const linked = (markdown: string) => withSiteLinks('docs/guides/errors.md', markdown);

  test.each([
    ['to another page', '[x](api.md)', '[x](/guides/api.md)'],
    [
      'to a heading of another page',
      '[x](limits.md#in-the-console)',
      '[x](/guides/limits.md#in-the-console)',
    ],
    ['to a page outside docs', '[x](../../CHANGELOG.md)', '[x](/changelog.md)'],
    ['to a folder with a README', '[x](../design/slips)', '[x](/design/slips.md)'],
    ['to a heading of the same page', '[x](#four-rules)', '[x](#four-rules)'],
    ['to another host', '[x](https://example.com/a.md)', '[x](https://example.com/a.md)'],
    ['to a source file, which is not published', 'see [`routes`](../../infra/routes.ts)', 'see `routes`'],
    ['in a code block', '```md\n[x](api.md)\n```', '```md\n[x](api.md)\n```'],
  ])('%s', (_, markdown, expected) => {
    expect(linked(markdown)).toEqual({ text: expected, files: [] });
  });

  test('to another file of docs leads to a copy', () => {
    expect(linked('![x](../design/slips/premium.png)')).toEqual({
      text: '![x](/files/docs/design/slips/premium.png)',
      files: ['docs/design/slips/premium.png'],
    });
  });
});

test('a placeholder in running text does not become an HTML element', () => {
  const { text } = withSiteLinks('docs/guides/api.md', 'Send <API key>, not `<key>`. <!-- why -->');
  expect(text).toBe('Send &lt;API key>, not `<key>`. <!-- why -->');
});

test('anchors match those that GitHub generates', () => {
  expect(anchorOf('What `/v1` may return, in 2026')).toBe('what-v1-may-return-in-2026');
});

describe('old addresses', () => {
  const paths = new Set(PAGES.map(({ path }) => path));

  test.each(redirects().map((redirect) => [redirect.from, redirect] as const))(
    '%s leads to pages that exist',
    (from, { to, headings }) => {
      for (const address of [to, ...Object.values(headings)])
        expect(paths).toContain(address.replace(/#.*/, ''));
      if (paths.has(from)) expect(from).toBe(to);
    },
  );

  test('are those of the pages before they were sorted by reader', () => {
    const found = redirects().map(({ from }) => from);
    expect(found).toEqual(
      expect.arrayContaining(['guides/move-from-prembly', 'operate/matching', 'operate/providers/dojah']),
    );
  });

  test('keep the heading, unless it has moved elsewhere', () => {
    const moved = { from: 'operate/old', to: 'operate/new', headings: { limits: 'guides/limits#api' } };
    const page = redirectPage('/docs/', moved);
    expect(page).toContain('{"limits":"/docs/guides/limits.html#api"}');
    expect(page).toContain('"/docs/operate/new.html" + location.hash');
    expect(followScript('/docs/', moved, true)).toContain('?? undefined');
  });
});

describe('the reference', () => {
  const document = readDocument();
  const pages = referencePages(document);

  test('has a page for every operation, and an overview that lists them', () => {
    const [overview, ...operations] = pages;
    const routes = routesOf(document);
    expect(operations.map(({ path }) => path)).toEqual(
      routes.map(({ operation }) => `reference/${operation.operationId}`),
    );
    for (const { path } of routes) expect(overview?.text).toContain(path);
  });

  test.each(pages.slice(1).map((page) => [page.path, page] as const))(
    '%s describes the operation',
    (_, page) => {
      const route = routesOf(document).find(({ operation }) =>
        page.path.endsWith(`/${operation.operationId}`),
      );
      expect(page.text).toContain(`\`${route?.method} ${route?.path}\``);
      for (const name of ['undefined', '[object Object]', '$ref']) expect(page.text).not.toContain(name);
    },
  );

  test('shows the fields of nested objects and lists', () => {
    const text = pages.map((page) => page.text).join('\n');
    for (const field of [
      'residence.town',
      'directors[].surname',
      'params.id_number',
      'transactions[].amount',
    ])
      expect(text).toContain(`| \`${field}\` |`);
  });

  test('says which fields of a request are optional', () => {
    const { text = '' } = pages.find(({ title }) => title === 'Verify a NIN (Basic)') ?? {};
    expect(text).toMatch(/^\| `consent` \| string, optional \|/m);
  });
});

describe.each(SAMPLE_PAGES)('%s', (file) => {
  const text = readFileSync(file, 'utf8');

  test('has the samples of the API document: npm run openapi writes them', () => {
    expect(withSamples(text)).toBe(text);
  });

  test('shows the samples as tabs on the site, one for each language', () => {
    const labels = ['curl', 'Python', 'TypeScript', 'PHP', 'Go', 'Java'];
    expect(labels.filter((label) => !text.includes(`**${label}**`))).toEqual([]);
    const [tabs] = /^::: code-group\n[\s\S]*?^:::$/m.exec(withSampleTabs(text)) ?? [];
    expect(labels.filter((label) => !tabs?.includes(`[${label}]`))).toEqual([]);
  });
});

test('llms.txt links to every page of the site except the start page', () => {
  const text = llmsText('/docs/');
  const pages = [...PAGES, ...referencePages(readDocument())].filter(({ path }) => path !== 'index');
  for (const { path } of pages) expect(text).toContain(`(/docs/${path}.md)`);
});

test('no page except the start page has VitePress syntax, because pages are also read in the repository', () => {
  for (const { source } of PAGES.filter(({ path }) => path !== 'index')) {
    const text = readFileSync(join(ROOT, source), 'utf8');
    expect({ source, isPlain: !/^(:::|---$)/m.test(text) }).toEqual({ source, isPlain: true });
  }
});
