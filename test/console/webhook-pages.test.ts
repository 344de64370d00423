import { afterAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../support/browser.ts';
import { browserSuite } from '../support/browser-suite.ts';
import { button } from '../support/button.ts';
import { inView, layoutProblems, smallTargets, violationsInBoth, WIDTHS_PX } from '../support/page-checks.ts';
import { pagesIn } from './open-pages.ts';
import { Rejection } from './pages-double.ts';
import { deliveryView, waitingDelivery, webhooksView, webhookView } from './webhook-views.ts';

/** The page of the webhooks in a browser, with failures that the local service does not produce. */

const browser = await startBrowser();
afterAll(() => browser?.close());
browserSuite(browser, inBrowser);

function inBrowser(started: Browser): void {
  const { open, views, requests } = pagesIn(started);

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
        await inView(dialog.getByText('Choose at least one event.'));
        await page.locator('[name="event-balance.low"]:focus').waitFor();
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
        // The card does not contradict the list.
        expect(await page.getByText('Last delivery:').count()).toBe(0);
        await button(page, 'Resend all that failed').click();
        await page.getByRole('row').getByText('Delivered', { exact: true }).waitFor();
        expect(bodies.map(({ which, cursor }) => [which, cursor])).toEqual([
          ['failed', null],
          ['failed', 'more'],
        ]);
        await inView(page.getByText('200 failed deliveries are being sent again.'));
        views()[`POST ${path}/replay`] = { resent: 0, next_cursor: null };
        await button(page, 'Resend all that failed').click();
        const none = page.getByText('No delivery of the last 30 days has failed for good.', { exact: true });
        await none.waitFor();
        expect(requests().filter((request) => request === 'GET /webhooks').length).toBeGreaterThan(1);
        views()[`GET ${path}/deliveries`] = { deliveries: [waitingDelivery()], next_cursor: null };
        await button(page, 'Refresh').click();
        await page.getByRole('row').getByText('Waiting', { exact: true }).waitFor();
        await button(page, 'Resend all that failed').click();
        await inView(
          page.getByText('Those that are waiting are sent automatically, or when you choose Resend.'),
        );
      });
    });

    test('a failed test shows its reason, in the alert and in the list of deliveries', async () => {
      const sent = waitingDelivery({ event_type: 'test', attempts: 0, reason_text: null });
      views()[`POST ${path}/test`] = (body: unknown) => {
        expect(body).toEqual({ env: 'live', type: 'wallet.empty' });
        return sent;
      };
      views()[`GET ${path}/deliveries`] = {
        deliveries: [waitingDelivery({ event_type: 'test' })],
        next_cursor: null,
      };
      await open('/webhooks?id=hook_0123456789abcdef', async (page) => {
        await page.getByLabel('Sample event').first().selectOption('wallet.empty');
        await page.getByRole('button', { name: 'Send test https' }).click();
        await page.getByRole('alert').getByText('Your server responded 500.').waitFor();
        await page.getByRole('row').getByText('Your server responded 500.').waitFor();
        const resend = `POST /deliveries/${sent.id}/resend`;
        const refused = { state: 'FAILED', reason_text: 'Your server responded 400.', attempts: 3 } as const;
        views()[resend] = deliveryView({ id: sent.id, event_type: 'test', ...refused });
        await page.getByRole('button', { name: 'Resend test' }).click();
        await inView(page.getByText('Sent again, without success. Your server responded 400.'));
        const resent = deliveryView({ id: sent.id, event_type: 'test', attempts: 3 });
        views()[resend] = new Rejection('RECENT_SIGN_IN_REQUIRED');
        await page.getByRole('button', { name: 'Resend test' }).click();
        await page.getByText('You have signed in again. Your last action was not carried out').waitFor();
        views()[resend] = (body: unknown) => {
          expect(body).toEqual({ env: 'live', endpoint_id: 'hook_0123456789abcdef' });
          return resent;
        };
        await page.getByRole('button', { name: 'Resend test' }).click();
        await page.getByRole('row').getByText('Delivered', { exact: true }).waitFor();
        await inView(page.getByRole('row').getByText('Sent again, and received.'));
        await page.getByRole('row').getByText('Your server responded 200.').waitFor();
        expect(await page.getByText('You have signed in again.').count()).toBe(0);
        // The result of the test, which the resend has replaced, is gone.
        expect(await page.getByRole('alert').filter({ hasText: /\S/ }).count()).toBe(0);
      });
    });

    test('a change of an endpoint is confirmed, and the result of an earlier test is then gone', async () => {
      views()[`POST ${path}/test`] = waitingDelivery({ event_type: 'test', attempts: 3 });
      views()[`GET ${path}/deliveries`] = {
        deliveries: [waitingDelivery({ event_type: 'test', attempts: 4, state: 'FAILED' })],
        next_cursor: null,
      };
      await open('/webhooks', async (page) => {
        const send = button(page, 'Send test https://example.com/webhooks');
        await send.click();
        await page.getByRole('alert').getByText('Failed').waitFor();
        await button(page, 'Edit https://example.com/webhooks').click();
        await button(page.getByRole('dialog'), 'Save').click();
        await inView(page.getByText('The endpoint was changed.'));
        expect(await page.getByRole('alert').getByText('Failed').count()).toBe(0);
        await send.click();
        await page.getByRole('alert').getByText('Failed').waitFor();
        expect(await page.getByText('The endpoint was changed.').count()).toBe(0);
      });
    });

    test('the details of a delivery show its attempts, whose responses are text', async () => {
      await open('/webhooks?id=hook_0123456789abcdef', async (page) => {
        const row = page.getByRole('row', { name: 'top_up.credited' });
        await row.getByText('Show').waitFor();
        expect(requests().join()).not.toContain('/attempts');
        await row.getByText('Show').click();
        await row.getByText('We sent:').waitFor();
        await row.getByText('Hide').waitFor();
        const attempts = row.getByRole('list', { name: 'Attempts, newest first' }).getByRole('listitem');
        await attempts.first().waitFor();
        const texts = (await attempts.allInnerTexts()).map((text) => text.replaceAll('\n', ' '));
        expect(texts).toEqual([
          expect.stringMatching(
            /^Attempt 2: .*, status 500 after 1,213 ms.* Your server responded 500\. .*Body of the response: .*"<b>no customer<\/b> with \*{11}"/,
          ),
          expect.stringMatching(/^Attempt 1: .*, no response after 15,000 ms No response arrived/),
        ]);
        for (const width of WIDTHS_PX) {
          await page.setViewportSize({ width, height: 800 });
          const found = [...(await layoutProblems(page)), ...(await smallTargets(page))];
          expect({ width, found }).toEqual({ width, found: [] });
        }
        expect(await violationsInBoth(page)).toEqual([]);
      });
    });

    test('the link to the deliveries of an endpoint shows them, below its card', async () => {
      await open('/webhooks', async (page) => {
        await page.getByRole('link', { name: 'Deliveries' }).first().click();
        const heading = page.getByRole('heading', { name: 'Deliveries' });
        await page.locator('h2:focus').and(heading).waitFor();
        await inView(heading);
        await page.getByRole('link', { name: 'All endpoints' }).click();
        await page.locator('h1:focus').waitFor();
      });
    });

    test('deleting an endpoint is confirmed in words', async () => {
      views()[`POST ${path}/delete`] = () => {
        views()['GET /webhooks'] = { ...webhooksView(), endpoints: [] };
        return webhookView();
      };
      await open('/webhooks', async (page) => {
        await button(page, 'Delete https://example.com/webhooks').click();
        await button(page.getByRole('dialog'), 'Delete').click();
        await inView(page.getByRole('status').getByText('The endpoint was deleted.'));
        await button(page, 'Add endpoint').click();
        expect(await page.getByText('The endpoint was deleted.').count()).toBe(0);
      });
    });

    test('disabling keeps the address and the place, and rotating says that both secrets work', async () => {
      views()[`PUT ${path}`] = (body: unknown) => {
        expect(body).toMatchObject({ url: 'https://example.com/webhooks', is_enabled: false });
        const { endpoints, ...others } = webhooksView();
        const disabled = webhookView({ state: 'DISABLED' });
        views()['GET /webhooks'] = { ...others, endpoints: [disabled, ...endpoints.slice(1)] };
        return disabled;
      };
      await open('/webhooks', async (page) => {
        await button(page, 'Disable https://example.com/webhooks').scrollIntoViewIfNeeded();
        const before = await page.evaluate('scrollY');
        await button(page, 'Disable https://example.com/webhooks').click();
        await button(page.getByRole('dialog'), 'Disable').click();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        expect(requests()).toContain(`PUT ${path}`);
        await button(page, 'Enable https://example.com/webhooks').waitFor();
        await page.locator('.card').getByText('The endpoint was changed.').waitFor();
        await page.locator('section :focus').waitFor();
        expect([before, await page.evaluate('scrollY')]).toEqual([before, before]);
        await button(page, 'Rotate secret https://example.com/webhooks').click();
        await page.getByText('For 24 hours, requests are signed with both secrets.').waitFor();
        await button(page.getByRole('dialog'), 'Rotate secret').click();
        await page.getByText('Store the secret now').waitFor();
      });
    });
  });
}
