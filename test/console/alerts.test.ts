import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from '@jest/globals';
import type { AlertsView, AlertView } from '../../shared/alerts/console/views.ts';
import { DAY_MS } from '../../shared/core/clock.ts';
import type { Role } from '../../shared/core/member-role.ts';
import { type ConsoleClient, consoleUrl, signIn } from '../support/console.ts';
import { mailsTo } from '../support/console-mail.ts';
import { join, putColleague, putKey } from '../support/console-organisation.ts';
import {
  control,
  organisation as createOrganisation,
  logLines,
  type TestOrganisation,
} from '../support/service.ts';

/** Alerts over HTTP: a balance that falls below the threshold causes one alert, and one email to each recipient. */

const WAIT_MS = 120_000;
const NAME = 'Test Organisation';
const MAILED: readonly Role[] = ['owner', 'finance'];
const NOT_MAILED: readonly Role[] = ['admin', 'developer', 'viewer'];

let organisation: TestOrganisation;
let client: ConsoleClient;
const addresses = new Map<Role, string>();
beforeAll(async () => {
  organisation = await createOrganisation({ credits: 200 });
  const named = { id: organisation.id, name: NAME };
  client = await signIn(`alerts-${randomUUID()}@example.com`);
  await join(client, named, 'owner');
  addresses.set('owner', client.email);
  for (const role of ['finance', ...NOT_MAILED] as const)
    addresses.set(role, `${await putColleague(named, role)}@example.com`);
});

const alerts = async () => (await client.send<AlertsView>('GET', '/alerts')).json?.data;
const mailsOf = (role: Role) => mailsTo(addresses.get(role) ?? '');
const setThreshold = (lowBalanceCredits: number) =>
  organisation.change((row) => ({ ...row, lowBalanceCredits }));

/** Returns how often the alerts function has handled an event of the organisation. */
const handled = () => logLines(`"${organisation.id}"`).filter(({ message }) => message === 'alerts').length;

/** Publishes events, and waits until `expected` events of the organisation were handled. Returns the alerts. */
async function publish(expected: number): Promise<readonly AlertView[]> {
  await control.runSchedule('publish-events');
  for (const until = Date.now() + WAIT_MS; handled() < expected && Date.now() < until; ) await sleep(50);
  expect(handled()).toBeGreaterThanOrEqual(expected);
  return (await alerts())?.alerts ?? [];
}

test('a balance below the threshold causes one alert, and one email to each owner and finance member only', async () => {
  expect(await publish(0)).toEqual([]);
  await setThreshold(500);
  const [alert, ...others] = await publish(1);
  expect(others).toEqual([]);
  expect(alert).toMatchObject({ kind: 'balance_low', title: 'Credits are low' });
  expect(alert?.text).toMatch(/^The live wallet has 200 credits left, fewer than the threshold of 500\./);
  await publish(1);
  expect(await alerts()).toMatchObject({
    settings: {
      balance_low: true,
      automatic_top_up: true,
      key_expiring: true,
      registry_down: true,
      unusual_traffic: true,
      payment: true,
    },
    alerts: [alert],
  });
  for (const role of MAILED) {
    const [mail, ...more] = mailsOf(role);
    expect(more).toEqual([]);
    expect(mail?.headers).toMatch(/^Subject: Credits are low$/m);
    expect(mail?.text).toContain(`"${NAME}"`);
    expect(mail?.text.match(/https?:\/\/\S+/g)).toEqual([`${consoleUrl}/wallet`, `${consoleUrl}/alerts`]);
  }
  for (const role of NOT_MAILED) expect(mailsOf(role)).toEqual([]);
});

test('a member who switches emails off receives no more, while others do', async () => {
  const body = { kind: 'balance_low', is_enabled: false };
  expect((await client.send('PUT', '/alerts', { body })).json?.data).toMatchObject({ balance_low: false });
  await setThreshold(100);
  await publish(1);
  await setThreshold(500);
  expect(await publish(2)).toHaveLength(2);
  const subjects = (role: Role) => mailsOf(role).map(({ headers }) => /^Subject: (.*)$/m.exec(headers)?.[1]);
  expect(subjects('finance')).toEqual(['Credits are low', 'Credits are low']);
  expect(subjects('owner')).toEqual([
    'Credits are low',
    expect.stringContaining('A change to your organisation: emails of the kind "Low balance" to '),
  ]);
});

test('S81: an API key label that is a web address, in an alert whose event is published again', async () => {
  const notAfter = new Date(Date.now() + 5 * DAY_MS).toISOString();
  const label = 'https://evil.example/pay';
  const { text: key } = await putKey(organisation.id, 'live', { label, notAfter });
  const alert = (await publish(3)).find(({ kind }) => kind === 'key_expiring');
  await publish(3);
  expect(alert?.text).toContain(`"${label}" (ends in ${key.slice(-4)}) expires in 5 days`);
  for (const role of MAILED) {
    const mails = mailsOf(role).filter(({ headers }) => headers.includes('Subject: An API key expires soon'));
    expect(mails).toHaveLength(1);
    const [{ text }] = mails as [(typeof mails)[number]];
    expect(text.match(/https?:\/\/\S+/g)).toEqual([`${consoleUrl}/keys`, `${consoleUrl}/alerts`]);
    expect(text).not.toContain('evil.example');
    expect(text).not.toContain(key);
  }
});
