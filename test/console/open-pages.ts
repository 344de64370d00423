import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { buildConsole } from '../../clients/console/build.ts';
import { onceInRun } from '../support/once-in-run.ts';
import { withPage } from '../support/page-checks.ts';
import { type PagesDouble, startPagesDouble } from './pages-double.ts';
import { demoViews } from './views.ts';

/** Without transitions, so that colours can be checked as soon as they have changed. */
const OPTIONS = { viewport: { width: 360, height: 780 }, reducedMotion: 'reduce' } as const;

/**
 * Returns functions that change the views of the double and open its pages, at phone size unless the options say
 * otherwise. Each test fails if its page had an error, sent a request to another origin or violated its policy.
 */
export function pagesIn(browser: Browser) {
  let double: PagesDouble | undefined;
  const problems: string[] = [];
  const started = () => {
    if (!double) throw new Error('The double has not started.');
    return double;
  };

  beforeAll(async () => {
    double = await startPagesDouble(await onceInRun('console', buildConsole));
  });
  afterAll(() => double?.close());
  beforeEach(() => {
    Object.assign(started().views, demoViews());
    started().requests.length = 0;
    problems.length = 0;
  });
  afterEach(() => expect(problems).toEqual([]));

  return {
    views: () => started().views,
    requests: () => started().requests,
    url: () => started().url,
    open: <T>(path: string, use: (page: Page) => Promise<T>, options: BrowserContextOptions = {}) =>
      withPage(browser, started().url, problems, { ...OPTIONS, ...options }, async (page) => {
        await page.goto(`${started().url}${path}`);
        return use(page);
      }),
  };
}
