import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { AlertsView } from '../../shared/alerts/console/views.ts';
import type { SessionView } from '../../shared/members/console/views.ts';
import { startBrowser } from '../support/browser.ts';
import { browserSuite } from '../support/browser-suite.ts';
import { button } from '../support/button.ts';
import { layoutProblems, smallTargets, violationsInBoth, WIDTHS_PX } from '../support/page-checks.ts';
import { isComplete, randomCases } from '../support/sample.ts';
import { extremeViews } from './extreme-views.ts';
import { pagesIn } from './open-pages.ts';
import { Rejection } from './pages-double.ts';
import { demoViews, keysView, testRequestView } from './views.ts';

/** The pages of the console in a browser, with data and failures that the local service does not produce. */

const PAGES = [
  '/',
  '/keys',
  '/services',
  '/team',
  '/organisation',
  '/audit',
  '/wallet',
  '/wallet/statement',
  '/requests',
  '/usage',
  '/webhooks',
  '/alerts',
];
const OTHER_PAGES = [
  '/status',
  '/sign-in',
  '/sign-in?new=1',
  '/new-organisation',
  '/invitation',
  '/nowhere',
  '/playground',
  '/playground?env=test',
  '/webhooks?id=hook_0123456789abcdef',
];
/** Actions that are hard to undo, as they are named in lists. */
const REMOVAL = /^(Cancel|Delete|Disable|Leave|Remove|Revoke|Rotate secret) /;
const HEIGHT_PX = 800;
/** Widths of tablets and small windows, just below and above the widths at which the layout changes. */
const BETWEEN_PX = [640, 768, 895, 896, 1024, 1119, 1120, 1216] as const;
const someOf = <T>(cases: readonly T[], count: number) => (isComplete ? cases : randomCases(cases, count));

const browser = await startBrowser();
afterAll(() => browser?.close());
browserSuite(browser, inBrowser);

function inBrowser(started: Browser): void {
  const { open, views, requests, url } = pagesIn(started);

  const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent.trim()');
  /** Waits until the element with this text has the focus. */
  const focusOn = (page: Page, name: string) =>
    page
      .locator(':focus')
      .and(page.getByText(name, { exact: true }))
      .waitFor();
  const shown = async (page: Page) => {
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('.loading').waitFor({ state: 'detached' });
  };

  describe('with long names and long lists', () => {
    const paths = [...PAGES, ...OTHER_PAGES];
    test.each(someOf(paths, 5))(
      '%s is accessible, and nothing is cut off, at all widths and 400% zoom',
      async (path) => {
        Object.assign(views(), extremeViews());
        await open(path, async (page) => {
          await shown(page);
          expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
          expect(await page.getByRole('main').locator('.button.primary').count()).toBeLessThanOrEqual(1);
          const removals = page.getByRole('main').getByRole('button', { name: REMOVAL });
          expect(await removals.and(page.locator(':not(.removal)')).count()).toBe(0);
          await page.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true");
          for (const width of [...WIDTHS_PX, ...someOf(BETWEEN_PX, 2)]) {
            await page.setViewportSize({ width, height: HEIGHT_PX });
            const found = [...(await layoutProblems(page)), ...(await smallTargets(page))];
            // The first ones are enough to see what is wrong.
            const first = found.slice(0, 5);
            expect({ path, width, first }).toEqual({ path, width, first: [] });
          }
          expect({ path, first: (await violationsInBoth(page)).slice(0, 5) }).toEqual({ path, first: [] });
        });
      },
    );
  });

  test('without test keys, the list links to the quick start and the guide for moving, and is accessible', async () => {
    views()['GET /keys'] = keysView(0);
    await open('/keys?env=test', async (page) => {
      const links = page.locator('.empty a[href]');
      await links.nth(1).waitFor();
      const addresses = await Promise.all((await links.all()).map((link) => link.getAttribute('href')));
      const guides = addresses.map((href) => /docs\/guides\/(.*)\.html$/.exec(href ?? '')?.[1]);
      expect(guides).toEqual(['quick-start', 'move']);
      for (const width of WIDTHS_PX) {
        await page.setViewportSize({ width, height: HEIGHT_PX });
        const found = [...(await layoutProblems(page)), ...(await smallTargets(page))];
        expect({ width, found }).toEqual({ width, found: [] });
      }
      expect(await violationsInBoth(page)).toEqual([]);
    });
  });

  describe('the response to a test request', () => {
    test('is accessible, gets the focus and fits every width', async () => {
      Object.assign(views(), extremeViews());
      await open('/playground?env=test', async (page) => {
        await button(page, 'Send').click();
        await focusOn(page, '503 VERIFICATION_LOG_NOT_FOUND');
        for (const summary of await page.locator('main details > summary').all()) await summary.click();
        for (const width of WIDTHS_PX) {
          await page.setViewportSize({ width, height: HEIGHT_PX });
          const found = [...(await layoutProblems(page)), ...(await smallTargets(page))].slice(0, 5);
          expect({ width, found }).toEqual({ width, found: [] });
        }
        expect((await violationsInBoth(page)).slice(0, 5)).toEqual([]);
      });
    });

    test('has samples in tabs that the keyboard can switch, and after a failure the form keeps its input', async () => {
      await open('/playground?env=test', async (page) => {
        await page.getByLabel('Service', { exact: true }).selectOption('cac-basic');
        await page.getByLabel('Outcome', { exact: true }).selectOption('0404');
        const number = page.getByLabel('Number', { exact: true });
        expect(await number.inputValue()).toBe('RC1230404');
        const { 'POST /playground': working } = views();
        views()['POST /playground'] = new Rejection('SERVICE_UNAVAILABLE');
        await button(page, 'Send').click();
        await button(page, 'Retry').waitFor();
        expect(await number.inputValue()).toBe('RC1230404');
        views()['POST /playground'] = (body: unknown) => {
          expect(body).toEqual({ service: 'cac-basic', body: { id_number: 'RC1230404' } });
          return working;
        };
        await button(page, 'Retry').click();
        await page.getByRole('tab', { name: 'cURL' }).focus();
        await page.keyboard.press('ArrowRight');
        await focusOn(page, 'Python');
        await page.getByText('Python: send the request').waitFor();
        await page.getByText('998 test credits are left.').waitFor();
      });
    });

    test('says that a rejected request is not in Requests, and before any that a role may not send one', async () => {
      const view = testRequestView();
      views()['POST /playground'] = { ...view, status: 400, is_listed: false };
      await open('/playground', async (page) => {
        await button(page, 'Send').click();
        await page.getByText('rejected before it reserved a credit, so Requests does not list it').waitFor();
      });
      const session = views()['GET /session'] as SessionView;
      const organisation = session.organisation && { ...session.organisation, role: 'viewer' };
      views()['GET /session'] = { ...session, organisation };
      const { owners } = views()['GET /alerts'] as AlertsView;
      await open('/playground', async (page) => {
        await page
          .getByRole('alert')
          .getByText(`Owners: ${owners.join(', ')}.`)
          .waitFor();
        expect(await page.getByText('Ask an owner, administrator or developer').count()).toBe(1);
        expect(await button(page, 'Send').count()).toBe(0);
      });
    });

    test('does not change the environment of the other pages', async () => {
      await open('/playground', async (page) => {
        await button(page, 'Send').waitFor();
        await page.getByText('Test: sandbox records').waitFor();
        await button(page, 'Menu').click();
        await page.getByRole('link', { name: 'Playground', exact: true }).click();
        await page.locator('nav.pages.open').waitFor({ state: 'detached' });
        await button(page, 'Menu').click();
        await page.getByRole('link', { name: 'Requests', exact: true }).click();
        await page.getByText('12 requests are shown.').waitFor();
        expect(new URL(page.url()).search).toBe('');
      });
    });
  });

  const dialogs = [
    ['Create key', '/keys?env=test'],
    ['Rotate the key backend 2, which ends in TOVI', '/keys?env=test'],
    ['Revoke the key backend 2, which ends in TOVI', '/keys?env=test'],
    ['Export CSV', '/audit'],
    ['Top up', '/wallet'],
    ['Change Billing details', '/wallet'],
    ['Change Low-balance alert', '/wallet'],
    ['Set up Automatic top-up', '/wallet'],
    ['Add endpoint', '/webhooks'],
    ['Edit https://example.com/webhooks', '/webhooks'],
    ['Rotate secret https://example.com/webhooks', '/webhooks'],
    ['Delete https://example.com/webhooks', '/webhooks'],
    ['Invite member', '/team'],
    ['Change role Bola Adeyemi', '/team'],
    ['Remove Bola Adeyemi', '/team'],
  ] as const;
  describe.each(someOf(dialogs, 3))('the dialog of "%s"', (name, path) => {
    test('is accessible, opens and closes with the keyboard, and returns the focus', async () => {
      await open(path, async (page) => {
        await shown(page);
        await button(page, name).focus();
        await page.keyboard.press('Enter');
        await page.getByRole('dialog').waitFor();
        await page.locator('dialog :focus').waitFor();
        expect([...(await violationsInBoth(page)), ...(await smallTargets(page))]).toEqual([]);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await focusOn(page, name);
      });
    });
  });

  test.each([360, 768, 1280])('the header and the navigation stay in view at %d px', async (width) => {
    Object.assign(views(), extremeViews());
    await open('/requests?env=test', async (page) => {
      await shown(page);
      await page.setViewportSize({ width, height: HEIGHT_PX });
      await page.evaluate('scrollTo(0, 2000)');
      expect(await page.title()).toMatch(/\(Staging\)$/);
      const current = page.locator('nav.pages a[aria-current]');
      // A click would first scroll to the button.
      if (width < 1120) await button(page, 'Menu').dispatchEvent('click');
      const tops = [page.getByRole('link', { name: 'Live' }), page.getByText('Staging'), current].map(
        async (one) => (await one.boundingBox())?.y,
      );
      for (const top of await Promise.all(tops)) {
        expect(top).toBeGreaterThanOrEqual(0);
        expect(top).toBeLessThan(HEIGHT_PX);
      }
    });
  });

  describe('with the keyboard', () => {
    test('the first tab stop skips to the content', async () => {
      await open('/services', async (page) => {
        await shown(page);
        await page.keyboard.press('Tab');
        expect(await focused(page)).toBe('Skip to the content');
        await page.keyboard.press('Enter');
        await page.locator('#content:focus').waitFor();
      });
    });

    test('the focus moves to the heading of the next page', async () => {
      await open('/keys', async (page) => {
        await shown(page);
        await button(page, 'Menu').focus();
        await page.keyboard.press('Enter');
        const link = page.getByRole('link', { name: 'Services' });
        await link.focus();
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { level: 1, name: 'Services' }).waitFor();
        await page.getByRole('switch').first().waitFor();
        await focusOn(page, 'Services');
        expect(await page.title()).toMatch(/^Services/);
      });
    });

    test('each control that has the focus shows it', async () => {
      await open(
        '/audit',
        async (page) => {
          await shown(page);
          const hidden: string[] = [];
          for (let stop = 0; stop < 25; stop += 1) {
            await page.keyboard.press('Tab');
            const style = await page.evaluate<string>('getComputedStyle(document.activeElement).outline');
            // The browser itself shows the focus in the parts of a date field.
            const isDate = await page.evaluate<boolean>('document.activeElement.type === "date"');
            if (!isDate && !/solid [2-9]px/.test(style)) hidden.push(`${await focused(page)}: ${style}`);
          }
          expect(hidden).toEqual([]);
        },
        { viewport: { width: 1280, height: HEIGHT_PX } },
      );
    });
  });

  test.each(['Rotate', 'Revoke'])(
    'the dialog "%s" shows a use of the key that the list does not show yet',
    async (name) => {
      await open('/keys?env=test', async (page) => {
        const opener = button(page, `${name} the key backend 2, which ends in TOVI`);
        await opener.waitFor();
        const { keys, ...others } = keysView();
        const use = { last_used_at: new Date().toISOString(), last_network: '198.51.100.0/24' };
        views()['GET /keys'] = { ...others, keys: keys.map((key) => ({ ...key, ...use })) };
        await opener.click();
        const dialog = page.getByRole('dialog');
        await dialog.getByText('from 198.51.100.0/24').waitFor();
        expect(await dialog.getByText('This key has never been used.').count()).toBe(0);
      });
    },
  );

  describe('without a connection', () => {
    test('a form keeps its input, and can be sent again', async () => {
      await open('/keys?env=test', async (page) => {
        await button(page, 'Create key').click();
        const dialog = page.getByRole('dialog');
        await page.getByLabel('Label').fill('backend');
        await page.context().setOffline(true);
        await button(dialog, 'Create key').click();
        await dialog.getByText('There is no connection').waitFor();
        expect(await page.getByLabel('Label').inputValue()).toBe('backend');
        await page.context().setOffline(false);
        await button(dialog, 'Retry').click();
        await page.getByRole('checkbox', { name: 'I have stored the key' }).waitFor();
        expect(requests().filter((request) => request === 'POST /keys')).toHaveLength(1);
      });
    });

    test('a page that could not be read or loaded appears when the connection is back', async () => {
      await open('/', async (page) => {
        const follow = (path: string) => page.locator(`nav.pages a[href="${path}"]`).dispatchEvent('click');
        await page.getByRole('heading', { name: 'Credits' }).waitFor();
        await follow('/services');
        await page.getByRole('heading', { level: 1, name: 'Services' }).waitFor();
        await follow('/');
        await page.context().setOffline(true);
        await follow('/services');
        await page.getByText('There is no connection').waitFor();
        await page.context().setOffline(false);
        await page.getByText('There is no connection').waitFor({ state: 'detached' });
        await page.context().setOffline(true);
        await follow('/team');
        await page.getByRole('heading', { name: 'Page not loaded' }).waitFor();
        await follow('/');
        await page.getByText('There is no connection').waitFor();
        await page.context().setOffline(false);
        await follow('/team');
        await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor();
      });
    });

    test('UTC stays shown after a reload', async () => {
      await open('/team', async (page) => {
        await button(page, 'Show UTC').click();
        await page.reload();
        await page.getByText('Times are in UTC.').waitFor();
      });
    });

    test.each(someOf(PAGES, 3))('%s says so, and offers Retry', async (path) => {
      const read = { '/': '/home', '/team': '/members' }[path] ?? path;
      await open('/sign-in', async (page) => {
        await page.route(`**/console/api${read}*`, (route) => route.abort());
        await page.goto(`${url()}${path}`);
        await page.getByText('There is no connection').waitFor();
        await page.unroute(`**/console/api${read}*`);
        await button(page, 'Retry').click();
        await page.getByText('There is no connection').waitFor({ state: 'detached' });
        await shown(page);
      });
    });
  });

  test.each(someOf(PAGES, 3))('%s shows its frame and heading before its data', async (path) => {
    const read = `GET ${{ '/': '/home', '/team': '/members' }[path] ?? path}`;
    const waiting = Promise.withResolvers<unknown>();
    const data = views()[read];
    views()[read] = () => waiting.promise;
    await open(path, async (page) => {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('.loading').waitFor();
      await page.getByRole('link', { name: 'Live' }).waitFor();
      waiting.resolve(typeof data === 'function' ? data(undefined, new URLSearchParams()) : data);
      await shown(page);
    });
  });

  test('data of an organisation to which the session has moved meanwhile loads the page again', async () => {
    const { organisation, ...session } = demoViews()['GET /session'] as SessionView;
    const data = views()['GET /keys'];
    views()['GET /keys'] = async () => {
      while (!requests().includes('GET /session')) await setTimeout(10);
      // The first page has sent both requests before it knows the session.
      await setTimeout(100);
      const moved = organisation && { ...organisation, id: 'org_other', name: 'Other Limited' };
      views()['GET /session'] = { ...session, organisation: moved };
      views()['GET /keys'] = data;
      return data;
    };
    await open('/keys', async (page) => {
      await page.getByText('Other Limited').waitFor();
      await page.getByText('ends in TOVI').first().waitFor();
      expect(requests().filter((one) => one === 'GET /session')).toHaveLength(2);
    });
  });
}
