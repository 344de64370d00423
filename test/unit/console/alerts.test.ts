import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Organisation } from '../../../shared/accounts/organisation.ts';
import { ALERT_EVENTS, type Alert, alertOf } from '../../../shared/alerts/alert.ts';
import { alertChoiceTable } from '../../../shared/alerts/alert-choice-table.ts';
import { alertMail } from '../../../shared/alerts/alert-mail.ts';
import { alertTable } from '../../../shared/alerts/alert-table.ts';
import { changeAlerts, readAlerts, showAlerts } from '../../../shared/alerts/console/alerts.ts';
import { changeAlertsBody } from '../../../shared/alerts/console/bodies.ts';
import type { AlertsView } from '../../../shared/alerts/console/views.ts';
import { type AlertReport, handleEvent, sendAlerts } from '../../../shared/alerts/send-alerts.ts';
import type { Recorder } from '../../../shared/audit/recorder.ts';
import type { Role } from '../../../shared/core/member-role.ts';
import type { ServiceEvent } from '../../../shared/events/event.ts';
import type { BusEvent, ReceivedEvent } from '../../../shared/events/received-event.ts';
import type { Mail } from '../../../shared/members/mail.ts';
import { memberTable } from '../../../shared/members/member-table.ts';
import { consoleRoute } from '../../../shared/members/middleware/console-route.ts';
import { memoryConsole } from '../../support/console/memory-console.ts';

/** Alerts: their texts and recipients, and that each event causes one alert and one email to each recipient. */

const CONSOLE_URL = 'https://console.example.com';
const ADA = { email: 'ada@example.com', role: 'owner' } as const;
const ORIGIN = { label: 'till 4', last_four: 'wxyz' };
const NETWORKS = { network: '192.0.2.0/24', last_network: '203.0.113.0/24' };

/** Events of all types, each with the kind and the text of its alert. */
const TEXTS: readonly (readonly [ServiceEvent['type'], ServiceEvent['detail'], string, RegExp])[] = [
  [
    'Balance Low',
    { available: 1_480, low_below: 5_000 },
    'balance_low',
    /^The live wallet has 1,480 credits left, fewer than the threshold of 5,000\./,
  ],
  ['Balance Low', { available: 1, low_below: 5 }, 'balance_low', /^The live wallet has 1 credit left,/],
  ['Wallet Empty', { available: 0, low_below: 5 }, 'balance_low', /^The live wallet is empty\./],
  [
    'Automatic Top-Up Charged',
    { credits: 1_000, total_kobo: 5_375_000, reference: 'TOPUP-1' },
    'automatic_top_up',
    /^The saved card was charged ₦53,750\.00, VAT included, for 1,000 credits, because .* is TOPUP-1\./,
  ],
  [
    'Automatic Top-Up Stopped',
    { credits: 1_000, reason: 'declined' },
    'automatic_top_up',
    /1,000 credits were not added: the saved card was declined\. Automatic top-up stays off until/,
  ],
  [
    'API Key Expiring',
    { environment: 'test', ...ORIGIN, not_after: '2026-11-30T23:30:00.000Z', days_left: 7 },
    'key_expiring',
    /^The test key "till 4" \(ends in wxyz\) expires in 7 days, on 1 December 2026\. Rotate it/,
  ],
  [
    'Look-Ups Unavailable',
    { id_type: 'NIN' },
    'registry_down',
    /^The registry is not available\. .* NIN fail and are not/,
  ],
  ['Look-Ups Available', { id_type: 'BVN' }, 'registry_down', /^The registry is available again\. .* BVN/],
  [
    'Top-Up Credited',
    { environment: 'live', credits: 5_000, available: 5_099, invoice: 'IDV-2026-000041' },
    'payment',
    /^The live wallet received 5,000 credits, and now has 5,099\. The invoice IDV-2026-000041 is on the Wallet/,
  ],
  [
    'Key Used From New Network',
    { ...ORIGIN, ...NETWORKS },
    'unusual_traffic',
    /"till 4" .* was used from 192\.0\.2\.0\/24,/,
  ],
  [
    'Look-Ups High',
    { ...ORIGIN, look_ups: 900, busiest_day: 400 },
    'unusual_traffic',
    /900 look-ups with the live key "till 4"/,
  ],
  [
    'Look-Ups High',
    { label: '', last_four: '', look_ups: 900, busiest_day: 1 },
    'unusual_traffic',
    /with all live keys together/,
  ],
  ['Misses High', { ...ORIGIN, look_ups: 250, misses: 60 }, 'unusual_traffic', /^Today, 60 of 250 look-ups/],
  [
    'Rejected Keys High',
    { rejections: 80 },
    'unusual_traffic',
    /about 80 requests failed because an API key of your organisation was wrong/,
  ],
];

const serviceOfEach = (types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [`${type.toLowerCase()}-basic`, {}]));

const event = (type: string, detail: ServiceEvent['detail'], id = 'e1'): ReceivedEvent => ({
  type,
  id,
  at: '2026-11-23T08:59:00.000Z',
  detail,
});

describe('the text of an alert', () => {
  test.each(TEXTS)('describes the event %s %j', (type, detail, kind, text) => {
    const alert = alertOf(event(type, { organisation: 'A1B2C3D4E5', ...detail }));
    expect(alert).toMatchObject({ kind, id: '2026-11-23T08:59:00.000Z#e1' });
    expect(alert?.text).toMatch(text);
    expect(alert?.text).not.toContain('undefined');
    expect(alert?.title).toMatch(/^[A-Z][^.]{5,60}$/);
    // The subject of the email is the title, so it must not contain what customers enter.
    expect(alert?.title).not.toContain('till 4');
  });

  test('exists for each event that concerns customers, and for no others', () => {
    expect([...new Set(TEXTS.map(([type]) => type))].sort()).toEqual([...ALERT_EVENTS].sort());
    expect(alertOf(event('Top-Up Credited', { environment: 'test', credits: 5 }))).toBeUndefined();
    for (const type of ['Registry Down', 'Registry Up', 'constructor', 'toString'])
      expect(alertOf(event(type, { registry: 'prembly', name: 'Prembly' }))).toBeUndefined();
  });
});

describe('the email about an alert', () => {
  const mailFor = (name: string, label: string, isLast = false) => {
    const detail = { environment: 'live', label, last_four: 'wxyz', not_after: '2026-12-01', days_left: 7 };
    const alert = alertOf(event('API Key Expiring', detail)) as Alert;
    return alertMail(ADA, alert, { name, isLast, consoleUrl: CONSOLE_URL });
  };

  test('links only to the console, even if a name or a label is a URL', () => {
    const { subject, text } = mailFor('https://evil.example/pay', 'www.evil.example');
    expect(text.match(/https?:\/\/\S+/g)).toEqual([`${CONSOLE_URL}/keys`, `${CONSOLE_URL}/alerts`]);
    expect(text.replaceAll(CONSOLE_URL, '')).not.toMatch(/evil\.example/);
    expect(subject).toBe('An API key expires soon');
  });

  test('names the organisation and the time, explains how to switch it off, and says if it is the last of the day', () => {
    const { text } = mailFor('Kainji Pay', 'till 4');
    expect(text).toContain(
      'for the organisation "Kainji Pay". Time: 23 November 2026, 09:59 (Lagos time, UTC+1).',
    );
    expect(text).toContain(`You can choose which emails you receive: ${CONSOLE_URL}/alerts`);
    expect(text).not.toContain('last email');
    expect(mailFor('Kainji Pay', 'till 4', true).text).toContain(
      'This is the last email about alerts like this one today.',
    );
  });

  test('does not change the networks in the text', () => {
    const alert = alertOf(event('Key Used From New Network', { ...ORIGIN, ...NETWORKS })) as Alert;
    const { text } = alertMail(ADA, alert, {
      name: 'A',
      isLast: false,
      consoleUrl: CONSOLE_URL,
    });
    expect(text).toContain('was used from 192.0.2.0/24, which');
  });
});

describe('an event', () => {
  let store: ReturnType<typeof memoryConsole>;
  let own: Organisation;
  let wallets: string[];
  let mails: Mail[];
  let failure: (mail: Mail) => unknown;
  beforeEach(() => {
    process.env['CONSOLE_URL'] = CONSOLE_URL;
    store = memoryConsole();
    mails = [];
    failure = () => undefined;
    own = store.newOrganisation({ status: 'APPROVED', services: { 'nin-basic': {} } });
    wallets = [own.id];
    for (const role of ['owner', 'admin', 'developer', 'finance', 'viewer'] as const) member(role);
  });

  function member(role: Role, changes: object = {}, organisation = own) {
    const name = `${role}-${organisation.id}`;
    const person = store.newPerson({ name, email: `${name}@example.com` });
    return store.newMember(person, organisation, role, changes);
  }

  const alerts = () => alertTable(store.client, 'Console');
  const deps = () => ({
    choices: alertChoiceTable(store.client, 'Console'),
    alerts: alerts(),
    members: memberTable(store.client, 'Console'),
    organisations: store.tables.organisations,
    shards: {
      listShards: async () =>
        wallets.map((organisationId) => ({ wallet: { env: 'live', organisationId } as const, shard: 0 })),
    },
    sendMail: async (mail: Mail) => {
      const error = failure(mail);
      if (error !== undefined) throw error;
      mails.push(mail);
    },
    consoleUrl: CONSOLE_URL,
  });
  const low = (id = 'e1', at = '2026-11-23T08:59:00.000Z'): ReceivedEvent => ({
    ...event('Balance Low', { organisation: own.id, available: 99, low_below: 100 }, id),
    at,
  });
  const send = (one: ReceivedEvent): Promise<AlertReport> => sendAlerts(one, deps());
  const recipients = () => mails.map(({ to }) => to.replace(/-.*/, '')).sort();
  const stored = (organisation = own) => alerts().listAlerts(organisation.id, '2026-10-24');

  test('causes one alert, and one email to each owner and finance member, even if it is delivered several times', async () => {
    expect(await send(low())).toEqual({ alerted: 1, mails: 2, failedMails: 0 });
    expect(recipients()).toEqual(['finance', 'owner']);
    await send(low());
    // Published again by a run that could not record the first publication.
    await send(low('e1', '2026-11-23T09:01:00.000Z'));
    expect(mails).toHaveLength(2);
    expect(await stored()).toHaveLength(1);
    expect((await stored())[0]).toMatchObject({ kind: 'balance_low', at: '2026-11-23T08:59:00.000Z' });
  });

  test('that is delivered three times at once causes one alert, and one email to each recipient', async () => {
    await Promise.all([send(low()), send(low()), send(low())]);
    expect(recipients()).toEqual(['finance', 'owner']);
    expect(await stored()).toHaveLength(1);
  });

  test('is not sent to removed members and is sent only once to each address', async () => {
    member('owner', { status: 'REMOVED', email: 'removed@example.com' });
    member('finance', { email: `owner-${own.id}@example.com` });
    await send(low());
    expect(recipients()).toEqual(['finance', 'owner']);
  });

  test('is emailed to the members who chose this kind, and shown to all', async () => {
    const { saveChoice } = alertChoiceTable(store.client, 'Console');
    const choose = (role: Role, wanted: 'balance_low'[], unwanted: 'balance_low'[]) => {
      const { personId } = member(role, { email: `second-${role}-${own.id}@example.com` });
      return saveChoice(own.id, { personId, wanted, unwanted, version: 1 }, 'balance_low');
    };
    await choose('viewer', ['balance_low'], []);
    await choose('owner', [], ['balance_low']);
    await choose('finance', [], []);
    await send(low());
    expect(mails.map(({ to }) => to.split(`-${own.id}`)[0]).sort()).toEqual([
      ...['finance', 'owner', 'second-finance', 'second-viewer'],
    ]);
    expect(await stored()).toHaveLength(1);
  });

  test('is not emailed where the organisation had switched this kind off, until a member chooses', async () => {
    const row = { pk: `ALERTS#${own.id}`, sk: 'SETTINGS', unwanted: ['balance_low'], version: 3 };
    await store.client.send(new PutCommand({ TableName: 'Console', Item: row }));
    await send(low());
    expect([mails, (await stored()).length]).toEqual([[], 1]);
    await send(event('Rejected Keys High', { organisation: own.id, rejections: 80 }));
    expect(mails).toHaveLength(2);
  });

  test('about a payment is emailed once to those who pay, and is not shown as an alert', async () => {
    const detail = { environment: 'live', credits: 5, available: 5, invoice: 'IDV-2026-000041' };
    await send(event('Top-Up Credited', { organisation: own.id, ...detail }));
    await send(event('Top-Up Credited', { organisation: own.id, ...detail }));
    expect(recipients()).toEqual(['finance', 'owner']);
    expect(await stored()).toEqual([]);
  });

  test.each(['PENDING', 'SUSPENDED'] as const)(
    'of an organisation that is %s causes no alert',
    async (status) => {
      own = store.newOrganisation({ status });
      member('owner');
      await send(low());
      expect([mails, await stored()]).toEqual([[], []]);
    },
  );

  test('whose email is rejected for one recipient is emailed again only to this recipient', async () => {
    const rejected = Object.assign(new Error('Throttled'), { $metadata: { httpStatusCode: 429 } });
    failure = ({ to }) => (to.startsWith('owner') ? rejected : undefined);
    const bus: BusEvent = {
      'detail-type': 'Balance Low',
      time: '2026-11-23T08:59:00Z',
      detail: { id: 'e1', organisation: own.id, available: 99, low_below: 100 },
    };
    await expect(handleEvent(bus, deps())).rejects.toThrow(
      '1 of the emails about an alert could not be sent.',
    );
    expect([recipients(), (await stored()).length]).toEqual([['finance'], 1]);
    failure = () => undefined;
    await handleEvent(bus, deps());
    expect(recipients()).toEqual(['finance', 'owner']);
  });

  test('whose email got no response is not sent again, because it may have been sent', async () => {
    failure = () => new Error('TimeoutError');
    expect(await send(low())).toEqual({ alerted: 1, mails: 0, failedMails: 2 });
    failure = () => undefined;
    await send(low());
    expect(mails).toEqual([]);
    expect(await stored()).toHaveLength(1);
  });

  test('after many others on one day is shown only in the console, as the last email says', async () => {
    const ids = Array.from({ length: 25 }, (_, index) => `e${index}`);
    for (const id of ids) await send(low(id));
    expect(mails).toHaveLength(2 * 20);
    expect(
      mails.filter(({ text }) => text.includes('last email about alerts like this one today')),
    ).toHaveLength(2);
    expect(mails.at(-1)?.text).toContain('last email about alerts like this one today');
    expect(await stored()).toHaveLength(25);
    // The next day in Lagos, which begins an hour before the UTC day.
    await send(low('tomorrow', '2026-11-23T23:00:00.000Z'));
    expect(mails).toHaveLength(2 * 20 + 2);
  });

  test('about a stolen key is emailed, even on a day with many alerts about rejected keys', async () => {
    // Anyone can cause these alerts with invented keys.
    const forged = (id: string) => event('Rejected Keys High', { organisation: own.id, rejections: 80 }, id);
    for (let sent = 0; sent < 25; sent += 1) await send(forged(`e${sent}`));
    expect(mails).toHaveLength(2 * 20);
    await send(
      event('Key Used From New Network', { organisation: own.id, ...ORIGIN, ...NETWORKS }, 'stolen'),
    );
    expect(mails.slice(2 * 20).map(({ subject }) => subject)).toEqual(
      Array(2).fill('An API key was used from a new network'),
    );
  });

  test('is stored and emailed once, even if others arrive at the same time', async () => {
    await Promise.all(Array.from({ length: 6 }, (_, index) => send(low(`e${index}`))));
    expect(await stored()).toHaveLength(6);
    expect(mails).toHaveLength(12);
  });

  test('about an ID type concerns approved organisations with a live wallet and a service for this type', async () => {
    const others = [
      store.newOrganisation({ status: 'APPROVED', services: { 'nin-premium': {} } }),
      store.newOrganisation({ status: 'APPROVED', services: { 'bvn-basic': {} } }),
      store.newOrganisation({ status: 'SUSPENDED', services: { 'nin-basic': {} } }),
    ] as const;
    const withoutWallet = store.newOrganisation({ status: 'APPROVED', services: { 'nin-basic': {} } });
    for (const one of [...others, withoutWallet]) member('owner', {}, one);
    wallets = [own.id, own.id, ...others.map(({ id }) => id)];
    const down = event('Look-Ups Unavailable', { id_type: 'NIN' });
    expect(await send(down)).toEqual({ alerted: 2, mails: 3, failedMails: 0 });
    expect(await send(down)).toMatchObject({ mails: 0 });
    expect([await stored(), await stored(others[0])]).toMatchObject([[{ kind: 'registry_down' }], [{}]]);
    expect(await Promise.all([others[1], others[2], withoutWallet].map(stored))).toEqual([[], [], []]);
  });

  test('about an outage is emailed, even on a day with many outages of another ID type', async () => {
    own = store.newOrganisation({ status: 'APPROVED', services: serviceOfEach(['NIN', 'TIN']) });
    member('owner');
    wallets = [own.id];
    const outages = async (id_type: string, count: number) => {
      const before = mails.length;
      for (let hour = 0; hour < count; hour += 1)
        for (const type of ['Look-Ups Unavailable', 'Look-Ups Available']) {
          const at = new Date(Date.parse('2026-11-22T23:00:00.000Z') + hour * 30 * 60_000).toISOString();
          await send({ ...event(type, { id_type }, `${type} ${id_type} ${at}`), at });
        }
      return mails.length - before;
    };
    expect(await outages('TIN', 45)).toBe(20);
    expect(await outages('NIN', 1)).toBe(1);
  });

  test('about an outage belongs to its one alert and email, which end with the last ID type', async () => {
    const outage = (type: 'Unavailable' | 'Available', id_type: string, at = '2026-11-23T08:59:00.000Z') =>
      send({ ...event(`Look-Ups ${type}`, { id_type }, `${type} ${id_type} ${at}`), at });
    const types = ['NIN', 'BVN', 'CAC', 'TIN', 'NUBAN'];
    own = store.newOrganisation({ status: 'APPROVED', services: serviceOfEach(types) });
    member('owner');
    wallets = [own.id];
    await Promise.all(types.map((idType) => outage('Unavailable', idType)));
    await outage('Unavailable', 'NIN');
    expect((await stored()).map(({ title }) => title)).toEqual([
      'NIN, BVN, CAC, TIN and NUBAN look-ups are not available',
    ]);
    for (const idType of types.slice(1)) await outage('Available', idType);
    const [open] = await stored();
    expect([open?.title, open?.endedAt]).toEqual(['NIN look-ups are not available', undefined]);
    await outage('Available', 'NIN', '2026-11-23T09:46:00.000Z');
    const ended = { at: '2026-11-23T08:59:00.000Z', endedAt: '2026-11-23T09:46:00.000Z' };
    expect(await stored()).toMatchObject([
      { ...ended, title: 'NIN, BVN, CAC, TIN and NUBAN look-ups work again' },
    ]);
    expect(mails).toHaveLength(1);
    await outage('Unavailable', 'BVN', '2026-11-23T10:00:00.000Z');
    expect((await stored()).map(({ title }) => title)).toEqual([
      'BVN look-ups are not available',
      'NIN, BVN, CAC, TIN and NUBAN look-ups work again',
    ]);
    // A day later, a further ID type is a new outage.
    await outage('Unavailable', 'CAC', '2026-11-24T10:00:01.000Z');
    expect(mails.map(({ subject }) => subject.replace(/^.*(?=look)/, ''))).toEqual(
      Array(3).fill('look-ups are not available'),
    );
  });

  test('about an expiring key is also sent to developers, and links to the keys of its environment', async () => {
    const detail = { organisation: own.id, ...ORIGIN, not_after: '2026-12-01T00:00:00.000Z', days_left: 7 };
    await send(event('API Key Expiring', { ...detail, environment: 'test' }, 'test key'));
    expect(recipients()).toEqual(['developer', 'finance', 'owner']);
    expect(mails[0]?.text).toContain(`${CONSOLE_URL}/keys?env=test\n`);
    expect(await stored()).toMatchObject([{ environment: 'test' }]);
    await send(event('API Key Expiring', { ...detail, environment: 'live' }, 'live key'));
    expect(mails.at(-1)?.text).toContain(`${CONSOLE_URL}/keys\n`);
  });

  describe('on the Alerts page', () => {
    const routeDeps = () => ({
      choices: (recorder?: Recorder) => alertChoiceTable(store.client, 'Console', recorder),
      alerts: alerts(),
      members: memberTable(store.client, 'Console'),
      nowMs: () => store.clock.nowMs,
    });
    async function show(role: Role): Promise<AlertsView> {
      const person = store.newPerson();
      store.newMember(person, own, role);
      const handler = consoleRoute(
        'show-alerts',
        showAlerts(),
        { prefetch: readAlerts(routeDeps()) },
        store.deps,
      );
      return (await store.send(handler, 'show-alerts', store.newSession(person, own))).json.data;
    }

    test('is shown for 30 days, even to viewers, newest first, with the recipients of emails', async () => {
      await send(low('old', '2026-10-23T09:00:00.000Z'));
      await send(low('first', '2026-10-24T09:00:01.000Z'));
      await send(low('second', '2026-11-23T08:00:00.000Z'));
      const view = await show('viewer');
      expect(view.alerts.map(({ at }) => at)).toEqual([
        '2026-11-23T08:00:00.000Z',
        '2026-10-24T09:00:01.000Z',
      ]);
      expect(view.recipients).toMatchObject({ balance_low: [`finance-${own.id}`, `owner-${own.id}`] });
      expect(Object.values(view.settings)).toEqual([false, false, false, false, false, false]);
      expect(Object.keys(view.alerts[0] ?? {})).toEqual([
        ...['id', 'kind', 'environment', 'at', 'ended_at', 'title', 'text'],
      ]);
    });

    test('is not pushed off the page by rejected keys, which anyone can cause', async () => {
      const newNetwork = { organisation: own.id, ...ORIGIN, ...NETWORKS };
      await send({
        id: 'theft',
        type: 'Key Used From New Network',
        at: '2026-11-18T09:00:00.000Z',
        detail: newNetwork,
      });
      for (let index = 0; index < 210; index += 1) {
        const at = new Date(Date.parse('2026-11-18T10:00:00.000Z') + index * 20 * 60_000).toISOString();
        const detail = { organisation: own.id, rejections: 60 };
        await send({ id: `rejected-${index}`, type: 'Rejected Keys High', at, detail });
      }
      const { alerts } = await show('owner');
      expect([alerts.length, alerts[0]?.at]).toEqual([51, '2026-11-21T07:40:00.000Z']);
      expect(alerts.at(-1)).toMatchObject({ title: 'An API key was used from a new network' });
    });

    test('each member switches their own emails after a recent sign-in, and is told', async () => {
      const options = { body: changeAlertsBody };
      const sendMail = async (mail: Mail) => void mails.push(mail);
      const handler = consoleRoute('change-alerts', changeAlerts(routeDeps(), sendMail), options, store.deps);
      const person = store.newPerson({ name: 'Dayo' });
      store.newMember(person, own, 'viewer');
      const browser = store.newSession(person, own);
      const change = (kind: string, isEnabled: boolean) =>
        store.send(handler, 'change-alerts', browser, { body: { kind, is_enabled: isEnabled } });
      expect((await change('key_expiring', true)).json.data).toMatchObject({
        key_expiring: true,
        balance_low: false,
      });
      await change('key_expiring', true);
      expect((await show('finance')).settings).toMatchObject({ key_expiring: true, balance_low: true });
      expect((await show('finance')).recipients.key_expiring).toContain('Dayo');
      expect((await change('key_expiring', false)).json.data).toMatchObject({ key_expiring: false });
      expect((await change('everything', true)).status).toBe(400);
      expect(mails.map(({ to }) => to)).toEqual(Array(2).fill(person.email));
      expect(mails[0]?.text).toContain('emails of the kind "API key expiring" to ');
      expect(mails[1]?.text).toContain('were switched off');
      store.clock.nowMs += 15 * 60_000 + 1;
      expect((await change('key_expiring', true)).code).toBe('RECENT_SIGN_IN_REQUIRED');
      const target = `member ${person.id}`;
      expect(store.auditEntries()).toMatchObject([
        { action: 'alerts change', target, before: { key_expiring: false }, after: { key_expiring: true } },
        { action: 'alerts change', target, before: { key_expiring: true }, after: { key_expiring: false } },
      ]);
    });
  });
});
