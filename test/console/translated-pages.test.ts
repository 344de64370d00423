import { afterAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../support/browser.ts';
import { browserSuite } from '../support/browser-suite.ts';
import { button } from '../support/button.ts';
import { MEMBER_PAGES } from '../support/console-browser.ts';
import { isComplete, randomCases } from '../support/sample.ts';
import { pagesIn } from './open-pages.ts';
import { keysView, membersView, newKeyView } from './views.ts';

/** Pages whose text nodes somebody else replaces, as translators and extensions do, in a browser. */

/** Long enough for a page to show a change. */
const SHOW_MS = 300;

const browser = await startBrowser();
afterAll(() => browser?.close());
browserSuite(browser, inBrowser);

function inBrowser(started: Browser): void {
  const { open, views } = pagesIn(started);
  const translate = async (page: Page) => {
    expect(await page.evaluate<number>('translate()')).toBeGreaterThan(0);
  };

  test('the console asks not to be translated', async () => {
    await open('/', async (page) => {
      expect(await page.locator('html').getAttribute('translate')).toBe('no');
      expect(await page.locator('meta[name=google]').getAttribute('content')).toBe('notranslate');
    });
  });

  describe('after every text was replaced,', () => {
    test('the dialog of a top-up shows the price of the chosen credits', async () => {
      await open('/wallet', async (page) => {
        await button(page, 'Top up').click();
        await button(page, 'Pay ₦53,750.00').waitFor();
        await translate(page);
        await button(page, '50,000 credits').click();
        await button(page, 'Pay ₦2,687,500.00').waitFor();
        const sums = page.locator('.sums');
        const shown = 'Price per credit₦50.00Net₦2,500,000.00VAT (7.5%)₦187,500.00Total₦2,687,500.00';
        expect(await sums.textContent()).toContain(shown);
        await translate(page);
        await page.getByLabel('Credits', { exact: true }).fill('99');
        await button(page, 'Pay').waitFor();
        expect(await sums.textContent()).toContain('Price per credit₦50.00Net–VAT (7.5%)–Total–');
      });
    });

    test('the team shows the new role of a member', async () => {
      const { members, ...rest } = membersView();
      const changed = { ...members.find(({ name }) => name === 'Bola Adeyemi'), role: 'finance' };
      views()[`PUT /members/${changed.id}`] = changed;
      await open('/team', async (page) => {
        const row = page.getByRole('row').filter({ hasText: 'Bola Adeyemi' });
        await row.getByText('Developer', { exact: true }).waitFor();
        await translate(page);
        await button(page, 'Change role Bola Adeyemi').click();
        await page.getByRole('dialog').getByLabel('Finance').check();
        await translate(page);
        views()['GET /members'] = {
          ...rest,
          members: members.map((member) => (member.id === changed.id ? changed : member)),
        };
        await button(page, 'Save the role').click();
        await page.getByText('The role of Bola Adeyemi is now Finance.').waitFor();
        await row.getByText('Finance', { exact: true }).waitFor();
        expect(await row.getByText('Developer', { exact: true }).count()).toBe(0);
      });
    });

    test('the keys of the other environment are shown, and the dialog of a new key names it', async () => {
      const created = newKeyView('test');
      views()['POST /keys'] = created;
      await open('/keys', async (page) => {
        await page.getByRole('table', { name: 'API keys, Live' }).waitFor();
        await translate(page);
        await page.getByRole('link', { name: 'Test', exact: true }).click();
        await page.getByRole('table', { name: 'API keys, Test' }).waitFor();
        expect(await page.locator('tbody .name').allTextContents()).toEqual(['backend 2', 'backend 3']);
        await button(page, 'Create key').click();
        await translate(page);
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Label').fill('new');
        await button(dialog, 'Create key').click();
        await dialog.getByText(created.text, { exact: true }).waitFor();
        await translate(page);
        await dialog.getByRole('checkbox').check();
        const { keys, scopes } = keysView();
        views()['GET /keys'] = { keys: [created.key, ...keys], scopes };
        await button(dialog, 'Done').click();
        await page.locator('tbody .name').getByText('new').waitFor();
      });
    });

    // Every page changes its times in place, and the footer its texts.
    const paths = [...Object.values(MEMBER_PAGES), '/webhooks', '/alerts', '/playground', '/status'];
    test.each(isComplete ? paths : randomCases(paths, 4))(
      '%s changes to UTC in the same words as before',
      async (path) => {
        await open(path, async (page) => {
          await page.waitForLoadState('networkidle');
          await button(page, 'Show UTC').click();
          const text = await page.locator('body').textContent();
          await button(page, 'Show Nigerian time').click();
          await translate(page);
          await button(page, 'Show UTC').click();
          await page.waitForTimeout(SHOW_MS);
          expect(await page.locator('body').textContent()).toBe(text);
        });
      },
    );
  });
}
