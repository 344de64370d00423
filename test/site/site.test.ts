import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import * as consoleLinks from '../../clients/console/src/documentation.ts';
import { readDocument } from '../../infra/site/document.ts';
import { PAGES } from '../../infra/site/pages.ts';
import { referencePages } from '../../infra/site/reference.ts';
import { CATALOGUE } from '../../shared/core/errors.ts';
import { startBrowser } from '../support/browser.ts';
import { browserSuite } from '../support/browser-suite.ts';
import {
  COLOUR_SCHEMES,
  colourViolations,
  layoutProblems,
  withPage as openPage,
  violations,
} from '../support/page-checks.ts';
import { isComplete, randomCases } from '../support/sample.ts';
import { baseUrl } from '../support/service.ts';

/** The documentation site of the running service: every link, and the most important pages in a real browser. */

const SITE = `${baseUrl}/docs/`;
const MAX_FIRST_PAGE_BYTES = 150 * 1024;

const SHOWN = ['index', 'guides/quick-start', 'guides/api', 'reference/verifyNinBasic'];
const IS_FOR_OPERATORS = /\/docs\/(operate|finance|privacy|design)(\/|\.html)/;
const paths = [...PAGES, ...referencePages(readDocument())].map(({ path }) => path);
const htmlOf = new Map<string, string>();

// The first visit builds the site.
beforeAll(async () => {
  for (const path of paths) {
    const response = await fetch(`${SITE}${path}.html`);
    expect({ path, status: response.status }).toEqual({ path, status: 200 });
    htmlOf.set(path, await response.text());
  }
}, 300_000);

describe('every page', () => {
  test('links only to pages, headings and files that exist', async () => {
    const ids = new Map([...htmlOf].map(([path, html]) => [path, matches(html, / id="([^"]+)"/g)]));
    const broken: string[] = [];
    const files = new Set<string>();
    for (const [path, html] of htmlOf)
      for (const href of new Set(matches(html, /<a [^>]*href="([^"]+)"/g))) {
        if (/^(https?|mailto):/.test(href)) continue;
        const { pathname, hash } = new URL(href, `${SITE}${path}.html`);
        const target = pathname
          .replace('/docs/', '')
          .replace(/\/$|^$/, '/index')
          .replace(/^\//, '');
        const page = ids.get(target.replace(/\.html$/, ''));
        if (!page) files.add(pathname);
        else if (hash && !page.includes(decodeURIComponent(hash.slice(1)))) broken.push(`${path}: ${href}`);
      }
    for (const file of files) if ((await fetch(`${baseUrl}${file}`)).status !== 200) broken.push(file);
    expect(broken).toEqual([]);
    expect(files).toContain('/docs/files/docs/openapi.json');
  });

  test('and heading to which the console links exists', () => {
    const ofCodes = Object.keys(CATALOGUE).map((code) => `${consoleLinks.ERRORS}#${code}`);
    const broken = [...Object.values(consoleLinks), ...ofCodes].filter((link) => {
      const [page = '', heading] = link.split('#');
      const html = htmlOf.get(page.replace(/\.html$/, ''));
      return html === undefined || (heading !== undefined && !html.includes(` id="${heading}"`));
    });
    expect(broken).toEqual([]);
  });

  test('is also available as Markdown', async () => {
    const index = await (await fetch(`${SITE}llms.txt`)).text();
    for (const path of ['guides/errors', 'reference/verifyNinBasic', 'operate/deploy']) {
      expect(index).toContain(`(/docs/${path}.md)`);
      const markdown = await (await fetch(`${SITE}${path}.md`)).text();
      expect(markdown).toMatch(/^# /);
    }
  });
});

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found = '']) => found);
}

const browser = await startBrowser();
afterAll(() => browser?.close());
browserSuite(browser, inBrowser);

function inBrowser(started: Browser): void {
  const problems: string[] = [];

  const withPage = <T>(options: BrowserContextOptions, use: (page: Page) => Promise<T>) =>
    openPage(started, baseUrl, problems, options, use);
  /** Opens a page, and waits until its scripts have run: before that, its controls do nothing. */
  const visit = (page: Page, path = '') => page.goto(`${SITE}${path}`, { waitUntil: 'networkidle' });

  /** Returns the addresses of the results, best first. */
  async function results(page: Page, words: string): Promise<string[]> {
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill(words);
    const links = page.getByRole('dialog').locator('a.result');
    await links.first().waitFor();
    return links.evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''));
  }

  describe.each(isComplete ? SHOWN : randomCases(SHOWN, 1))('%s', (path) => {
    // Each colour scheme gets a new page, because an open page switches schemes with a delay.
    test.each(COLOUR_SCHEMES)(
      'is accessible, and nothing is cut off or overlaps: %s',
      async (colorScheme) => {
        // Without transitions, the page is at rest as soon as the window has its new size.
        await withPage({ colorScheme, reducedMotion: 'reduce' }, async (page) => {
          await visit(page, `${path}.html`);
          for (const width of [360, 1280]) {
            await page.setViewportSize({ width, height: 800 });
            const found = [
              ...(await layoutProblems(page)),
              ...(colorScheme === 'light' ? await violations(page) : await colourViolations(page)),
            ];
            expect({ width, found }).toEqual({ width, found: [] });
          }
        });
      },
    );
  });

  test('the start page loads at most 150 KB', async () => {
    const bytes = await withPage({}, async (page) => {
      const sizes: Promise<number>[] = [];
      page.on('requestfinished', (request) => {
        sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
      });
      await visit(page);
      return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    });
    expect(bytes).toBeGreaterThan(10 * 1024);
    expect(bytes).toBeLessThanOrEqual(MAX_FIRST_PAGE_BYTES);
  });

  test('the search finds a code and opens its page', async () => {
    await withPage({}, async (page) => {
      await visit(page);
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('searchbox').fill('REPLAY_EXHAUSTED');
      const result = page
        .getByRole('dialog')
        .getByRole('link', { name: 'Retry without a second charge' })
        .first();
      await result.waitFor();
      expect(await violations(page)).toEqual([]);
      await result.click();
      await page.waitForURL('**/guides/idempotency.html*');
    });
  });

  test.each([
    ['NIN_NOT_FOUND', 'guides/errors'],
    ['timeout', 'guides/outages'],
    ['mock', 'guides/mocks'],
    ['pagination', 'guides/pagination'],
    ['csharp', 'guides/languages'],
  ])('the search for %s finds the page for callers first: %s', async (words, path) => {
    await withPage({}, async (page) => {
      await visit(page);
      expect((await results(page, words))[0]).toMatch(new RegExp(`/docs/${path}\\.html#`));
    });
  });

  test('results for operators come last and say so, and come first on a page for operators', async () => {
    await withPage({}, async (page) => {
      await visit(page);
      const found = await results(page, 'erasure');
      const own = found.findIndex((address) => IS_FOR_OPERATORS.test(address));
      expect(own).toBeGreaterThan(0);
      expect(found.slice(own).every((address) => IS_FOR_OPERATORS.test(address))).toBe(true);
      await page.getByRole('dialog').getByText('For operators').first().waitFor();
      await visit(page, 'operate/registries.html');
      expect((await results(page, 'erasure'))[0]).toMatch(IS_FOR_OPERATORS);
    });
  });

  test('an old address leads to the page and heading that replaced it', async () => {
    await withPage({}, async (page) => {
      for (const [old, current] of [
        ['guides/api.html#number-formats', 'guides/requests.html#the-number'],
        ['guides/move-from-dojah.html#fields-of-records', 'guides/move.html#fields-of-records'],
        ['operate/providers/prembly.html', 'operate/providers.html#prembly'],
        ['operate/registries.html#limits', 'operate/registries.html#limits'],
      ] as const) {
        await visit(page, old);
        await page.waitForURL(`**/docs/${current}`);
      }
    });
  });

  test('the tabs of the samples can be switched with the keyboard', async () => {
    await withPage({}, async (page) => {
      await visit(page);
      const python = page.getByText('from ng_identity import IdentityClient');
      expect(await python.isVisible()).toBe(false);
      await page.getByRole('radio', { name: 'curl' }).focus();
      await page.keyboard.press('ArrowRight');
      await python.waitFor();
    });
  });

  test('a long command wraps on a phone, and its copy button is visible without a pointer', async () => {
    const phone = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true };
    await withPage(phone, async (page) => {
      await visit(page, 'operate/runbooks/rollback.html');
      const found = await page.evaluate(`(() => {
        const block = document.querySelector('.vp-doc div[class*="language-"]');
        const { opacity } = getComputedStyle(block.querySelector('button'));
        const isOnFirstScreen = block.getBoundingClientRect().top < 560;
        return { scrolls: block.scrollWidth > block.clientWidth, opacity, isOnFirstScreen };
      })()`);
      expect(found).toEqual({ scrolls: false, opacity: '1', isOnFirstScreen: true });
    });
  });

  test('the theme can be switched', async () => {
    await withPage({ colorScheme: 'light' }, async (page) => {
      await visit(page);
      await page.getByRole('switch').first().click();
      await page.locator('html.dark').waitFor();
    });
  });

  test('no page fails, or requests anything from another host', () => {
    expect(problems).toEqual([]);
  });
}
