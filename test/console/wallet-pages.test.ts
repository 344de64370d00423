import { readFileSync } from 'node:fs';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { accountingMonthOf, monthBefore } from '../../shared/core/accounting-month.ts';
import type { StartTopUpBody } from '../../shared/payments/console/bodies.ts';
import type { TopUpView } from '../../shared/payments/console/views.ts';
import { startBrowser } from '../support/browser.ts';
import { browserSuite } from '../support/browser-suite.ts';
import { button } from '../support/button.ts';
import { inView, layoutProblems, violations } from '../support/page-checks.ts';
import { pagesIn } from './open-pages.ts';
import { Rejection } from './pages-double.ts';
import { creditedView, sessionView, statementView, topUpView, walletView } from './views.ts';

/** The pages of the wallet in a browser, with states that are hard to produce with the local service. */

const { reference } = topUpView();
const current = accountingMonthOf(Date.now());
const before = monthBefore(current);
const STATUS = `GET /wallet/top-ups/${reference}`;
const RETURNED = `/wallet?top_up=${reference}`;

const savedIn = (page: Page, card: string) =>
  page.locator(`section[aria-labelledby="${card}"] [role="status"]`);

const browser = await startBrowser();
afterAll(() => browser?.close());
browserSuite(browser, inBrowser);

function inBrowser(started: Browser): void {
  const { open, views, requests, url } = pagesIn(started);

  describe('a top-up', () => {
    test('asks for the billing details once, shows the price with VAT, and keeps everything if Paystack does not respond', async () => {
      const bodies: StartTopUpBody[] = [];
      views()['GET /wallet'] = walletView('live', { billing: null });
      views()['POST /wallet/top-ups'] = (body: StartTopUpBody) => {
        bodies.push(body);
        if (bodies.length === 1) return new Rejection('SERVICE_UNAVAILABLE', '', 'Nothing was charged.');
        return topUpView({ checkout_url: `${url()}${RETURNED}` });
      };
      await open('/wallet', async (page) => {
        await button(page, 'Top up').click();
        await page.getByLabel('Address', { exact: true }).fill('14 Awolowo Road\n\nLagos');
        await page.getByLabel('Tax number').fill('12345678-0001');
        await page.getByLabel('Email address').fill('accounts@example.com');
        await button(page, 'Continue').click();
        const credits = page.getByLabel('Credits', { exact: true });
        for (const text of ['₦50,000', 'N50,000', '50,000 naira']) {
          await credits.fill(text);
          await button(page, 'Pay').click();
          await page.getByRole('alert').getByText('Enter credits, not naira').waitFor();
        }
        expect((await layoutProblems(page)).filter((one) => one.startsWith('cut off'))).toEqual([]);
        await credits.fill('99');
        await button(page, 'Pay').click();
        await page.getByRole('alert').getByText('A whole number of credits, from 100 to 100,000.').waitFor();
        await credits.fill('2,000');
        expect(await page.locator('.sums').textContent()).toContain(
          '₦50.00Net₦100,000.00VAT (7.5%)₦7,500.00Total₦107,500.00',
        );
        expect(bodies).toEqual([]);
        await button(page, 'Pay ₦107,500.00').click();
        await page.getByText('Nothing was charged.').waitFor();
        expect(await credits.inputValue()).toBe('2,000');
        await button(page, 'Retry').click();
        await page.getByText('The payment is complete').waitFor();
        expect(bodies).toHaveLength(2);
        expect(bodies[1]).toEqual(bodies[0]);
        expect(bodies[0]).toEqual({
          env: 'live',
          credits: 2_000,
          form_id: expect.stringMatching(/^[\w-]{36}$/),
        });
      });
    });

    test('has a new form ID for a new amount, so that the amount can be changed after a failed top-up', async () => {
      const bodies: StartTopUpBody[] = [];
      views()['POST /wallet/top-ups'] = (body: StartTopUpBody) => {
        bodies.push(body);
        return new Rejection('SERVICE_UNAVAILABLE');
      };
      await open('/wallet?env=test', async (page) => {
        await button(page, 'Top up').click();
        await button(page, '5,000 credits').click();
        await button(page, 'Pay ₦268,750.00').click();
        await button(page, 'Retry').waitFor();
        await button(page, '500 credits').click();
        await page.getByText('Test: no money moves').waitFor();
        const sent = page.waitForResponse(/top-ups$/);
        await button(page, 'Retry').click();
        await sent;
      });
      expect(bodies.map(({ env, credits }) => [env, credits])).toEqual([
        ['test', 5_000],
        ['test', 500],
      ]);
      expect(bodies[0]?.form_id).not.toBe(bodies[1]?.form_id);
    });

    test('is followed after the return from Paystack until it is credited, and the wallet then shows it', async () => {
      views()[STATUS] = topUpView();
      await open(RETURNED, async (page) => {
        await page.getByText('No payment has arrived yet').waitFor();
        await page.getByText('the payment was declined, you can still pay.').waitFor();
        await page.getByRole('link', { name: 'Continue to pay', exact: true }).first().waitFor();
        views()['GET /wallet'] = walletView('live', { available: 14_480 });
        views()[STATUS] = creditedView();
        await page.getByText('The payment is complete').waitFor();
        await page.getByText('14,480').waitFor();
        const invoice = page.getByRole('link', { name: 'Invoice (PDF)' });
        expect(await invoice.getAttribute('href')).toBe('/console/api/invoices/IDV-2026-000041?env=live');
        const asked = requests().filter((request) => request === STATUS).length;
        await page.getByRole('link', { name: 'Close' }).click();
        await page.getByText('The payment is complete').waitFor({ state: 'detached' });
        expect(requests().filter((request) => request === STATUS)).toHaveLength(asked);
      });
    });

    test('that failed can be started again on the page that says so', async () => {
      views()[STATUS] = topUpView({ state: 'FAILED', checkout_url: null });
      await open(RETURNED, async (page) => {
        await button(page, 'Start a new top-up').click();
        await page.getByLabel('Credits', { exact: true }).waitFor();
      });
    });

    test('for the first time begins with what the profile says', async () => {
      const { billing } = walletView();
      views()['GET /wallet'] = walletView('live', { billing: null, suggested_billing: billing });
      await open('/wallet', async (page) => {
        await button(page, 'Top up').click();
        expect(await page.getByLabel('Tax number').inputValue()).toBe(billing?.tax_number);
        expect(await page.getByLabel('Email address').inputValue()).toBe(billing?.email);
        expect(await page.getByLabel('Address', { exact: true }).inputValue()).toMatch(/^14 Awolowo Road\n/);
      });
    });

    test('is no longer followed after two minutes, but can be checked again', async () => {
      views()[STATUS] = topUpView();
      await open('/sign-in', async (page) => {
        await page.clock.install();
        await page.goto(`${url()}${RETURNED}`);
        await page.getByText('Checking again every few seconds…').waitFor();
        await page.clock.fastForward(121_000);
        await button(page, 'Check again').waitFor();
        views()[STATUS] = creditedView();
        await button(page, 'Check again').click();
        await page.getByText('The payment is complete').waitFor();
      });
    });

    const SENTENCES: readonly [TopUpView['state'], string][] = [
      ['PAID', 'The credits are being added'],
      ['FAILED', 'If money has left your account, it is returned, or the credits are added'],
      ['EXPIRED', 'If you have paid, the credits are added'],
      ['MISMATCH', 'The payment differs from the order or came too late, so no credits have been added yet.'],
      ['REFUNDED', 'The money is returned to the account that it was paid from.'],
    ];
    test('explains each state in which it is neither open nor credited, and is accessible', async () => {
      await open('/sign-in', async (page) => {
        for (const [state, sentence] of SENTENCES) {
          views()[STATUS] = topUpView({ state, checkout_url: null });
          await page.goto(`${url()}${RETURNED}`);
          await page.getByText(sentence).waitFor();
          expect({ state, found: await violations(page) }).toEqual({ state, found: [] });
        }
        views()[STATUS] = new Rejection('TOP_UP_NOT_FOUND');
        await page.goto(`${url()}${RETURNED}`);
        await page.getByText(new Rejection('TOP_UP_NOT_FOUND').message).waitFor();
        await page.getByText('At this rate, the credits will last until about').waitFor();
      });
    });
  });

  test('the wallet shows older documents on demand, and changes the alert', async () => {
    await open('/wallet', async (page) => {
      const documents = page.getByRole('table', { name: 'Invoices and receipts' }).getByRole('row');
      await documents.nth(4).waitFor();
      expect(await documents.count()).toBe(5);
      await button(page, 'Load older').click();
      await documents.nth(14).waitFor();
      expect(await button(page, 'Load older').count()).toBe(0);
      await page.getByText(`Tax number: ${walletView().billing?.tax_number}`).waitFor();
      await button(page, 'Change Low-balance alert').click();
      await page.getByLabel('Alert below').fill('2 500');
      await button(page, 'Save the alert').click();
      await page.getByText('fewer than 2,500 credits').waitFor();
      await button(page, 'Change Low-balance alert').click();
      await button(page, 'Use the default').click();
      await page.getByText('This is the default of the service.').waitFor();
      await inView(savedIn(page, 'alert').getByText('The low-balance alert was changed.'));
      await button(page, 'Change Billing details').click();
      await button(page, 'Save the details').click();
      await inView(savedIn(page, 'billing').getByText('The billing details were saved.'));
      expect(await savedIn(page, 'alert').count()).toBe(0);
    });
  });

  test('automatic top-up is set up with the card of a payment, and the card is removed', async () => {
    const put = 'PUT /wallet/automatic-top-up';
    const { [put]: accept } = views();
    views()[put] = new Rejection('INVALID_SCHEMA', 'settings.agrees', 'Tick the box.');
    const others = [creditedView({ method: 'TRANSFER' }), creditedView({ is_by_member: false })];
    const top_ups = [...others, creditedView({ credits: 2_000 })];
    views()['GET /wallet'] = walletView('live', { top_ups });
    await open('/wallet', async (page) => {
      await button(page, 'Set up Automatic top-up').click();
      const cards = page.getByLabel('Card', { exact: true }).getByRole('option');
      expect(await cards.allInnerTexts()).toEqual([expect.stringMatching(/^\d+ \w+ \d{4}: ₦107,500\.00$/)]);
      expect((await layoutProblems(page)).filter((one) => one.startsWith('cut off'))).toEqual([]);
      await page.getByLabel('When fewer credits are left than').fill('2 500');
      await page.getByLabel('At most, each month').fill('₦2,000,000.50');
      await page.getByLabel('Buy').fill('₦200,000');
      await button(page, 'Save').click();
      for (const unit of ['credits, not an amount in naira', 'naira'])
        await page.locator('.field-error', { hasText: `Enter a whole number of ${unit}` }).waitFor();
      await page.getByLabel('At most, each month').fill(' ₦2,000,000.00 ');
      await page.getByLabel('Buy').fill('10 000');
      await page.getByText('In naira, with VAT. At today’s price: 3 purchases.').waitFor();
      await button(page, 'Save').click();
      await page.locator('.field-error', { hasText: /^Tick the box.$/ }).waitFor();
      expect(await page.getByText('settings.').count()).toBe(0);
      views()[put] = accept;
      await page.getByLabel(/^My organisation agrees/).check();
      await button(page, 'Save').click();
      await page.getByText('When fewer than 2,500 credits are left').waitFor();
      await page.getByText('₦1,075,000.00 of at most ₦2,000,000.00').waitFor();
      await page.getByText('Card: Visa ending in 4081, TEST BANK, expires 12/2030.').waitFor();
      await inView(savedIn(page, 'automatic').getByText('Automatic top-up is on: below 2,500 credits'));
      await button(page, 'Switch off Automatic top-up').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click();
      await page.getByText('Off. The saved card: Visa ending in 4081').waitFor();
      await inView(savedIn(page, 'automatic').getByText('Automatic top-up is off. The card stays saved.'));
      await page.locator('button:focus', { hasText: 'Switch on' }).waitFor();
      expect(await page.evaluate('scrollY')).toBeGreaterThan(500);
      await button(page, 'Switch on Automatic top-up').waitFor();
      await button(page, 'Remove the card Automatic top-up').click();
      await page.getByText('An owner or a finance member can therefore save this card again').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove the card' }).click();
      await page.getByText('Off. A saved card can buy credits').waitFor();
      await inView(savedIn(page, 'automatic').getByText('Automatic top-up is off. The card was removed.'));
    });
  });

  test('automatic top-up without a card leads to a top-up by card, and back to finish with that card', async () => {
    views()['GET /wallet'] = walletView('live', { top_ups: [] });
    await open('/wallet', async (page) => {
      await button(page, 'Set up Automatic top-up').click();
      await page.getByText('No card can be saved yet').waitFor();
      await page.getByText('When you are back here, choose “Set up automatic top-up”').waitFor();
      await button(page, 'Cancel').click();
      await button(page, 'Set up Automatic top-up').click();
      await button(page, 'Top up by card').click();
      await page.getByRole('dialog').getByRole('heading', { name: 'Top up' }).waitFor();
      views()['GET /wallet'] = walletView('live', { top_ups: [creditedView()] });
      await page.goto(`${url()}${RETURNED}`);
      await page.getByText('The payment is complete').waitFor();
      await page.getByRole('button', { name: 'Set up automatic top-up', exact: true }).click();
      expect(await page.getByLabel('Card', { exact: true }).inputValue()).toBe(reference);
      await page.getByLabel('At most, each month').fill('200000');
      await page.getByLabel(/^My organisation agrees/).check();
      await button(page, 'Save').click();
      await inView(page.getByText('Automatic top-up is on: below'));
      await page.goto(`${url()}${RETURNED}&env=test`);
      await page.getByText('The payment is complete').waitFor();
      expect(await button(page, 'Set up automatic top-up').count()).toBe(0);
    });
  });

  test('a monthly statement in the list of documents shows its month, and no total', async () => {
    const amounts = { net_kobo: 2_700_000, vat_kobo: 202_500, total_kobo: 2_902_500 };
    const issued = { number: 'IDVS-2026-000009', issued_at: '2026-11-01T00:30:00.000Z', month: '2026-10' };
    const invoices = [{ kind: 'statement', ...issued, ...amounts }] as const;
    views()['GET /wallet'] = walletView('live', { invoices });
    await open('/wallet', async (page) => {
      const row = page.getByRole('row', { name: 'IDVS-2026-000009' });
      await row.getByText('Statement October 2026').waitFor();
      expect(await row.textContent()).not.toContain('29,025.00');
    });
  });

  describe('the statement', () => {
    beforeEach(() => {
      views()['GET /wallet/statement'] = (_: unknown, query: URLSearchParams) => statementView(130, query);
    });

    test('is shown by month, page by page, and saved as a file with the same lines', async () => {
      await open(`/wallet/statement?env=test&month=${before}`, async (page) => {
        await page.getByText('50 lines are shown.').waitFor();
        expect(await page.getByLabel('Month').inputValue()).toBe(before);
        await page.getByText('Correction: Ticket 118').waitFor();
        const link = page.getByRole('link', { name: 'req_000000000000' });
        expect(await link.getAttribute('href')).toBe('/requests?env=test&id=req_000000000000');
        await button(page, 'Load more').click();
        await page.getByText('100 lines are shown.').waitFor();
        await button(page, 'Load more').click();
        await page.getByText('130 lines are shown. There are no more lines.').waitFor();

        const saved = page.waitForEvent('download');
        await button(page, 'Export CSV').click();
        const download = await saved;
        expect(download.suggestedFilename()).toBe(`statement-test-${before}.csv`);
        const text = readFileSync(await download.path(), 'utf8').replace('\ufeff', '');
        const [heads, ...lines] = text.trim().split('\r\n');
        expect(heads).toBe(
          'time_utc,time_lagos,kind,id,request_id,service,key_label,amount,balance_after,naira_without_vat,naira_vat,reason',
        );
        const { lines: expected } = statementView(130, new URLSearchParams({ limit: '130' }));
        expect(lines.map((line) => line.split(',').slice(2).join(','))).toEqual(
          expected.map((line) => {
            const { kind, id, request_id, service, key_label, amount, balance_after, reason } = line;
            const naira = [line.net_kobo, line.vat_kobo].map((kobo) => (Number(kobo) / 100).toFixed(2));
            return [kind, id, request_id, service, key_label, amount, balance_after, ...naira, reason].join();
          }),
        );
        await button(page, 'Close').click();
        await page.getByLabel('Month').selectOption(current);
        await page.waitForURL(`**/wallet/statement?env=test&month=${current}`);
      });
    });

    test('opens at the line of a charge, which is marked', async () => {
      const { lines } = statementView(130, new URLSearchParams({ limit: '130' }));
      const { at = '', id = '', request_id } = lines[40] ?? {};
      await open(`/wallet/statement?${new URLSearchParams({ since: at, line: id })}`, async (page) => {
        await page.locator('tr[aria-current]').getByText(`${request_id}`).waitFor();
        const box = "document.querySelector('tr[aria-current]').getBoundingClientRect()";
        await page.waitForFunction(`${box}.top > 0 && ${box}.bottom < innerHeight`);
        expect(await violations(page)).toEqual([]);
      });
    });

    test('does not link to requests for the role finance, which may not see them', async () => {
      const session = sessionView();
      views()['GET /session'] = {
        ...session,
        organisation: session.organisation && { ...session.organisation, role: 'finance' },
      };
      await open('/wallet/statement', async (page) => {
        await page.getByText('req_000000000000').waitFor();
        await button(page, 'Menu').click();
        await page.getByRole('link', { name: 'Wallet', exact: true }).waitFor();
        expect(await page.getByRole('link', { name: /^req_/ }).count()).toBe(0);
        expect(await page.getByRole('link', { name: 'API keys' }).count()).toBe(0);
      });
    });
  });
}
