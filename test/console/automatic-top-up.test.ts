import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { AlertsView } from '../../shared/alerts/console/views.ts';
import type { AutomaticTopUpView, TopUpView, WalletView } from '../../shared/payments/console/views.ts';
import { signIn } from '../support/console.ts';
import { mailsTo } from '../support/console-mail.ts';
import { join } from '../support/console-organisation.ts';
import { letBuy } from '../support/console-payments.ts';
import { control, organisation } from '../support/service.ts';

const WAIT_MS = 120_000;

test('a saved card buys live credits when few are left, and members are told, until it is removed', async () => {
  const customer = await organisation({ credits: 0 });
  const client = await signIn(`automatic-${randomUUID()}@example.com`);
  await join(client, { id: customer.id, name: 'Automatic Pay' }, 'finance');
  await letBuy(customer);
  async function data<T>(method: string, path: string, body?: unknown): Promise<T> {
    const { json, text } = await client.send<T>(method, path, { body });
    if (!json?.data) throw new Error(text);
    return json.data;
  }
  const wallet = () => data<WalletView>('GET', '/wallet?env=live');
  async function until<T>(read: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> {
    for (const endMs = Date.now() + WAIT_MS; ; await sleep(100)) {
      const value = await read();
      if (isDone(value) || Date.now() > endMs) return value;
    }
  }

  const form = { env: 'live', credits: 100, form_id: randomUUID() };
  const { checkout_url, reference } = await data<TopUpView>('POST', '/wallet/top-ups', form);
  const body = new URLSearchParams({ outcome: 'pay' });
  await fetch(checkout_url ?? '', { method: 'POST', body, redirect: 'manual' });
  expect(await until(wallet, ({ available }) => available === 100)).toMatchObject({ automatic: null });

  const limits = { below: 500, credits: 1_000, monthly_limit_kobo: 20_000_000 };
  const settings = { ...limits, card_order: reference, agrees: true };
  const saved = await data<AutomaticTopUpView>('PUT', '/wallet/automatic-top-up', { settings });
  expect(saved).toMatchObject({ state: 'ON', ...limits, charged_kobo: 0, card_order: reference });
  expect(saved.card).toEqual({ brand: 'visa', last_four: '4081', expires: '12/2030', bank: 'TEST BANK' });
  await control.runSchedule('settle-top-ups');
  const charged = await until(wallet, ({ available }) => available === 1_100);
  expect(charged).toMatchObject({ available: 1_100, automatic: { state: 'ON', charged_kobo: 10_750_000 } });
  expect(charged.top_ups[0]).toMatchObject({ state: 'CREDITED', credits: 1_000, total_kobo: 10_750_000 });
  await control.runSchedule('settle-top-ups');
  expect((await wallet()).top_ups).toHaveLength(2);

  const alerts = () => data<AlertsView>('GET', '/alerts');
  const isMailed = () =>
    mailsTo(client.email).some(({ headers }) => headers.includes('Your saved card was charged'));
  const view = await until(alerts, isMailed);
  expect([view.alerts.map(({ title }) => title), isMailed()]).toEqual([
    expect.arrayContaining(['Your saved card was charged']),
    true,
  ]);
  const removed = await data<AutomaticTopUpView>('PUT', '/wallet/automatic-top-up', { settings: null });
  expect(removed).toMatchObject({ state: 'OFF', card_order: null });
});
