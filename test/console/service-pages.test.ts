import { afterAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { ServiceView } from '../../shared/accounts/console/views.ts';
import { startBrowser } from '../support/browser.ts';
import { browserSuite } from '../support/browser-suite.ts';
import { button } from '../support/button.ts';
import { inView } from '../support/page-checks.ts';
import { alertsView } from './alert-views.ts';
import { pagesIn } from './open-pages.ts';
import { Rejection } from './pages-double.ts';
import { statusView } from './status-views.ts';
import { demoViews } from './views.ts';

/** The pages of services, alerts and the status of registries in a browser. */

const browser = await startBrowser();
afterAll(() => browser?.close());
browserSuite(browser, inBrowser);

function inBrowser(started: Browser): void {
  const { open, views, requests } = pagesIn(started);

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
        await page.getByText('Show the table').first().click();
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
        const badges = page.locator('.rows .badge');
        expect([await badges.nth(0).textContent(), await badges.nth(0).getAttribute('class')]).toEqual([
          'Down',
          'badge bad',
        ]);
        expect([await badges.nth(2).textContent(), await badges.nth(2).getAttribute('class')]).toEqual([
          'Down, ended',
          'badge plain',
        ]);
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
        await page.getByText('Also sent to Bola Adeyemi and Chidi Eze.').waitFor();
        await page.getByText('Nobody else receives these.').waitFor();
        await page.getByText('Emails about this now go to you and Chidi Eze.').first().waitFor();
        await page.getByText('Emails about this now go to nobody.').waitFor();
        expect(await page.getByRole('heading', { level: 2 }).first().textContent()).toBe('Last 30 days');
        await page.locator('.page-head').getByRole('link', { name: 'Status' }).waitFor();
      });
    });

    test('about an outage that has ended show when it ended', async () => {
      const [first] = alertsView().alerts;
      const [at, ended_at] = ['2026-11-23T08:00:00.000Z', '2026-11-23T08:46:00.000Z'];
      views()['GET /alerts'] = { ...alertsView(), alerts: [{ ...first, at, ended_at }] };
      await open('/alerts', async (page) => {
        await page.getByText('23 Nov 2026, 09:00 – 23 Nov 2026, 09:46').waitFor();
      });
    });

    test.each([
      ['/alerts', 'Unusual traffic', 'PUT /alerts'],
      ['/services', 'NIN Premium', 'PUT /services/nin-premium'],
    ])(
      'a switch of %s that a sign-in has interrupted says so, and gets the focus',
      async (path, name, route) => {
        const { services } = views()['GET /services'] as { services: ServiceView[] };
        const enabled = { ...services.find((one) => one.name === 'nin-premium'), is_enabled: true };
        const working = path === '/services' ? enabled : views()[route];
        views()[route] = new Rejection('RECENT_SIGN_IN_REQUIRED');
        await open(path, async (page) => {
          const toggle = page.getByRole('switch', { name });
          await toggle.click();
          const row = page.locator('li, section').filter({ has: toggle }).last();
          await row.getByText('Your last action was not carried out: choose it again.').waitFor();
          await page.locator('[role="switch"]:focus').and(toggle).waitFor();
          await inView(toggle);
          views()[route] = working;
          await toggle.click();
          await row.getByText('Your last action was not carried out').waitFor({ state: 'detached' });
        });
      },
    );

    test('have no link to pages that a viewer may not read', async () => {
      const session = demoViews()['GET /session'] as { organisation: object };
      views()['GET /session'] = {
        ...session,
        organisation: { ...session.organisation, role: 'viewer' },
      };
      await open('/alerts', async (page) => {
        await page.getByRole('link', { name: 'Open Requests' }).waitFor();
        expect(await page.getByRole('switch').count()).toBe(6);
        expect(await page.getByRole('link', { name: 'Open the wallet' }).count()).toBe(0);
      });
    });
  });
}
