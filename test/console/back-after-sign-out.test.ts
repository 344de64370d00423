import { afterAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { SessionView } from '../../shared/members/console/views.ts';
import { startBrowser } from '../support/browser.ts';
import { browserSuite } from '../support/browser-suite.ts';
import { button } from '../support/button.ts';
import { pagesIn } from './open-pages.ts';
import { Rejection } from './pages-double.ts';
import { sessionView } from './views.ts';

/**
 * Returning to a page of the console that the browser shows from its back-forward cache, as it was left and without a
 * request. The pages of the double may be stored, unlike those of the service, so that browsers do keep them.
 */

const ADDRESS = 'bola.developer@example.com';
const MARK = "addEventListener('pageshow', ({ persisted }) => { globalThis.isFromCache = persisted; });";
/** What a browser with the cache does, as far as the page can see. */
const LEAVE_AND_RETURN = `for (const event of ['pagehide', 'pageshow'])
  dispatchEvent(new PageTransitionEvent(event, { persisted: true }));`;

// Playwright turns the cache off by default.
const browser = await startBrowser({ ignoreDefaultArgs: ['--disable-back-forward-cache'] });
afterAll(() => browser?.close());
const hasCache = browser !== undefined && (await keepsPages(browser));
browserSuite(browser, inBrowser);

/** Whether a browser has the cache. The headless shell, such as the one in the npm package, has none. */
async function keepsPages(started: Browser): Promise<boolean> {
  const { product } = await (await started.newBrowserCDPSession()).send('Browser.getVersion');
  return !product.startsWith('HeadlessChrome/');
}

function inBrowser(started: Browser): void {
  const { open, views, url } = pagesIn(started);

  /** Opens the team, which shows the names and addresses of its members. */
  const openTeam = (use: (page: Page) => Promise<void>) =>
    open('/sign-in', async (page) => {
      await page.addInitScript(MARK);
      await page.goto(`${url()}/team`);
      await page.getByText(ADDRESS).waitFor();
      await use(page);
    });

  async function leaveAndReturn(page: Page): Promise<void> {
    if (!hasCache) return page.evaluate(LEAVE_AND_RETURN);
    await page.goto(`${url()}/sign-in`);
    await goBack(page);
  }

  async function goBack(page: Page): Promise<void> {
    await page.evaluate('history.back()');
    await page.waitForURL('**/team', { waitUntil: 'commit' });
    // Otherwise, the browser has loaded the page again, and the test shows nothing.
    expect(await page.evaluate('isFromCache')).toBe(true);
  }

  /** Asserts that the page that `goToPage` shows is hidden until the request for the session has its response. */
  async function expectHidden(
    page: Page,
    goToPage: (page: Page) => Promise<void>,
    response: SessionView | Rejection,
  ): Promise<void> {
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    views()['GET /session'] = async () => {
      asked.resolve();
      await answered.promise;
      return response;
    };
    await goToPage(page);
    expect(await page.getByText(ADDRESS).isVisible()).toBe(false);
    await asked.promise;
    expect(await page.getByText(ADDRESS).isVisible()).toBe(false);
    views()['GET /session'] = response;
    answered.resolve();
  }

  const expectSignIn = async (page: Page) => {
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    expect(await page.getByText(ADDRESS).count()).toBe(0);
  };

  test('after a sign-out in another tab, the page stays hidden, and the sign-in page opens', async () => {
    await openTeam(async (page) => {
      await expectHidden(page, leaveAndReturn, new Rejection('SIGN_IN_REQUIRED'));
      await expectSignIn(page);
    });
  });

  (hasCache ? test : test.skip)('after a sign-out, Back shows nothing of the page', async () => {
    views()['POST /session/end'] = { sign_out_url: '/sign-in' };
    await openTeam(async (page) => {
      await page.locator('summary').filter({ hasText: 'Your account' }).click();
      await button(page, 'Sign out').click();
      await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
      await expectHidden(page, goBack, new Rejection('SIGN_IN_REQUIRED'));
      await expectSignIn(page);
    });
  });

  test('after a sign-out, the tab keeps no input, and a session of another person removes what is left', async () => {
    views()['POST /session/end'] = { sign_out_url: '/sign-in' };
    const stored = (page: Page) => page.evaluate<string>('JSON.stringify({ ...sessionStorage })');
    await open('/organisation', async (page) => {
      await page.locator('input[name="company_number"]').fill('RC7654321');
      await page.reload();
      await page.getByText('Your input is still here.').waitFor();
      await page.locator('summary').filter({ hasText: 'Your account' }).click();
      await button(page, 'Sign out').click();
      await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
      expect(await stored(page)).not.toContain('RC7654321');
      await page.evaluate("sessionStorage.setItem('input:-.person_other:form', 'RC7654321')");
      await page.goto(`${url()}/organisation`);
      await page.locator('input[name="company_number"]').waitFor();
      expect(await stored(page)).not.toContain('RC7654321');
    });
  });

  test('with the same session, the page is shown as it was left', async () => {
    await openTeam(async (page) => {
      await page.evaluate('globalThis.isKept = true');
      await expectHidden(page, leaveAndReturn, sessionView());
      await page.getByText(ADDRESS).waitFor();
      expect(await page.evaluate('isKept')).toBe(true);
    });
  });

  test('with another organisation, the page is loaded again', async () => {
    const { organisation, ...session } = sessionView();
    await openTeam(async (page) => {
      await page.evaluate('globalThis.isKept = true');
      views()['GET /members'] = new Rejection('ROLE_REQUIRED');
      await expectHidden(page, leaveAndReturn, {
        ...session,
        organisation: organisation && { ...organisation, id: 'org_other' },
      });
      await page.getByText('Your role does not permit this.').waitFor();
      expect(await page.evaluate('globalThis.isKept')).toBeUndefined();
      expect(await page.getByText(ADDRESS).count()).toBe(0);
    });
  });
}
