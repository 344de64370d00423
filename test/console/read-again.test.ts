import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import type { KeysView } from '../../shared/accounts/console/views.ts';
import type { ChangesView } from '../../shared/audit/console/views.ts';
import type { WalletView } from '../../shared/payments/console/views.ts';
import type { RequestsView } from '../../shared/verifications/console/views.ts';
import { startBrowser } from '../support/browser.ts';
import { browserSuite } from '../support/browser-suite.ts';
import { button } from '../support/button.ts';
import { until } from '../support/until.ts';
import { pagesIn } from './open-pages.ts';
import { requestsView } from './request-views.ts';
import { changesView, creditedView, keysView, topUpView, walletView } from './views.ts';

/** Pages that read their data again, in a browser, with responses that arrive in another order than their requests. */

const PAGE_SIZE = 50;
/** Long enough for a page to show a response that has arrived. */
const SHOW_MS = 300;

const browser = await startBrowser();
afterAll(() => browser?.close());
browserSuite(browser, inBrowser);

function inBrowser(started: Browser): void {
  const { open, views, requests, url } = pagesIn(started);

  /** Holds the next response of a route, whose request `start` causes. Returns a function that sends the response. */
  async function hold<T>(page: Page, route: `GET /${string}`, start: () => Promise<void>) {
    const asked = Promise.withResolvers<void>();
    const held = Promise.withResolvers<T>();
    const others = views()[route];
    views()[route] = () => {
      views()[route] = others;
      asked.resolve();
      return held.promise;
    };
    await start();
    await asked.promise;
    return async (data: T) => {
      const arrived = page.waitForEvent('requestfinished', (request) =>
        new URL(request.url()).pathname.endsWith(route.slice('GET '.length)),
      );
      held.resolve(data);
      await arrived;
      await page.waitForTimeout(SHOW_MS);
    };
  }

  describe('a page that is left', () => {
    test('does not read the address of the next page, also while its code loads', async () => {
      await open('/requests?outcome=FOUND&id=req_000000000000', async (page) => {
        await page.getByRole('dialog').getByRole('link', { name: 'show the statement' }).click();
        await page.getByText('The list begins with the line of').waitFor();
        await page.goto(`${url()}/usage?by=key&month=2026-10`);
        await page.getByRole('heading', { name: 'October 2026' }).waitFor();
        await button(page, 'Menu').click();
        await page.getByRole('link', { name: 'Audit trail' }).click();
        await page.getByText('12 changes are shown.').waitFor();
      });
      const read = requests().filter((one) => /^GET .(requests|usage)$/.test(one));
      expect(read).toEqual(['GET /requests', 'GET /usage']);
    });
  });

  describe('results of a search', () => {
    /** Whether the first result begins in the upper half of the window, below the header. */
    const inView = async (page: Page, first: string) => {
      await page.locator(first).first().waitFor();
      const box = `document.querySelector(${JSON.stringify(first)}).getBoundingClientRect()`;
      await until(() => page.evaluate(`${box}.y > 60 && ${box}.y < innerHeight / 2`));
    };
    const SAID = 'The results are shown.';

    test('come into view on a phone, are announced and have the focus, on each page', async () => {
      await open('/requests', async (page) => {
        await page.getByText('Filters').click();
        await page.getByLabel('Outcome').selectOption('Found');
        await button(page, 'Search').click();
        await page.waitForURL(/outcome=FOUND/);
        await inView(page, 'main > .hint');
        await page.locator(':focus').getByText(SAID).waitFor();
        await button(page, 'Include 30 days before').click();
        await page.waitForURL(/from=/);
        await inView(page, 'main > .hint');
        await page.goto(`${url()}/audit`);
        await page.getByLabel('Search').fill('key create');
        await button(page, 'Show').click();
        await page.waitForURL(/search=/);
        await inView(page, 'table');
        await page.goto(`${url()}/usage`);
        await page.getByRole('heading', { name: 'By day' }).waitFor();
        await page.getByLabel('To', { exact: true }).fill('2026-11-20');
        await page.getByLabel('From').fill('2026-11-10');
        await button(page, 'Show days').click();
        await page.getByRole('heading', { name: '10 Nov 2026 to 20 Nov 2026' }).waitFor();
        await inView(page, '.stack > section');
        expect(await page.getByRole('status').getByText(SAID).count()).toBe(1);
        await page.goto(`${url()}/playground`);
        await button(page, 'Send').click();
        await inView(page, '#response');
      });
    });

    test('are asked for in the other environment with the same words, also if they were not sent yet', async () => {
      await open('/requests?reference=none&from=2026-11-10&id=req_ffffffffffff', async (page) => {
        await button(page.getByRole('dialog'), 'Close').click();
        await page.getByText('Choose Test at the top').waitFor();
        const field = page.getByLabel('Request ID or your reference');
        await field.fill('loan-1003');
        await page.getByRole('link', { name: 'Test', exact: true }).click();
        await page.waitForURL('**/requests?env=test&reference=none&from=2026-11-10');
        await page.getByText('Choose Live at the top').waitFor();
        expect(await field.inputValue()).toBe('loan-1003');
        await button(page, 'Search').click();
        await page.getByText('1 request is shown.').waitFor();
      });
    });

    test('have a distance from what is above and below them', async () => {
      const distance = async (above: Locator, below: Locator) => {
        await below.waitFor();
        const [one, other] = await Promise.all([above.boundingBox(), below.boundingBox()]);
        return (other?.y ?? 0) - (one?.y ?? 0) - (one?.height ?? 0);
      };
      const line = (page: Page, text: string) => page.locator('p', { hasText: text });
      await open('/requests', async (page) => {
        expect(await distance(line(page, 'Days shown'), page.locator('.rejected'))).toBeGreaterThan(8);
        await page.goto(`${url()}/wallet/statement?since=2026-11-29T10:00:00Z`);
        expect(await distance(line(page, 'The list begins'), page.locator('.figures'))).toBeGreaterThan(8);
      });
    });
  });

  describe('a response that arrives late', () => {
    test('does not replace the wallet of another environment', async () => {
      const { reference } = topUpView();
      const status = `GET /wallet/top-ups/${reference}`;
      views()[status] = topUpView({ env: 'test' });
      views()['GET /wallet'] = walletView('test', { available: 1_111 });
      await open(`/wallet?env=test&top_up=${reference}`, async (page) => {
        await page.getByText('No payment has arrived yet').waitFor();
        await page.getByText('1,111').waitFor();
        const respond = await hold<WalletView>(page, 'GET /wallet', async () => {
          views()[status] = creditedView({ env: 'test' });
          await page.getByText('The payment is complete').waitFor();
        });
        views()['GET /wallet'] = walletView('live', { available: 7_777 });
        await page.getByRole('link', { name: 'Live', exact: true }).click();
        await page.getByText('7,777').waitFor();
        await respond(walletView('test', { available: 14_480 }));
        expect(await page.getByText('7,777').count()).toBe(1);
        expect(await page.getByText('14,480').count()).toBe(0);
      });
    });

    test('is not shown as the requests of another filter', async () => {
      await open('/requests', async (page) => {
        await page.getByText('12 requests are shown.').waitFor();
        const search = () => button(page, 'Search').click();
        const respondFirst = await hold<RequestsView>(page, 'GET /requests', search);
        await page.getByText('Filters').click();
        await page.getByLabel('Outcome').selectOption('Registry timeout');
        const respondSecond = await hold<RequestsView>(page, 'GET /requests', search);
        await respondFirst(requestsView(12));
        await respondSecond(requestsView(12, new URLSearchParams({ outcome: 'TIMEOUT' })));
        expect(await page.getByText(/^2 requests are shown/).count()).toBe(1);
      });
    });

    test('does not replace the response to a later request', async () => {
      views()['GET /audit'] = changesView(5);
      await open('/audit', async (page) => {
        // Routing turns off the cache. With the cache, Chromium holds back the second of two equal requests for 20 s.
        await page.route('**/*', (route) => route.continue());
        await page.getByText('5 changes are shown.').waitFor();
        const show = () => button(page, 'Show').click();
        const respond = await hold<ChangesView>(page, 'GET /audit', show);
        views()['GET /audit'] = changesView(7);
        await show();
        await page.getByText('7 changes are shown.').waitFor();
        await respond(changesView(6));
        expect(await page.getByText('7 changes are shown.').count()).toBe(1);
      });
    });

    test('does not show a key as active that has been revoked since, and the keys are read again', async () => {
      const { keys, ...rest } = keysView();
      const [revoked] = keys.filter(({ env }) => env === 'test');
      if (!revoked) throw new Error('The view has no test key.');
      views()[`POST /keys/${revoked.id}/revoke`] = { ...revoked, status: 'revoked' };
      await open('/keys?env=test', async (page) => {
        const rowOf = (label: string) => page.getByRole('row').filter({ hasText: label });
        const row = rowOf(revoked.label);
        await row.waitFor();
        const respond = await hold<KeysView>(page, 'GET /keys', () => button(page, 'Refresh').click());
        const created = { ...revoked, id: '0123456789ab', label: 'created by a colleague' };
        const others = keys.filter((key) => key !== revoked);
        views()['GET /keys'] = { keys: [...others, { ...revoked, status: 'revoked' }, created], ...rest };
        await row.getByRole('button', { name: /^Revoke/ }).click();
        await button(page.getByRole('dialog'), 'Revoke key').click();
        await row.waitFor({ state: 'detached' });
        await respond(keysView());
        await rowOf(created.label).waitFor();
        expect(await row.count()).toBe(0);
      });
    });
  });

  describe('a filter that is submitted again without a change', () => {
    test('shows the requests that have been sent since', async () => {
      await open('/requests', async (page) => {
        await page.getByText('12 requests are shown.').waitFor();
        views()['GET /requests'] = requestsView(14);
        await button(page, 'Search').click();
        await page.getByText('14 requests are shown.').waitFor();
      });
    });

    describe('in the audit trail', () => {
      const NAMES = Array.from({ length: 120 }, (_, index) => `change ${index}`);
      const { changes } = changesView(NAMES.length, new URLSearchParams({ limit: String(NAMES.length) }));
      const named = changes.map((change, index) => ({ ...change, target: NAMES[index] ?? '' }));
      /** How many of the newest changes have not been made yet. */
      let pending: number;

      beforeEach(() => {
        pending = 20;
        views()['GET /audit'] = (_: unknown, query: URLSearchParams): ChangesView => {
          const first = Number(query.get('cursor') ?? pending);
          const next = first + PAGE_SIZE;
          return {
            changes: named.slice(first, next),
            next_cursor: next < named.length ? String(next) : null,
          };
        };
      });

      test('leaves no gap between the new changes and the older ones', async () => {
        const shown = (page: Page) => page.getByText(/^change \d+$/).allTextContents();
        await open('/audit', async (page) => {
          await button(page, 'Load older').click();
          await page.getByText('100 changes are shown. No older ones were found.').waitFor();
          pending = 0;
          await button(page, 'Show').click();
          await page.getByText('change 0', { exact: true }).waitFor();
          expect(await shown(page)).toEqual(NAMES.slice(0, PAGE_SIZE));
          await button(page, 'Load older').click();
          await page.getByText('100 changes so far.').waitFor();
          expect(await shown(page)).toEqual(NAMES.slice(0, 2 * PAGE_SIZE));
        });
      });
    });
  });
}
