import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Organisation } from '../../../shared/accounts/organisation.ts';
import type { Role } from '../../../shared/core/member-role.ts';
import type { Mail } from '../../../shared/members/mail.ts';
import { memberActor } from '../../../shared/members/member-actor.ts';
import { memberTable } from '../../../shared/members/member-table.ts';
import { consoleRoute } from '../../../shared/members/middleware/console-route.ts';
import { automaticTable } from '../../../shared/payments/automatic/automatic-table.ts';
import { openCard } from '../../../shared/payments/automatic/seal-card.ts';
import { changeAutomaticTopUp } from '../../../shared/payments/console/automatic-top-up.ts';
import { changeAutomaticTopUpBody } from '../../../shared/payments/console/bodies.ts';
import type { FoundCard } from '../../../shared/payments/paystack/payment-provider.ts';
import {
  type Browser,
  type MemoryConsole,
  memoryConsole,
  ORIGIN,
} from '../../support/console/memory-console.ts';
import { inventedOrder } from '../payments/invented-orders.ts';
import { fakeProvider, memoryClock, setUp, topUpDependencies } from '../payments/memory-payments.ts';

/** Saving a card, changing its limits and removing it, in the console. */

const KEYS = { current: 'a key' };
const CODE = { authorisationCode: 'AUTH_invented', email: 'accounts@kainji.example' };
const DETAILS = { brand: 'visa', bank: 'Invented Bank', expires: '12/2030' };
const CARD: FoundCard = { ...CODE, details: { ...DETAILS, lastFour: '4081' } };
const SETTINGS = {
  below: 50,
  credits: 100,
  monthly_limit_kobo: 1_000_000,
  card_order: 'TOPUP-PAID' as string | null,
  agrees: true,
};

let service: MemoryConsole;
let organisation: Organisation;
let card: FoundCard | undefined;
let mails: Mail[];
let tables: ReturnType<typeof topUpDependencies>;
beforeEach(async () => {
  process.env['CONSOLE_URL'] = ORIGIN;
  service = memoryConsole();
  organisation = service.newOrganisation({ status: 'APPROVED' });
  service.newMember(service.newPerson(), organisation, 'owner');
  card = CARD;
  mails = [];
  const provider = { ...fakeProvider(), findCard: async () => card };
  tables = topUpDependencies(service.client, provider, memoryClock('2026-11-23T09:00:00.000Z').clock);
  await setUp(tables, organisation.id);
  const openedBy = memberActor('ngozi');
  const paid = { organisationId: organisation.id, env: 'live', state: 'CREDITED', openedBy } as const;
  await tables.orders.insertOrder(inventedOrder({ ...paid, reference: 'TOPUP-PAID' }));
  await tables.orders.insertOrder(inventedOrder({ ...paid, reference: 'TOPUP-TEST', env: 'test' }));
  await tables.orders.insertOrder(
    inventedOrder({ ...paid, reference: 'TOPUP-OTHER', organisationId: 'bbbbbbbbbb' }),
  );
  await tables.orders.insertOrder(inventedOrder({ ...paid, reference: 'TOPUP-KEY', openedBy: 'till' }));
  await tables.orders.insertOrder(inventedOrder({ ...paid, reference: 'TOPUP-UNPAID', state: 'FAILED' }));
});

function browserOf(role: Role): Browser {
  const person = service.newPerson();
  service.newMember(person, organisation, role);
  return service.newSession(person, organisation);
}

async function send(settings: object | null, browser = browserOf('finance'), keeps_card = false) {
  const deps = {
    automatic: (recorder: Parameters<typeof automaticTable>[2]) =>
      automaticTable(service.client, 'Payments', recorder),
    setUp: tables,
    keys: async () => KEYS,
    members: memberTable(service.client, 'Console'),
  };
  const run = changeAutomaticTopUp(deps, async (mail) => void mails.push(mail));
  const handler = consoleRoute(
    'change-automatic-top-up',
    run,
    { body: changeAutomaticTopUpBody },
    service.deps,
  );
  const { status, json } = await service.send(handler, 'change-automatic-top-up', browser, {
    body: { settings, keeps_card },
  });
  return { status, code: json.code, field: json.error?.field, data: json.data };
}

const row = () => automaticTable(service.client, 'Payments').getAutomatic(organisation.id);

describe('automatic top-up', () => {
  test('is set up by owners and finance members with a recent sign-in, and owners are told', async () => {
    for (const role of ['admin', 'developer', 'viewer'] as const)
      expect((await send(SETTINGS, browserOf(role))).code).toBe('ROLE_REQUIRED');
    const late = browserOf('owner');
    service.clock.nowMs += 15 * 60_000 + 1;
    expect((await send(SETTINGS, late)).code).toBe('RECENT_SIGN_IN_REQUIRED');
    expect([await row(), mails]).toEqual([undefined, []]);
    expect((await send(SETTINGS)).data).toEqual({
      state: 'ON',
      stop_reason: null,
      below: 50,
      credits: 100,
      monthly_limit_kobo: 1_000_000,
      charged_kobo: 0,
      card_order: 'TOPUP-PAID',
      card: { ...DETAILS, last_four: '4081' },
    });
    const saved = await row();
    expect(openCard(saved?.sealedCard ?? '', organisation.id, KEYS)).toEqual(CODE);
    expect(mails.map(({ text }) => text)).toEqual(
      Array(2).fill(expect.stringContaining('automatic top-up by a saved card was set up')),
    );
    const [entry] = service.auditEntries().filter(({ target }) => target === 'automatic top-up');
    expect(entry).toMatchObject({
      action: 'automatic top-up',
      after: {
        state: 'ON',
        thresholdCredits: 50,
        credits: 100,
        monthlyCapKobo: 1_000_000,
        cardOrder: 'TOPUP-PAID',
      },
    });
    expect(JSON.stringify(service.writes)).not.toContain(CARD.authorisationCode);
  });

  test('keeps the card and what was charged if only the limits change, and starts again after a stop', async () => {
    await send(SETTINGS);
    const before = await row();
    if (!before) throw new Error('Nothing was saved.');
    const stopped = {
      ...before,
      state: 'STOPPED',
      stopReason: 'declined',
      month: '2026-11',
      monthKobo: 7,
    } as const;
    await automaticTable(service.client, 'Payments').saveAutomatic(before, stopped);
    const { data } = await send({ ...SETTINGS, below: 60, card_order: null });
    expect(data).toMatchObject({
      state: 'ON',
      stop_reason: null,
      below: 60,
      charged_kobo: 7,
      card_order: 'TOPUP-PAID',
    });
    expect((await row())?.sealedCard).toBe(before.sealedCard);
    expect(mails.at(-1)?.text).toContain('was changed');
  });

  test('is switched off, and on again with the same card', async () => {
    await send(SETTINGS);
    const sealed = (await row())?.sealedCard;
    const { data } = await send(null, browserOf('finance'), true);
    expect(data).toMatchObject({ state: 'OFF', card_order: 'TOPUP-PAID', card: { last_four: '4081' } });
    expect(await row()).not.toHaveProperty('dueKey');
    expect((await send({ ...SETTINGS, card_order: null })).data).toMatchObject({ state: 'ON' });
    expect((await row())?.sealedCard).toBe(sealed);
  });

  test('is removed with the card', async () => {
    await send(SETTINGS);
    const { data } = await send(null);
    expect(data).toMatchObject({ state: 'OFF', card_order: null, card: null });
    for (const name of ['sealedCard', 'cardDetails']) expect(await row()).not.toHaveProperty(name);
    expect(mails.at(-1)?.text).toContain('was switched off, and the card was removed');
    expect((await send({ ...SETTINGS, card_order: null })).field).toBe('settings.card_order');
  });

  test('can be removed by a person who has caused 30 emails today. What changes nothing causes none', async () => {
    const browser = browserOf('finance');
    const change = (below: number) => {
      service.clock.nowMs += 1_000;
      return send({ ...SETTINGS, below, card_order: below === 1 ? 'TOPUP-PAID' : null }, browser);
    };
    for (let below = 1; below <= 30; below += 1) expect((await change(below)).status).toBe(200);
    const told = mails.length;
    expect(await change(30)).toMatchObject({ status: 200, data: { below: 30 } });
    expect(await change(31)).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
    expect(mails).toHaveLength(told);
    expect(await send(null, browser)).toMatchObject({ status: 200, data: { state: 'OFF', card: null } });
    expect(mails).toHaveLength(told + told / 30);
    const [saved, recorded] = [await row(), service.auditEntries().length];
    expect(await send(null, browser)).toMatchObject({ status: 200, data: { state: 'OFF', card: null } });
    expect([mails.length, service.auditEntries().length]).toEqual([told + told / 30, recorded]);
    expect(await row()).toEqual(saved);
  });

  test('of a suspended organisation can be removed, but not changed', async () => {
    await send(SETTINGS);
    const browser = browserOf('owner');
    service.newOrganisation({ ...organisation, status: 'SUSPENDED' });
    const rejected = await send({ ...SETTINGS, card_order: null }, browser);
    expect(rejected).toMatchObject({ status: 403, code: 'ORGANISATION_SUSPENDED' });
    expect(await send(null, browser)).toMatchObject({ status: 200, data: { state: 'OFF', card: null } });
    expect(await row()).not.toHaveProperty('sealedCard');
  });

  test.each([
    ['without consent', { agrees: false }, 'settings.agrees'],
    ['for fewer credits than the threshold', { below: 101 }, 'settings.credits'],
    ['for fewer credits than are sold', { below: 1, credits: 9 }, 'settings.credits'],
    ['if one top-up exceeds the limit', { monthly_limit_kobo: 537_499 }, 'settings.monthly_limit_kobo'],
    ['without a card', { card_order: null }, 'settings.card_order'],
    ['with the card of an unknown order', { card_order: 'TOPUP-NONE' }, 'settings.card_order'],
    ['with the card of a test order', { card_order: 'TOPUP-TEST' }, 'settings.card_order'],
    ["with the card of another organisation's order", { card_order: 'TOPUP-OTHER' }, 'settings.card_order'],
    ['with the card of an order that a key opened', { card_order: 'TOPUP-KEY' }, 'settings.card_order'],
    ['with the card of an unpaid order', { card_order: 'TOPUP-UNPAID' }, 'settings.card_order'],
  ])('is not set up %s', async (_, change, field) => {
    expect(await send({ ...SETTINGS, ...change })).toMatchObject({ status: 400, field });
    expect([await row(), mails]).toEqual([undefined, []]);
  });

  test('is not set up with a payment whose card cannot be charged again', async () => {
    card = undefined;
    expect(await send(SETTINGS)).toMatchObject({ status: 400, field: 'settings.card_order' });
  });

  test('is not set up before the organisation is approved', async () => {
    organisation = service.newOrganisation({ status: 'PENDING' });
    expect((await send(SETTINGS)).code).toBe('UNAPPROVED_ORGANIZATION');
  });

  test('that was never set up cannot be removed', async () => {
    expect((await send(null)).status).toBe(404);
  });
});
