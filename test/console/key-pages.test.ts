import { afterAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { SessionView } from '../../shared/members/console/views.ts';
import { startBrowser } from '../support/browser.ts';
import { browserSuite } from '../support/browser-suite.ts';
import { button } from '../support/button.ts';
import { inView, violations } from '../support/page-checks.ts';
import { pagesIn } from './open-pages.ts';
import { Rejection } from './pages-double.ts';
import { keysView, newKeyView } from './views.ts';

/** The page of the keys in a browser: what happens to a new key and to its input. */

const browser = await startBrowser();
afterAll(() => browser?.close());
browserSuite(browser, inBrowser);

function inBrowser(started: Browser): void {
  const { open, views } = pagesIn(started);

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
        await page
          .locator(':focus')
          .and(page.getByText('Create key', { exact: true }))
          .waitFor();
      });
    });

    test('is not lost by Back or a reload, and its disabled button stays readable under the pointer', async () => {
      await open('/?env=test', async (page) => {
        await page.locator('nav.pages a[href^="/keys"]').dispatchEvent('click');
        await create(page);
        const dialog = page.getByRole('dialog');
        const colours = () =>
          page.evaluate(
            "(({ backgroundColor, color }) => [backgroundColor, color])(getComputedStyle(document.querySelector('dialog .button:disabled')))",
          );
        const before = await colours();
        await button(dialog, 'Done').hover({ force: true });
        expect(await colours()).toEqual(before);
        for (let press = 0; press < 3; press += 1)
          await page.evaluate('new Promise((done) => { history.back(); setTimeout(done, 500); })');
        expect(await dialog.textContent()).toContain(text);
        expect(page.url()).toMatch(/\/keys\?env=test$/);
        const asked = page.waitForEvent('dialog');
        await page.evaluate('setTimeout(() => location.reload())');
        const question = await asked;
        expect(question.type()).toBe('beforeunload');
        await question.dismiss();
        expect(await dialog.textContent()).toContain(text);
        await page.getByRole('checkbox', { name: 'I have stored the key' }).check();
        await button(dialog, 'Done').click();
        await page.reload();
        await page.getByRole('heading', { name: 'API keys' }).waitFor();
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

    test('of the other environment is shown in the list of that environment', async () => {
      const { organisation, ...session } = views()['GET /session'] as SessionView;
      views()['GET /session'] = { ...session, organisation: { ...organisation, status: 'APPROVED' } };
      await open('/keys', async (page) => {
        await button(page, 'Create key').click();
        await page.getByRole('radio', { name: 'Test' }).check();
        await page.getByLabel('Label').fill('backend');
        await button(page.getByRole('dialog'), 'Create key').click();
        await page.getByRole('checkbox', { name: 'I have stored the key' }).check();
        views()['GET /keys'] = () => new Promise(() => undefined);
        await button(page, 'Done').click();
        await page.getByRole('row').filter({ hasText: 'ends in 0000' }).waitFor();
        expect(page.url()).toMatch(/\/keys\?env=test$/);
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
        // The message concerns the value that was sent.
        await page.getByLabel('Label').fill('worker');
        expect(await page.getByText(message).count()).toBe(1);
        await addresses.fill('203.0.113.0/24\n102.89.1.77/24');
        await page.getByText(message).waitFor({ state: 'detached' });
        expect(await addresses.getAttribute('aria-invalid')).toBeNull();
        await button(page.getByRole('dialog'), 'Create key').click();
        const advice = 'enter 102.89.1.0/24 to admit 256 addresses, or 102.89.1.77 to admit one.';
        await page.locator('.field-error').getByText(`102.89.1.77/24: ${advice}`).waitFor();
        expect(await page.getByText(advice).count()).toBe(1);
        await addresses.fill('102.89.1.0/24');
        await page.getByText(advice).waitFor({ state: 'detached' });
      });
    });

    test('cannot be created without scopes: the message, far above the button, comes into view', async () => {
      await open('/keys?env=test', async (page) => {
        await button(page, 'Create key').click();
        await page.getByLabel('Only what I choose').check();
        await button(page.getByRole('dialog'), 'Create key').click();
        await inView(page.getByText('Choose at least one scope.'));
        await page.locator('.nested :focus').waitFor();
        await page.getByLabel('NIN Basic', { exact: true }).check();
        await page.getByText('Choose at least one scope.').waitFor({ state: 'detached' });
      });
    });

    test('says how many addresses each of its networks admits, in the form and in the list', async () => {
      await open('/keys?env=test', async (page) => {
        await button(page, 'Create key').click();
        await page.getByLabel('Addresses').fill('203.0.113.7\n198.51.0.0/16\n197.210.54.33/24');
        await page.getByText('198.51.0.0/16 admits 65,536 addresses.').waitFor();
        const advice = 'enter 197.210.54.0/24 to admit 256 addresses, or 197.210.54.33 to admit one.';
        await page.getByText(`197.210.54.33/24: ${advice}`).waitFor();
      });
      await open('/keys', async (page) => {
        await page.getByText('Only from 102.89.34.0/24 (256 addresses)').first().waitFor();
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

  test.each([
    ['PENDING', 'You can create live keys once your organisation is approved.', 1],
    ['SUBMITTED', 'We are checking your organisation. You can create live keys once', 0],
    ['SUSPENDED', 'Your organisation is suspended, and its requests are rejected.', 0],
  ])('without approval (%s), the page says when live keys can be created', async (status, text, links) => {
    const session = views()['GET /session'] as SessionView;
    views()['GET /session'] = { ...session, organisation: { ...session.organisation, status } };
    await open('/keys', async (page) => {
      await page.getByText(text).waitFor();
      expect(await page.getByRole('link', { name: 'See what is missing' }).count()).toBe(links);
      const approval = page.getByText('You can create live keys');
      expect(await approval.count()).toBe(status === 'SUSPENDED' ? 0 : 1);
    });
  });

  test('an edit sends what was changed, keeps its input during a sign-in, and shows the changed key', async () => {
    const [key] = keysView().keys.filter(({ env }) => env === 'live');
    if (!key) throw new Error('There is no live key.');
    const bodies: unknown[] = [];
    views()[`PUT /keys/${key.id}`] = (body: unknown) => {
      bodies.push(body);
      return bodies.length === 1 ? new Rejection('RECENT_SIGN_IN_REQUIRED') : { ...key, ...(body as object) };
    };
    await open('/keys', async (page) => {
      await button(page, `Edit the key ${key.label}, which ends in ${key.ending}`).first().click();
      const dialog = page.getByRole('dialog');
      expect(await page.getByLabel('Addresses').inputValue()).toBe('102.89.34.0/24');
      expect(await dialog.getByLabel('Environment').count()).toBe(0);
      expect(await violations(page)).toEqual([]);
      await page.getByLabel('Label').fill('Ẹ̀ka Èkó');
      await page.getByLabel('Addresses').fill('');
      await button(dialog, 'Save').click();
      await dialog.getByText('Your input is still here').waitFor();
      await button(dialog, 'Save').click();
      await inView(page.getByText('The key Ẹ̀ka Èkó was changed.'));
      await page.getByRole('row').filter({ hasText: 'Ẹ̀ka Èkó' }).waitFor();
    });
    const sent = { label: 'Ẹ̀ka Èkó', addresses: null };
    expect(bodies).toEqual([sent, sent]);
  });
}
