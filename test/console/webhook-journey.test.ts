import { afterAll, afterEach, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { RECEIVER_PATH } from '../../infra/local/webhook-receiver.ts';
import { startBrowser } from '../support/browser.ts';
import { browserSuite } from '../support/browser-suite.ts';
import { button } from '../support/button.ts';
import { service, signIn } from '../support/console.ts';
import { giveSession, inConsole, openPage } from '../support/console-browser.ts';

/** Webhooks in a real browser at phone size, with the receiver of the local service. */

const MAX_MS = 300_000;
const SLOW_MS = 90_000;
const [OWNER = ''] = (service.console?.members ?? []).map(({ email }) => email);
const receiverUrl = `${service.baseUrl}${RECEIVER_PATH}`;

const browser = await startBrowser();
afterAll(() => browser?.close());
browserSuite(browser, inBrowser);

const dialog = (page: Page) => page.getByRole('dialog');

/** Confirms that the secret is stored, which closes its dialog. Returns the secret. */
async function storeSecret(page: Page): Promise<string> {
  const secret = (await dialog(page).locator('code').textContent()) ?? '';
  await dialog(page).getByLabel('I have stored the secret').check();
  await button(dialog(page), 'Done').click();
  await dialog(page).waitFor({ state: 'detached' });
  return secret;
}

async function receiverPage(path = '', method = 'GET'): Promise<string> {
  return (await fetch(`${receiverUrl}${path}`, { method })).text();
}

function inBrowser(started: Browser): void {
  const problems: string[] = [];
  afterEach(() => expect(problems.splice(0)).toEqual([]));

  test(
    'a member adds an endpoint, sends a test, sees why it fails, fixes the receiver, resends the test, and rotates the secret',
    async () => {
      const client = await signIn(OWNER);
      await inConsole(started, problems, {}, async (page, context) => {
        await giveSession(context, client);
        await openPage(page, '/webhooks?env=test');
        await button(page, 'Add endpoint').click();
        await dialog(page).getByLabel('Address').fill(receiverUrl);
        await dialog(page).getByLabel('key.expiring').check();
        await button(dialog(page), 'Add endpoint').click();
        const first = await storeSecret(page);
        expect(first).toMatch(/^whsec_/);

        expect(await receiverPage('/switch', 'POST')).toContain('It responds with 500');
        const link = page.getByRole('link', { name: 'Deliveries' }).last();
        await link.click();
        await button(page, `Send test ${receiverUrl}`).click();
        const reason = 'Your server responded 500.';
        await page.getByRole('alert').getByText(reason).waitFor({ timeout: SLOW_MS });
        await page.getByRole('row').getByText(reason).waitFor();
        expect(await page.getByRole('row').getByText('Delivered', { exact: true }).count()).toBe(0);

        expect(await receiverPage('/switch', 'POST')).toContain('signed correctly');
        await button(page, 'Resend test').click();
        const delivered = page.getByRole('row').getByText('Delivered', { exact: true });
        await delivered.waitFor({ timeout: SLOW_MS });

        await button(page, `Rotate secret ${receiverUrl}`).click();
        await button(dialog(page), 'Rotate secret').click();
        await dialog(page).getByText('The secret is shown only once.').waitFor();
        const second = await storeSecret(page);
        expect(second).not.toBe(first);
        await page.getByText('The old secret works until').waitFor();
        await button(page, `Send test ${receiverUrl}`).click();
        await page.getByRole('status').getByText('Delivered', { exact: true }).waitFor({ timeout: SLOW_MS });
        await delivered.nth(1).waitFor();
        const received = await receiverPage();
        expect(received.match(/<strong>200<\/strong>[^\n]*test test_/g)?.length).toBeGreaterThanOrEqual(2);
        for (const secret of [first, second])
          expect(received + (await page.content())).not.toContain(secret.slice(6));

        await button(page, `Delete ${receiverUrl}`).click();
        await button(dialog(page), 'Delete').click();
        await dialog(page).waitFor({ state: 'detached' });
      });
    },
    MAX_MS,
  );
}

test('the receiver accepts no request without a valid signature', async () => {
  const body = '{"id":"forged","type":"test"}';
  const headers = {
    'webhook-id': 'forged',
    'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
    'webhook-signature': `v1,${'A'.repeat(43)}=`,
  };
  expect((await fetch(receiverUrl, { method: 'POST', body, headers })).status).toBe(400);
  expect(await receiverPage()).not.toContain('&quot;forged&quot;');
});
