import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { Role } from '../../shared/core/member-role.ts';
import type { HomeStep, HomeView } from '../../shared/home/console/views.ts';
import type { SessionView } from '../../shared/members/console/views.ts';
import { startBrowser } from '../support/browser.ts';
import { browserSuite } from '../support/browser-suite.ts';
import { pagesIn } from './open-pages.ts';
import { Rejection } from './pages-double.ts';
import { homeView, organisationView, sessionView } from './views.ts';

/** The pages from the sign-in to the first request, in a browser: sign-in, new organisation, invitation and Home. */

const STEPS: readonly HomeStep[] = [
  'test-credits',
  'test-key',
  'first-request',
  'profile',
  'submit',
  'approval',
  'service',
  'top-up',
  'live-key',
];

/** Returns the view of Home for an organisation with this next step, or with no step left if it is undefined. */
function homeAt(next: HomeStep | undefined, testCredits = 997): HomeView {
  const home = homeView();
  const done = next ? STEPS.indexOf(next) : STEPS.length;
  const steps = STEPS.map((id, index) => ({ id, is_done: index < done }));
  return { ...home, steps, wallets: { ...home.wallets, test: { available: testCredits, held: 0 } } };
}

function sessionOf(role: Role): SessionView {
  const session = sessionView();
  return { ...session, organisation: session.organisation && { ...session.organisation, role } };
}

const browser = await startBrowser();
afterAll(() => browser?.close());
browserSuite(browser, inBrowser);

function inBrowser(started: Browser): void {
  const { open, views, requests, url } = pagesIn(started);
  const primary = (page: Page) => page.getByRole('main').locator('.button.primary');
  const pathOf = (page: Page) => page.url().slice(url().length);
  /** Waits for the session, without which no page knows the role. */
  const signedIn = (page: Page) => page.locator('summary', { hasText: 'Your account' }).waitFor();

  describe('Home', () => {
    test.each([
      ['test-key', 'Create a test key', '/keys?env=test'],
      ['first-request', 'Open the playground', '/playground'],
      ['profile', 'Fill in the profile', '/organisation'],
      ['submit', 'Review and submit', '/organisation'],
      ['service', 'Choose services', '/services'],
      ['top-up', 'Top up', '/wallet'],
      ['live-key', 'Create a live key', '/keys'],
    ] as const)('offers the next step %s as its only primary action', async (step, action, address) => {
      views()['GET /home'] = homeAt(step);
      await open('/', async (page) => {
        await page.getByText(`${STEPS.indexOf(step)} of 9 steps done`).waitFor();
        // The action depends on the role, which may arrive later.
        await primary(page).first().waitFor();
        expect(await primary(page).allTextContents()).toEqual([action]);
        expect(await primary(page).getAttribute('href')).toBe(address);
      });
    });

    test('also offers the quick start, for a first request from a terminal', async () => {
      views()['GET /home'] = homeAt('first-request');
      await open('/', async (page) => {
        const link = page.getByRole('link', { name: 'Open the quick start' });
        expect(await link.getAttribute('href')).toBe(
          `${sessionView().documentation_url}guides/quick-start.html`,
        );
      });
    });

    test('offers a guide, but no primary action, during the wait for approval', async () => {
      const session = Promise.withResolvers<SessionView>();
      views()['GET /session'] = () => session.promise;
      views()['GET /home'] = homeAt('approval');
      await open('/', async (page) => {
        await page.getByText('Prepare to go live').waitFor();
        const link = page.getByRole('link', { name: 'Prepare to go live' });
        // The link needs the address of the documentation, which is in the session.
        expect(await link.count()).toBe(0);
        session.resolve(sessionView());
        expect(await link.getAttribute('href')).toBe(
          `${sessionView().documentation_url}guides/going-live.html`,
        );
        expect(await primary(page).count()).toBe(0);
      });
    });

    test('has no primary action after the last step', async () => {
      views()['GET /home'] = homeAt(undefined);
      await open('/', async (page) => {
        const link = page.getByRole('link', { name: 'Top up' });
        expect(await link.getAttribute('href')).toBe('/wallet');
        await signedIn(page);
        expect(await primary(page).count()).toBe(0);
      });
    });

    test.each([
      ['viewer', 'test-key'],
      ['finance', 'profile'],
      ['developer', 'live-key'],
      ['developer', 'service'],
    ] as const)('tells a %s whom to ask for the step %s', async (role, step) => {
      views()['GET /session'] = sessionOf(role);
      views()['GET /home'] = homeAt(step);
      await open('/', async (page) => {
        await page.getByText('Ask an owner or administrator to do this. Owners: Amaka Obi.').waitFor();
        await signedIn(page);
        expect(await primary(page).count()).toBe(0);
      });
    });

    test('offers test credits first, because a test request costs them', async () => {
      views()['GET /home'] = homeAt('test-credits', 0);
      views()['POST /test-credits'] = () => {
        views()['GET /home'] = homeAt('test-key', 1000);
        return { added: 1000, available: 1000 };
      };
      await open('/', async (page) => {
        await page.getByText('0 of 9 steps done').click();
        await page.getByRole('link', { name: 'Enable a service' }).waitFor();
        await page.getByRole('button', { name: 'Add test credits' }).click();
        await page.getByText('1,000 test credits were added.').waitFor();
        await primary(page).and(page.getByText('Create a test key')).waitFor();
      });
    });

    test('says why test credits were not added', async () => {
      views()['POST /test-credits'] = new Rejection('TEST_CREDITS_TAKEN');
      await open('/', async (page) => {
        await page.getByRole('button', { name: 'Add test credits' }).click();
        await page.getByText("Today's test credits have already been added.").waitFor();
      });
    });

    test('shows the requests as a chart, and the same numbers as a table', async () => {
      await open('/', async (page) => {
        await page.getByText('Show the table').click();
        await page.getByText('Hide the table').waitFor();
        expect(await page.locator('.chart rect').count()).toBe(15);
        const [, , , fourth] = homeView().requests;
        expect(await page.locator('.chart tbody tr').count()).toBe(15);
        expect(await page.locator('.chart tbody tr').nth(3).locator('td').textContent()).toBe(
          String(fourth?.count),
        );
      });
    });
  });

  describe('the frame', () => {
    test.each([
      [
        'owner',
        [
          'Home',
          'API keys',
          'Services',
          'Playground',
          'Wallet',
          'Requests',
          'Usage',
          'Webhooks',
          'Alerts',
          'Team',
          'Organisation',
          'Audit trail',
        ],
      ],
      [
        'developer',
        ['Home', 'API keys', 'Services', 'Playground', 'Requests', 'Usage', 'Webhooks', 'Alerts'],
      ],
      ['viewer', ['Home', 'Services', 'Requests', 'Usage', 'Alerts']],
    ] as const)('shows the pages of the role %s', async (role, pages) => {
      views()['GET /session'] = sessionOf(role);
      await open('/', async (page) => {
        await page.getByRole('button', { name: 'Menu' }).click();
        const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
        await links.nth(pages.length - 1).waitFor();
        expect(await links.allTextContents()).toEqual(pages);
        const advice = page.getByText(
          'Your role shows only these pages. Ask an owner for others. Owners: Amaka Obi.',
        );
        if (role === 'owner') expect(await advice.count()).toBe(0);
        else await advice.waitFor();
      });
    });

    test('says why an organisation is suspended, and links to its bookkeeping', async () => {
      const session = sessionOf('finance');
      views()['GET /session'] = {
        ...session,
        organisation: { ...session.organisation, status: 'SUSPENDED', suspended_because: 'Unpaid invoice.' },
      };
      views()['GET /home'] = new Rejection('ORGANISATION_SUSPENDED');
      await open('/', async (page) => {
        await page.getByText('The reason: Unpaid invoice. Contact support.').waitFor();
        await page.getByRole('link', { name: 'Open the wallet with its invoices' }).click();
        await page.getByRole('heading', { name: 'Invoices and receipts' }).waitFor();
      });
    });

    test('keeps the environment from page to page, and marks Test in words', async () => {
      await open('/', async (page) => {
        await page.getByRole('link', { name: 'Test', exact: true }).click();
        await page.getByText('Test: sandbox records, no live look-ups.').waitFor();
        await page.getByRole('button', { name: 'Menu' }).click();
        await page.getByRole('link', { name: 'Services' }).click();
        await page.getByRole('heading', { level: 1, name: 'Services' }).waitFor();
        expect(pathOf(page)).toBe('/services?env=test');
        await page.getByRole('link', { name: 'Live', exact: true }).click();
        await page.getByText('Test: sandbox records, no live look-ups.').waitFor({ state: 'detached' });
        expect(pathOf(page)).toBe('/services');
      });
    });

    test('switches to another organisation, and opens its Home', async () => {
      await open('/team', async (page) => {
        await page.getByText('Adire Finance Limited').first().click();
        const changed = page.waitForRequest(/session\/organisation$/);
        await page.getByRole('button', { name: /Kano Grain Traders/ }).click();
        expect((await changed).postDataJSON()).toEqual({ organisation_id: 'org_other' });
        await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
        expect(pathOf(page)).toBe('/');
      });
    });

    test.each([
      ['Sign out', false],
      ['Sign out on all devices', true],
    ] as const)('has a button "%s"', async (name, everywhere) => {
      await open('/', async (page) => {
        await page.locator('summary', { hasText: 'Your account' }).click();
        const sent = page.waitForRequest(/session\/end$/);
        await page.getByRole('button', { name, exact: true }).click();
        expect((await sent).postDataJSON()).toEqual({ everywhere });
        await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
      });
    });

    test('shows times in UTC on demand', async () => {
      views()['GET /audit'] = {
        changes: [
          {
            id: '01JD2E9ZK4M7Q0V5W8X1Y3A6BC',
            at: '2026-11-14T23:30:00.000Z',
            by: { kind: 'member', name: 'Amaka Obi' },
            action: 'key create',
            target: 'key',
            before: null,
            after: null,
            address: null,
            request_id: null,
          },
        ],
        next_cursor: null,
      };
      await open('/audit', async (page) => {
        await page.getByText('15 Nov 2026, 00:30').waitFor();
        await page.getByRole('button', { name: 'Show UTC' }).click();
        await page.getByText('14 Nov 2026, 23:30').waitFor();
      });
    });
  });

  describe('without a session', () => {
    test('a page leads to the sign-in, which returns to it', async () => {
      views()['GET /session'] = new Rejection('SIGN_IN_REQUIRED');
      views()['GET /keys'] = new Rejection('SIGN_IN_REQUIRED');
      await open('/keys?env=test', async (page) => {
        const link = page.getByRole('main').getByRole('link', { name: 'Sign in' });
        await page.getByText('Sign in to open the page').waitFor();
        const { pathname, searchParams } = new URL((await link.getAttribute('href')) ?? '', url());
        expect(pathname).toBe('/console/api/session/start');
        expect(searchParams.get('to')).toBe('/keys?env=test');
      });
    });

    test('several rejected requests of a page open the sign-in once', async () => {
      const rejection = new Rejection('SIGN_IN_REQUIRED');
      const opened = Promise.withResolvers<void>();
      views()['GET /session'] = rejection;
      views()['GET /home'] = () => opened.promise.then(() => rejection);
      await open('/sign-in', async (page) => {
        const signIns: string[] = [];
        const second = page.waitForResponse(/home$/);
        await page.route('**/sign-in?to=*', async (route) => {
          signIns.push(route.request().url());
          opened.resolve();
          await second;
          // Time for the page to handle the second rejection, while the browser still waits for the sign-in page.
          await setTimeout(200);
          await route.continue();
        });
        await page.goto(`${url()}/`).catch(() => undefined);
        await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
        expect(signIns).toEqual([`${url()}/sign-in?to=${encodeURIComponent('/')}`]);
      });
    });

    test('the page says that a sign-in was not completed', async () => {
      await open('/sign-in?failed=1', async (page) => {
        await page.getByRole('alert').getByText('The sign-in was not completed.').waitFor();
        expect(requests()).toEqual([]);
      });
    });

    test('the input of a form that could not be sent survives the sign-in', async () => {
      views()['PUT /organisation'] = new Rejection('SIGN_IN_REQUIRED');
      await open('/organisation', async (page) => {
        await page.getByLabel('Company number').fill('RC7654321');
        await page.getByRole('button', { name: 'Save the profile' }).click();
        await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
        await page.goto(`${url()}/organisation`);
        await page.getByText('Your input is still here').waitFor();
        expect(await page.getByLabel('Company number').inputValue()).toBe('RC7654321');
        views()['PUT /organisation'] = organisationView();
        await page.getByRole('button', { name: 'Save the profile' }).click();
        await page.getByText('The profile was saved.').waitFor();
        await page.reload();
        await page.getByLabel('Company number').waitFor();
        expect(await page.getByLabel('Company number').inputValue()).toBe('RC1234567');
        expect(await page.getByText('Your input is still here').count()).toBe(0);
      });
    });
  });

  describe('without an organisation', () => {
    const none: SessionView = { ...sessionView(), organisation: null, organisations: [] };

    test('a person is asked to create one, and starts in Test', async () => {
      views()['GET /session'] = none;
      views()['GET /home'] = new Rejection('ORGANISATION_REQUIRED');
      views()['POST /organisations'] = () => {
        Object.assign(views(), { 'GET /session': sessionView(), 'GET /home': homeAt('test-key', 0) });
        return sessionView();
      };
      await open('/', async (page) => {
        await page.getByLabel('Name of the organisation').fill('Adire Finance Limited');
        await page.getByRole('button', { name: 'Create the organisation' }).click();
        await page.getByRole('button', { name: 'Add test credits' }).waitFor();
        expect(pathOf(page)).toBe('/?env=test');
      });
    });

    test('a name that is rejected is kept, with the reason next to it', async () => {
      views()['GET /session'] = none;
      views()['POST /organisations'] = new Rejection(
        'INVALID_SCHEMA',
        'name',
        'The field name is too short.',
      );
      await open('/new-organisation', async (page) => {
        const name = page.getByLabel('Name of the organisation');
        await name.fill('A');
        await page.getByRole('button', { name: 'Create the organisation' }).click();
        await page.getByText('This field is too short.').waitFor();
        expect(await name.inputValue()).toBe('A');
        expect(await name.getAttribute('aria-invalid')).toBe('true');
        await page.locator('[name="name"]:focus').waitFor();
      });
    });
  });

  describe('an invitation', () => {
    const secret = 'secret-of-an-invitation';

    test('is accepted with the secret from the link, which is removed from the address bar at once', async () => {
      views()['POST /invitations/accept'] = sessionView();
      await open(`/invitation#${secret}`, async (page) => {
        await page.getByText('You are signed in as amaka.owner@example.com.').waitFor();
        expect(pathOf(page)).toBe('/invitation');
        const sent = page.waitForRequest(/invitations\/accept$/);
        await page.getByRole('button', { name: 'Accept the invitation' }).click();
        expect((await sent).postDataJSON()).toEqual({ token: secret });
        await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
        expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain(secret);
      });
    });

    test('survives the sign-in, and no address contains its secret', async () => {
      views()['GET /session'] = new Rejection('SIGN_IN_REQUIRED');
      await open('/sign-in', async (page) => {
        const addresses: string[] = [];
        page.on('request', (request) => addresses.push(request.url(), request.headers()['referer'] ?? ''));
        await page.goto(`${url()}/invitation#${secret}`);
        await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
        expect(pathOf(page)).toBe(`/sign-in?to=${encodeURIComponent('/invitation')}`);
        views()['GET /session'] = { ...sessionView(), organisation: null };
        await page.goto(`${url()}/invitation`);
        await page.getByRole('button', { name: 'Accept the invitation' }).waitFor();
        expect(addresses.filter((address) => address.includes(secret))).toEqual([]);
      });
    });

    test('that cannot be used shows an error with the reason', async () => {
      views()['POST /invitations/accept'] = new Rejection('INVITATION_NOT_USABLE');
      await open(`/invitation#${secret}`, async (page) => {
        await page.getByRole('button', { name: 'Accept the invitation' }).click();
        await page.getByRole('alert').getByText('This invitation was used').waitFor();
      });
    });

    test('without a secret has no button', async () => {
      await open('/invitation', async (page) => {
        await page.getByText('This link contains no invitation.').waitFor();
        expect(await page.getByRole('button', { name: 'Accept' }).count()).toBe(0);
      });
    });
  });
}
