import { readFileSync } from 'node:fs';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../support/browser.ts';
import { browserSuite } from '../support/browser-suite.ts';
import { button } from '../support/button.ts';
import { violations } from '../support/page-checks.ts';
import { pagesIn } from './open-pages.ts';
import { Rejection } from './pages-double.ts';
import { changesView } from './views.ts';

/** The page of the audit trail in a browser. */

const browser = await startBrowser();
afterAll(() => browser?.close());
browserSuite(browser, inBrowser);

function inBrowser(started: Browser): void {
  const { open, views, requests } = pagesIn(started);

  describe('the audit trail', () => {
    beforeEach(() => {
      views()['GET /audit'] = (_: unknown, query: URLSearchParams) => changesView(230, query);
    });

    test('is searched, and the search is part of the address', async () => {
      await open('/audit?env=test', async (page) => {
        await page.getByLabel('Search').fill('key create');
        await button(page, 'Show').click();
        await page.waitForURL('**/audit?env=test&search=key+create');
        await page.getByText('50 changes so far. There may be older ones.').waitFor();
        await page.reload();
        await page.getByText('50 changes so far. There may be older ones.').waitFor();
        expect(await page.getByLabel('Search').inputValue()).toBe('key create');
        expect(await page.getByText('Enabled a service').count()).toBe(0);
        await button(page, 'Load older').click();
        await page.getByText('77 changes are shown. No older ones were found.').waitFor();
      });
    });

    test('says what the ID of a request is for', async () => {
      await open('/audit', async (page) => {
        await page.getByText('Show details of').first().click();
        await page
          .getByText('Send it to support if you have a question about this change.')
          .first()
          .waitFor();
      });
    });

    test('does not present the names of changed fields as a new value', async () => {
      const [change] = changesView(1).changes;
      const after = { changed: ['path'], events: ['top_up.credited'] };
      views()['GET /audit'] = {
        changes: [{ ...change, before: { events: ['balance.low'] }, after }],
        next_cursor: null,
      };
      await open('/audit', async (page) => {
        await page.getByText('Show details of').click();
        const [events, changed] = await page.locator('.facts > div').allInnerTexts();
        expect(changed).toMatch(/^Changed \(values not recorded\)\s+Path of the address$/);
        expect(events).toMatch(/^Events\s+Before: balance.low\s+After: top_up.credited$/);
      });
    });

    test('is exported page by page, with all changes that match the search', async () => {
      await open('/audit?search=key+create', async (page) => {
        const saved = page.waitForEvent('download');
        await button(page, 'Export CSV').click();
        const download = await saved;
        await page.getByText('The file contains 77 changes.').waitFor();
        expect(download.suggestedFilename()).toMatch(/^audit-trail-\d{4}-\d\d-\d\d\.csv$/);
        const lines = readFileSync(await download.path(), 'utf8').split('\r\n');
        expect(lines).toHaveLength(79);
        expect(lines[1]).toContain(',Amaka Obi,key create,');
      });
    });

    test('shows the progress of the export, and stops it on Cancel', async () => {
      const second = Promise.withResolvers<void>();
      views()['GET /audit'] = async (_: unknown, query: URLSearchParams) => {
        if (query.has('cursor')) await second.promise;
        return changesView(230, query);
      };
      await open('/audit', async (page) => {
        const downloads: unknown[] = [];
        page.on('download', (download) => downloads.push(download));
        await button(page, 'Export CSV').click();
        await page.getByText('100 changes so far').waitFor();
        expect(await page.getByRole('progressbar').isVisible()).toBe(true);
        expect(await violations(page)).toEqual([]);
        await button(page, 'Cancel').click();
        const reads = requests().length;
        second.resolve();
        await page.waitForTimeout(300);
        expect(requests()).toHaveLength(reads);
        expect(downloads).toEqual([]);
      });
    });

    test('continues an export after a failure instead of starting again', async () => {
      let failures = 1;
      views()['GET /audit'] = (_: unknown, query: URLSearchParams) => {
        if (query.get('cursor') === '100' && failures-- > 0) return new Rejection('SERVICE_UNAVAILABLE');
        return changesView(230, query);
      };
      await open('/audit', async (page) => {
        await button(page, 'Export CSV').click();
        const saved = page.waitForEvent('download');
        await button(page.getByRole('dialog'), 'Retry').click();
        expect(readFileSync(await (await saved).path(), 'utf8').split('\r\n')).toHaveLength(232);
      });
    });
  });
}
