import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { listen } from '../../infra/local/http-server.ts';
import { startBrowser } from '../support/browser.ts';
import { browserSuite } from '../support/browser-suite.ts';
import { type ConsoleClient, consoleUrl, SESSION_COOKIE, signIn } from '../support/console.ts';
import { giveSession, inConsole, MEMBER_PAGES, openPage } from '../support/console-browser.ts';
import {
  completeProfile,
  consoleOrganisation,
  join,
  putColleague,
  putInvitation,
  putKey,
  putProfile,
} from '../support/console-organisation.ts';
import { isComplete, randomCases } from '../support/sample.ts';

/** Attacks on the pages of the console, in a real browser. */

const MAX_MS = 300_000;
/** Runs if a page inserts a name as markup, or unescaped into an attribute or a script. */
const SCRIPT = '<img src=x onerror="window.attacked=1">\'"><script>window.attacked=1</script>';

const browser = await startBrowser();
afterAll(() => browser?.close());
browserSuite(browser, inBrowser);

function inBrowser(started: Browser): void {
  let client: ConsoleClient;
  beforeAll(async () => {
    const organisation = await consoleOrganisation(`Own ${SCRIPT}`);
    client = await signIn('pages.attacked@example.com');
    await join(client, organisation, 'owner');
    await putColleague(organisation, 'viewer', `Colleague ${SCRIPT}`);
    await putInvitation(organisation, `"${SCRIPT}"@example.com`);
    await putKey(organisation.id, 'test', { label: `Key ${SCRIPT}` });
    const { billingContact, ...profile } = completeProfile();
    await putProfile(organisation.id, {
      ...profile,
      billingContact: { ...billingContact, name: `Contact ${SCRIPT}` },
      address: [`Street ${SCRIPT}`],
    });
    // A change whose values are in the audit trail.
    await client.send('POST', '/keys', {
      body: { env: 'test', label: `Made ${SCRIPT}`, scopes: null, addresses: null, expires_in_days: null },
    });
  }, MAX_MS);

  const attacked = (page: Page) => page.evaluate<unknown>('window.attacked');

  const pages = Object.entries(MEMBER_PAGES);
  test.each(isComplete ? pages : randomCases(pages, 4))(
    'S71: markup in the names of organisations, people and keys (%s)',
    async (_, path) => {
      const problems: string[] = [];
      await inConsole(
        started,
        problems,
        { viewport: { width: 1280, height: 800 } },
        async (page, context) => {
          await giveSession(context, client);
          await openPage(page, path);
          // The header shows the name once the session has arrived, which may be after the data of the page.
          await page.locator('header').getByText(`Own ${SCRIPT}`).first().waitFor();
          const open = page.locator('main details:not([open]) > summary');
          while ((await open.count()) > 0) await open.first().click();
          expect(await attacked(page)).toBeUndefined();
          expect(await page.locator('main').textContent()).not.toBe('');
          expect(await page.locator('img[src="x"], main script').count()).toBe(0);
        },
      );
      expect(problems).toEqual([]);
    },
    MAX_MS,
  );

  test(
    'S70: the console in a frame of another site',
    async () => {
      const page = `<!doctype html><title>Attack</title><iframe src="${consoleUrl}/keys"></iframe>`;
      const attacker = await listen(
        createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(page)),
      );
      const context = await started.newContext();
      try {
        await giveSession(context, client);
        const opened = await context.newPage();
        await opened.goto(attacker.url);
        const frame = opened.frames().find((one) => one !== opened.mainFrame());
        expect(frame).toBeDefined();
        // Browsers show a page of their own in the frame, which may have any content. cspell:ignore chromewebdata
        expect(frame?.url()).toBe('chrome-error://chromewebdata/');
      } finally {
        await context.close();
        await attacker.close();
      }
      const { headers } = await fetch(`${consoleUrl}/keys`);
      expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
    },
    MAX_MS,
  );

  test(
    'S75: a script that reads the session in the browser',
    async () => {
      const problems: string[] = [];
      await inConsole(started, problems, {}, async (page, context) => {
        await giveSession(context, client);
        await openPage(page, '/');
        const visible = await page.evaluate<string>(
          'JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])',
        );
        const secret = (client.cookies.get(SESSION_COOKIE) ?? '').split('.')[2] ?? '';
        expect(secret).toHaveLength(43);
        expect(visible).not.toContain(secret);
        expect(visible).not.toMatch(/eyJ/);
        const cookies = await context.cookies();
        expect(cookies.map(({ httpOnly, secure, sameSite }) => ({ httpOnly, secure, sameSite }))).toEqual([
          { httpOnly: true, secure: true, sameSite: 'Strict' },
        ]);
      });
      expect(problems).toEqual([]);
    },
    MAX_MS,
  );
}
