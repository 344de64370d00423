import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { ServiceView } from '../../shared/accounts/console/views.ts';
import type { SessionView } from '../../shared/members/console/views.ts';
import { startBrowser } from '../support/browser.ts';
import { browserSuite } from '../support/browser-suite.ts';
import { button } from '../support/button.ts';
import {
  layoutProblems,
  smallTargets,
  violations,
  violationsInBoth,
  WIDTHS_PX,
} from '../support/page-checks.ts';
import { isComplete, randomCases } from '../support/sample.ts';
import { extremeViews } from './extreme-views.ts';
import { pagesIn } from './open-pages.ts';
import { Rejection } from './pages-double.ts';
import { statusView } from './status-views.ts';
import { changesView, demoViews, keysView, newKeyView } from './views.ts';
import { deliveryView, waitingDelivery, webhookView } from './webhook-views.ts';

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
const HEIGHT_PX = 800;
/** Widths of tablets and small windows, just below and above the widths at which the layout changes. */
const BETWEEN_PX = [640, 768, 831, 832, 900, 1024, 1119, 1120] as const;
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
        await page.getByText('998 credits are left.').waitFor();
      });
    });

    test('can be requested only in the test environment', async () => {
      await open('/playground', async (page) => {
        await page.getByRole('link', { name: 'Switch to Test' }).click();
        await button(page, 'Send').waitFor();
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

  describe('a new key', () => {
    const text = newKeyView('test').text;
    const create = async (page: Page) => {
      await button(page, 'Create key').click();
      await page.getByLabel('Label').fill('backend');
      await button(page.getByRole('dialog'), 'Create key').click();
      await page.getByRole('checkbox', { name: 'I have stored the key' }).waitFor();
    };

    test('is shown until the person has confirmed that they stored it', async () => {
      await open('/keys?env=test', async (page) => {
        await create(page);
        const dialog = page.getByRole('dialog');
        expect(await dialog.textContent()).toContain(text);
        expect(await dialog.textContent()).toContain(`Authorization: Bearer ${text}`);
        // Browsers close a dialog on the second press of Escape, even if the page prevents this on the first.
        for (let press = 0; press < 3; press += 1) await page.keyboard.press('Escape');
        expect(await dialog.isVisible()).toBe(true);
        expect(await violations(page)).toEqual([]);
        expect(await button(dialog, 'Done').isDisabled()).toBe(true);
        await page.getByRole('checkbox', { name: 'I have stored the key' }).check();
        await button(dialog, 'Done').click();
        await dialog.waitFor({ state: 'detached' });
        await focusOn(page, 'Create key');
      });
    });

    test('is in the list at once, while the list is read again', async () => {
      await open('/keys?env=test', async (page) => {
        await create(page);
        const read = Promise.withResolvers<unknown>();
        views()['GET /keys'] = () => read.promise;
        await page.getByRole('checkbox', { name: 'I have stored the key' }).check();
        await button(page, 'Done').click();
        const row = page.getByRole('row').filter({ hasText: 'ends in 0000' });
        await row.waitFor();
        read.resolve(keysView());
        await row.waitFor({ state: 'detached' });
      });
    });

    test('is kept nowhere in the browser', async () => {
      await open('/keys?env=test', async (page) => {
        await create(page);
        const places =
          '[JSON.stringify([{ ...sessionStorage }, { ...localStorage }, history.state]), location.href]';
        expect(JSON.stringify(await page.evaluate(places))).not.toContain(text);
        await page.getByRole('checkbox', { name: 'I have stored the key' }).check();
        await button(page, 'Done').click();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        expect(await page.content()).not.toContain(text);
      });
    });

    test('can be copied, which is confirmed in words', async () => {
      const options = { permissions: ['clipboard-read', 'clipboard-write'] };
      await open(
        '/keys?env=test',
        async (page) => {
          await create(page);
          await button(page, 'Copy API key').click();
          await page.getByRole('status').getByText('Copied').waitFor();
          expect(await page.evaluate('navigator.clipboard.readText()')).toBe(text);
        },
        options,
      );
    });

    test('cannot be created while its input is rejected: the message is next to the field, which has the focus', async () => {
      const message = 'Enter an IP address, or a network such as 203.0.113.0/24.';
      views()['POST /keys'] = new Rejection('INVALID_SCHEMA', 'addresses.1', message);
      await open('/keys?env=test', async (page) => {
        await button(page, 'Create key').click();
        await page.getByLabel('Label').fill('backend');
        const addresses = page.getByLabel('Addresses');
        await addresses.fill('203.0.113.0/24\n203.0.113.999');
        await button(page.getByRole('dialog'), 'Create key').click();
        await page.getByText(`203.0.113.999: ${message}`).waitFor();
        expect(await addresses.getAttribute('aria-invalid')).toBe('true');
        expect(await addresses.getAttribute('aria-describedby')).toContain('error');
        await page.locator('[name="addresses"]:focus').waitFor();
        expect(await addresses.inputValue()).toBe('203.0.113.0/24\n203.0.113.999');
        expect(await page.getByText(message).count()).toBe(1);
        expect(await violations(page)).toEqual([]);
      });
    });

    test('keeps its input during a sign-in, after which the dialog opens again', async () => {
      views()['POST /keys'] = new Rejection('RECENT_SIGN_IN_REQUIRED');
      await open('/keys?env=test', async (page) => {
        await button(page, 'Create key').click();
        await page.getByLabel('Label').fill('backend');
        await page.getByLabel('Only what I choose').check();
        await page.getByLabel('NIN Basic', { exact: true }).check();
        const left = page.waitForRequest(/session\/start\?again=1/);
        await button(page.getByRole('dialog'), 'Create key').click();
        expect(new URL((await left).url()).searchParams.get('to')).toBe('/keys?env=test');
        await page.getByRole('dialog').getByText('Your input is still here').waitFor();
        expect(await page.getByLabel('Label').inputValue()).toBe('backend');
        expect(await page.getByLabel('NIN Basic', { exact: true }).isChecked()).toBe(true);
      });
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

  describe('the status of the registries', () => {
    test('is shown to people without a session, who see no navigation and are not sent to the sign-in', async () => {
      views()['GET /session'] = new Rejection('SIGN_IN_REQUIRED');
      const reading = views()['GET /status'];
      views()['GET /status'] = new Rejection('SERVER_ERROR');
      await open('/status', async (page) => {
        await button(page, 'Retry').waitFor();
        views()['GET /status'] = reading;
        await button(page, 'Retry').click();
        await page.getByRole('heading', { name: 'Incidents' }).waitFor();
        expect(requests()).toContain('GET /session');
        expect(new URL(page.url()).pathname).toBe('/status');
        expect(await page.getByRole('link', { name: 'API keys' }).count()).toBe(0);
        expect(await page.getByText('99.71% uptime in 70 days').count()).toBe(4);
        await page.getByText('Show as a table').first().click();
        const rows = page.getByRole('table').first().getByRole('row');
        expect(await rows.count()).toBe(91);
        expect(await rows.nth(10).textContent()).toContain('99.34%');
        await page.getByRole('link', { name: 'Sign in to the console' }).click();
        await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      });
    });

    test('has a link back for members, and shows the incident that an address names', async () => {
      const { incidents } = statusView(30);
      views()['GET /status'] = { ...statusView(), incidents };
      await open(`/status#${incidents[25]?.id}`, async (page) => {
        await page.locator(`[id="${incidents[25]?.id}"]`).waitFor();
        await page.getByRole('link', { name: 'Back to Home' }).click();
        await page.getByRole('heading', { name: 'Home' }).waitFor();
      });
    });
  });

  describe('services', () => {
    const nameOf = (service: string) => (is_enabled: boolean) => {
      const { services } = views()['GET /services'] as { services: ServiceView[] };
      return { ...services.find(({ name }) => name === service), is_enabled };
    };

    test('are switched off only after a confirmation', async () => {
      const view = nameOf('nin-basic');
      views()['PUT /services/nin-basic'] = (body: { is_enabled: boolean }) => view(body.is_enabled);
      await open('/services', async (page) => {
        const toggle = page.getByRole('switch', { name: 'NIN Basic' });
        await toggle.click();
        expect(await toggle.getAttribute('aria-checked')).toBe('true');
        await button(page.getByRole('dialog'), 'Cancel').click();
        expect(requests()).not.toContain('PUT /services/nin-basic');
        await toggle.click();
        await button(page.getByRole('dialog'), 'Disable').click();
        await page.getByRole('switch', { name: 'NIN Basic', checked: false }).waitFor();
        await toggle.click();
        await page.getByRole('switch', { name: 'NIN Basic', checked: true }).waitFor();
      });
    });

    test('keep their state if the change is rejected', async () => {
      views()['PUT /services/nin-premium'] = new Rejection('CHANGED_MEANWHILE');
      await open('/services', async (page) => {
        await page.getByRole('switch', { name: 'NIN Premium' }).click();
        await page.getByText('Someone else changed this').waitFor();
        expect(await page.getByRole('switch', { name: 'NIN Premium' }).getAttribute('aria-checked')).toBe(
          'false',
        );
      });
    });

    test('have no switch for viewers', async () => {
      const session = demoViews()['GET /session'] as { organisation: object };
      views()['GET /session'] = {
        ...session,
        organisation: { ...session.organisation, role: 'viewer' },
      };
      await open('/services', async (page) => {
        await page.getByText('Only owners and administrators').waitFor();
        await page.getByText('On', { exact: true }).first().waitFor();
        expect(await page.getByRole('switch').count()).toBe(0);
      });
    });
  });

  describe('alerts', () => {
    test('are switched off and on, and link to the wallet', async () => {
      await open('/alerts', async (page) => {
        const toggle = (checked: boolean) => page.getByRole('switch', { name: 'Low balance', checked });
        await toggle(true).click();
        await toggle(false).click();
        await toggle(true).waitFor();
        expect(await page.getByRole('link', { name: 'Open the wallet' }).getAttribute('href')).toBe(
          '/wallet',
        );
        await page.getByText('Chidi Eze').waitFor();
      });
    });

    test('have no switch for viewers, and no link to pages that they may not read', async () => {
      const session = demoViews()['GET /session'] as { organisation: object };
      views()['GET /session'] = {
        ...session,
        organisation: { ...session.organisation, role: 'viewer' },
      };
      await open('/alerts', async (page) => {
        await page.getByText('Only owners and administrators can choose').waitFor();
        await page.getByRole('link', { name: 'Open Requests' }).waitFor();
        expect(await page.getByRole('switch').count()).toBe(0);
        expect(await page.getByRole('link', { name: 'Open the wallet' }).count()).toBe(0);
      });
    });
  });

  describe('webhooks', () => {
    const path = '/webhooks/hook_0123456789abcdef';

    test('a new endpoint needs an event and a valid address, and its secret is shown until it is stored', async () => {
      const { 'POST /webhooks': added } = views();
      const rule = 'The address must begin with https://.';
      views()['POST /webhooks'] = new Rejection('INVALID_SCHEMA', 'url', rule);
      await open('/webhooks?env=test', async (page) => {
        await button(page, 'Add endpoint').first().click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Address').fill('http://example.com');
        await button(dialog, 'Add endpoint').click();
        await dialog.getByText('Choose at least one event.').waitFor();
        expect(requests()).not.toContain('POST /webhooks');
        await dialog.getByLabel('balance.low').check();
        await button(dialog, 'Add endpoint').click();
        await dialog.getByText(rule).waitFor();
        expect(await dialog.getByLabel('Address').inputValue()).toBe('http://example.com');
        views()['POST /webhooks'] = (body: unknown) => {
          expect(body).toEqual({
            env: 'test',
            url: 'https://example.com/hooks',
            event_types: ['balance.low'],
          });
          return added;
        };
        await dialog.getByLabel('Address').fill('https://example.com/hooks');
        await button(dialog, 'Add endpoint').click();
        await page.getByText('whsec_').waitFor();
        await page.keyboard.press('Escape');
        await page.getByText('whsec_').waitFor();
        await page.getByLabel('I have stored the secret').check();
        await button(page, 'Done').click();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        expect(await page.content()).not.toContain('whsec_');
      });
    });

    test('"Resend all that failed" resends each page of deliveries, and then shows their states', async () => {
      const bodies: { cursor: string | null; which: string }[] = [];
      views()[`POST ${path}/replay`] = (body: unknown) => {
        bodies.push(body as (typeof bodies)[number]);
        return { resent: 100, next_cursor: bodies.length === 1 ? 'more' : null };
      };
      const failed = waitingDelivery({ state: 'FAILED', next_at: null });
      views()[`GET ${path}/deliveries`] = () => ({
        deliveries: [bodies.length < 2 ? failed : deliveryView({ id: failed.id })],
        next_cursor: null,
      });
      await open('/webhooks?id=hook_0123456789abcdef', async (page) => {
        await page.getByRole('row').getByText('Failed', { exact: true }).waitFor();
        await button(page, 'Resend all that failed').click();
        await page.getByRole('row').getByText('Delivered', { exact: true }).waitFor();
        expect(bodies.map(({ which, cursor }) => [which, cursor])).toEqual([
          ['failed', null],
          ['failed', 'more'],
        ]);
      });
    });

    test('a failed test shows its reason, in the alert and in the list of deliveries', async () => {
      const sent = waitingDelivery({ event_type: 'test', attempts: 0, reason: null, reason_text: null });
      views()[`POST ${path}/test`] = sent;
      views()[`GET ${path}/deliveries`] = {
        deliveries: [waitingDelivery({ event_type: 'test' })],
        next_cursor: null,
      };
      await open('/webhooks?id=hook_0123456789abcdef', async (page) => {
        await page.getByRole('button', { name: 'Send test https' }).click();
        await page.getByRole('alert').getByText('The response had the status 500.').waitFor();
        await page.getByRole('row').getByText('The response had the status 500.').waitFor();
        const resent = deliveryView({ id: sent.id, event_type: 'test', attempts: 3 });
        views()[`POST /deliveries/${sent.id}/resend`] = (body: unknown) => {
          expect(body).toEqual({ env: 'live', endpoint_id: 'hook_0123456789abcdef' });
          return resent;
        };
        await page.getByRole('button', { name: 'Resend test' }).click();
        await page.getByRole('row').getByText('Delivered', { exact: true }).waitFor();
      });
    });

    test('disabling keeps the address, and rotating says that both secrets work', async () => {
      views()[`PUT ${path}`] = (body: unknown) => {
        expect(body).toMatchObject({ url: 'https://example.com/webhooks', is_enabled: false });
        return webhookView({ state: 'DISABLED' });
      };
      await open('/webhooks', async (page) => {
        await button(page, 'Disable https://example.com/webhooks').click();
        await button(page.getByRole('dialog'), 'Disable').click();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        expect(requests()).toContain(`PUT ${path}`);
        await button(page, 'Rotate secret https://example.com/webhooks').click();
        await page.getByText('For 24 hours, requests are signed with both secrets.').waitFor();
        await button(page.getByRole('dialog'), 'Rotate secret').click();
        await page.getByText('Store the secret now').waitFor();
      });
    });
  });

  describe('the audit trail', () => {
    beforeEach(() => {
      views()['GET /audit'] = (_: unknown, query: URLSearchParams) => changesView(230, query);
    });

    test('is searched, and the search is part of the address', async () => {
      await open('/audit?env=test', async (page) => {
        await page.getByLabel('Search').fill('key create');
        await button(page, 'Show').click();
        await page.waitForURL('**/audit?env=test&search=key+create');
        await page.getByText('50 changes are shown.').waitFor();
        await page.reload();
        await page.getByText('50 changes are shown.').waitFor();
        expect(await page.getByLabel('Search').inputValue()).toBe('key create');
        expect(await page.getByText('Enabled or disabled a service').count()).toBe(0);
        await button(page, 'Load older').click();
        await page.getByText('77 changes are shown. There are no older changes.').waitFor();
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
