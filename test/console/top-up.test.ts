import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { setting } from '../../shared/core/config.ts';
import { orderKey } from '../../shared/core/keys.ts';
import type { StatementView } from '../../shared/ledger/console/views.ts';
import type { WalletView } from '../../shared/payments/console/views.ts';
import { priceTable } from '../../shared/payments/prices/price-table.ts';
import { startBrowser } from '../support/browser.ts';
import { browserSuite } from '../support/browser-suite.ts';
import { button } from '../support/button.ts';
import { type ConsoleClient, database, service, signIn } from '../support/console.ts';
import { giveSession, inConsole, openPage } from '../support/console-browser.ts';
import { consoleOrganisation, join, setAttributes } from '../support/console-organisation.ts';
import { remotePayments } from '../support/remote-payments.ts';

/**
 * A finance member of a new customer buys credits on a phone, through the checkout of Paystack's test double. As on
 * AWS, the origins of Paystack and of the payment page differ from the console's.
 */

const MAX_MS = 300_000;
const KOBO_PER_CREDIT = 5_000;

const browser = await startBrowser();
afterAll(() => browser?.close());
browserSuite(browser, inBrowser);

function paymentsOf({ payments }: typeof service) {
  if (!payments) throw new Error('The service has no payments.');
  return payments;
}

function inBrowser(started: Browser): void {
  const payments = paymentsOf(service);
  const double = remotePayments(payments.controlUrl);
  const problems: string[] = [];
  let client: ConsoleClient;
  /** The credits that were paid for in all tests. */
  const paid: number[] = [];

  beforeAll(async () => {
    const organisation = await consoleOrganisation('Top-up Limited');
    const at = new Date(Date.now() - 60_000).toISOString();
    await priceTable(database, setting('PAYMENTS_TABLE')).addPrice(organisation.id, {
      koboPerCredit: KOBO_PER_CREDIT,
      from: at,
      actor: 'test',
      reason: 'Test',
      createdAt: at,
    });
    client = await signIn('buying.finance@example.com');
    await join(client, organisation, 'finance');
  });
  afterEach(() => {
    const isExpected = (one: string) =>
      [payments.url, service.baseUrl].some((url) => one.startsWith(`request to another origin: ${url}`));
    expect(problems.splice(0).filter((one) => !isExpected(one))).toEqual([]);
  });

  const onPhone = (use: (page: Page) => Promise<void>) =>
    inConsole(started, problems, { reducedMotion: 'reduce' }, async (page, context) => {
      await giveSession(context, client);
      await use(page);
    });

  async function read<T>(path: string): Promise<T> {
    const { json, text } = await client.send<T>('GET', path);
    if (!json?.data) throw new Error(text);
    return json.data;
  }
  const wallet = () => read<WalletView>('/wallet?env=live');

  /** Opens the form and goes to the checkout with an amount. Returns the reference of the order. */
  async function goToCheckout(page: Page, credits: string, total: string): Promise<string> {
    await openPage(page, '/wallet');
    await button(page, 'Top up').click();
    await page.getByLabel('Credits', { exact: true }).fill(credits);
    return pay(page, total);
  }

  async function pay(page: Page, total: string, name = `Pay ₦${total}`): Promise<string> {
    await button(page, name).click();
    await page.waitForURL(`${payments.url}/**`);
    await page.getByText(`NGN ${total}`).waitFor();
    return (await page.getByText(/^TOPUP-/).textContent()) ?? '';
  }

  const returnToConsole = async (page: Page) => {
    await page.getByRole('heading', { level: 1, name: 'Wallet' }).waitFor();
  };

  const sumPaid = () => paid.reduce((total, credits) => total + credits, 0);
  /** Waits until the page shows the credits of all payments. */
  const sumShown = (page: Page) =>
    page
      .locator('.figures .figure')
      .first()
      .and(page.getByText(sumPaid().toLocaleString('en-NG'), { exact: true }))
      .waitFor();

  /** Asserts that each paid order was credited once, and that nothing else was credited. */
  async function expectOneCreditPerPayment(): Promise<void> {
    const { available: left, top_ups } = await wallet();
    const credited = top_ups.filter(({ state }) => state === 'CREDITED');
    const { lines } = await read<StatementView>('/wallet/statement?env=live');
    expect({
      left,
      credited: credited.map(({ credits }) => credits).sort((a, b) => a - b),
      lines: lines.map(({ kind, amount }) => `${kind} ${amount}`).sort(),
    }).toEqual({
      left: sumPaid(),
      credited: [...paid].sort((a, b) => a - b),
      lines: paid.map((credits) => `TOP_UP ${credits}`).sort(),
    });
  }

  test(
    'a payment of ₦107,500 (₦100,000 and 7.5% VAT) adds the credits, an invoice and a statement line',
    async () => {
      await onPhone(async (page) => {
        await openPage(page, '/wallet');
        await button(page, 'Top up').click();
        await page.getByLabel('Registered name').fill('Top-up Limited');
        await page.getByLabel('Address', { exact: true }).fill('6 Example Street\nLagos');
        await page.getByLabel('Tax number').fill('12345678-0001');
        await page.getByLabel('Email address').fill('accounts@example.com');
        await button(page, 'Continue').click();
        await page.getByLabel('Credits', { exact: true }).fill('2000');
        await page.getByText('₦100,000.00', { exact: true }).waitFor();
        await page.getByText('₦7,500.00', { exact: true }).waitFor();
        await pay(page, '107,500.00');
        await button(page, 'Pay').click();
        await returnToConsole(page);
        await page.getByText('The payment is complete').waitFor();
        paid.push(2_000);
        await sumShown(page);

        const saved = page.waitForEvent('download');
        await page.getByRole('link', { name: 'Invoice (PDF)' }).click();
        const invoice = await saved;
        expect(invoice.suggestedFilename()).toMatch(/^[A-Z]+-\d{4}-\d{6}\.pdf$/);
        expect(
          readFileSync(await invoice.path())
            .subarray(0, 5)
            .toString(),
        ).toBe('%PDF-');
        await page.getByText('including ₦7,500.00 of VAT').locator('visible=true').first().waitFor();

        await page.getByRole('link', { name: 'Statement' }).click();
        const line = page.getByRole('row').filter({ hasText: 'Top-up' });
        await line.getByText('+2,000').waitFor();
        await line.getByText('2,000', { exact: true }).waitFor();
      });
      await expectOneCreditPerPayment();
    },
    MAX_MS,
  );

  test(
    'a declined payment and an abandoned one add no credits; the abandoned one can still be paid, once',
    async () => {
      await onPhone(async (page) => {
        const declined = await goToCheckout(page, '300', '16,125.00');
        await button(page, 'Decline').click();
        await page.getByText('The payment was declined.').waitFor();
        await page.goto(`${service.baseUrl}/v1/payments/return?reference=${declined}`);
        await returnToConsole(page);
        await page.getByText('The payment was not successful').waitFor();
        await sumShown(page);

        const reference = await goToCheckout(page, '400', '21,500.00');
        await button(page, 'Leave').click();
        await returnToConsole(page);
        await page.getByText('No payment has arrived yet').waitFor();
        await sumShown(page);
        await expectOneCreditPerPayment();

        await double.setFault(reference, { webhook: 'twice' });
        await page.getByRole('link', { name: 'Continue to pay', exact: true }).click();
        const checkout = page.url();
        await button(page, 'Pay').click();
        await returnToConsole(page);
        await page.getByText('The payment is complete').waitFor();
        // Tries to pay the same order a second time, and repeats its webhook.
        await fetch(checkout, { method: 'POST', body: new URLSearchParams({ outcome: 'pay' }) });
        await double.sendWebhook(reference, 'good');
        paid.push(400);
        await sumShown(page);
      });
      await expectOneCreditPerPayment();
    },
    MAX_MS,
  );

  test(
    'a payment that arrives too late is still credited, once, as the page says beforehand',
    async () => {
      await onPhone(async (page) => {
        const reference = await goToCheckout(page, '500', '26,875.00');
        const checkout = page.url();
        await setAttributes('PAYMENTS_TABLE', orderKey('live', reference), {
          expiresAt: new Date(Date.now() - 60_000).toISOString(),
        });
        await button(page, 'Leave').click();
        await returnToConsole(page);
        await page.getByText('If you have paid, the credits are added').waitFor();
        await double.setFault(reference, { webhook: 'late' });
        await fetch(checkout, {
          method: 'POST',
          body: new URLSearchParams({ outcome: 'pay' }),
          redirect: 'manual',
        });
        await sumShown(page);
        expect(await double.sendHeld(reference)).toBe(1);
        await page.reload();
        await page.getByText('The payment is complete').waitFor();
        paid.push(500);
        await sumShown(page);
      });
      await expectOneCreditPerPayment();
    },
    MAX_MS,
  );

  test(
    'if Paystack does not respond, the page says that nothing was charged, keeps the input, and works later',
    async () => {
      await onPhone(async (page) => {
        await openPage(page, '/wallet');
        await button(page, 'Top up').click();
        const credits = page.getByLabel('Credits', { exact: true });
        await credits.fill('700');
        await double.setStopped(true);
        try {
          await button(page, 'Pay ₦37,625.00').click();
          await page.getByText(/Paystack does not respond.*Nothing was charged\./).waitFor();
        } finally {
          await double.setStopped(false);
        }
        expect(await credits.inputValue()).toBe('700');
        await expectOneCreditPerPayment();
        await pay(page, '37,625.00', 'Retry');
        await button(page, 'Pay').click();
        await returnToConsole(page);
        await page.getByText('The payment is complete').waitFor();
        paid.push(700);
        await sumShown(page);
      });
      await expectOneCreditPerPayment();
    },
    MAX_MS,
  );
}
