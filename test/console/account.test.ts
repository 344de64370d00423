import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { readApiKeyText } from '../../shared/accounts/api-key.ts';
import type { KeysView, NewKeyView, ServicesView } from '../../shared/accounts/console/views.ts';
import type { ChangesView } from '../../shared/audit/console/views.ts';
import { organisationKey } from '../../shared/core/keys.ts';
import type { HomeView } from '../../shared/home/console/views.ts';
import type { TestCreditsView } from '../../shared/payments/console/views.ts';
import { type ConsoleClient, service, sessionOf, signIn } from '../support/console.ts';
import { consoleOrganisation, join, rowsOf, setAttributes } from '../support/console-organisation.ts';

/**
 * Keys, services, test credits, the audit trail and Home of the running console, with the permissions of its functions.
 */

/** Sends a request and returns the data of its response. Throws if it was rejected. */
async function data<T>(client: ConsoleClient, method: string, path: string, body?: unknown): Promise<T> {
  const response = await client.send<T>(method, path, { body });
  if (!response.json?.data) throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
  return response.json.data;
}
const codeOf = async (client: ConsoleClient, method: string, path: string, body: unknown) =>
  (await client.send(method, path, { body })).json?.code;

/** Verifies a sandbox number, as the page's sample does. Returns the code of the response. */
async function verify(key: string): Promise<string> {
  const response = await fetch(`${service.baseUrl}/v1/ng/nin-basic`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ nin: '12345670001' }),
  });
  return ((await response.json()) as { code: string }).code;
}

const KEY = { label: 'till', scopes: null, addresses: null } as const;
const newKey = (client: ConsoleClient, env: 'live' | 'test') =>
  data<NewKeyView>(client, 'POST', '/keys', { ...KEY, env, expires_in_days: env === 'live' ? 365 : null });
const doneSteps = async (client: ConsoleClient) =>
  (await data<HomeView>(client, 'GET', '/home')).steps.flatMap(({ id, is_done }) => (is_done ? [id] : []));

describe('a new customer', () => {
  test('creates an organisation, takes test credits, and verifies a number with a test key', async () => {
    const client = await signIn('new.customer@example.com');
    await data(client, 'POST', '/organisations', { name: 'Kainji Pay' });
    expect(await doneSteps(client)).toEqual([]);

    const { added, available } = await data<TestCreditsView>(client, 'POST', '/test-credits', {});
    expect(available).toBe(added);
    expect(added).toBeGreaterThan(0);
    expect(await codeOf(client, 'POST', '/test-credits', {})).toBe('TEST_CREDITS_TAKEN');
    const { text, key } = await newKey(client, 'test');
    expect(await codeOf(client, 'POST', '/keys', { ...KEY, env: 'live', expires_in_days: 1 })).toBe(
      'UNAPPROVED_ORGANIZATION',
    );
    expect(await verify(text)).toBe('NIN_VERIFIED');

    const { keys } = await data<KeysView>(client, 'GET', '/keys');
    expect(keys).toMatchObject([{ id: key.id, status: 'active', last_network: expect.any(String) }]);
    expect(Date.now() - Date.parse(keys[0]?.last_used_at ?? '')).toBeLessThan(60_000);
    const home = await data<HomeView>(client, 'GET', '/home');
    expect(home).toMatchObject({
      // Without `held`, because the hold of the request may not have been settled yet.
      wallets: { test: { available: added - 1 }, live: { available: 0, held: 0 } },
    });
    expect(home.registries.map(({ status }) => status)).toEqual(Array(5).fill('up'));
    expect(await doneSteps(client)).toEqual(['test-credits', 'test-key', 'first-request']);
  });
});

describe('a key of an approved organisation', () => {
  test('is created, rotated and revoked, with effect from the next request, and never logged', async () => {
    const organisation = await consoleOrganisation('Baobab Lending');
    const client = await signIn('owner.of.baobab@example.com');
    await join(client, organisation, 'owner');

    const first = await newKey(client, 'live');
    expect(await verify(first.text)).toBe('SUBSCRIPTION_REQUIRED');
    await data(client, 'PUT', '/services/nin-basic', { is_enabled: true });
    expect(await verify(first.text)).toBe('INSUFFICIENT_FUNDS');

    const second = await data<NewKeyView>(client, 'POST', `/keys/${first.key.id}/rotate`, { grace_hours: 0 });
    expect(await verify(first.text)).toBe('INVALID_API_KEY');
    expect(await verify(second.text)).toBe('INSUFFICIENT_FUNDS');
    await data(client, 'POST', `/keys/${second.key.id}/revoke`, {});
    expect(await verify(second.text)).toBe('INVALID_API_KEY');
    await data(client, 'PUT', '/services/nin-basic', { is_enabled: false });

    const { keys } = await data<KeysView>(client, 'GET', '/keys');
    expect(keys.map(({ status }) => status)).toEqual(['revoked', 'expired']);
    const { changes } = await data<ChangesView>(client, 'GET', '/audit');
    expect(changes.map(({ action, target }) => `${action}: ${target}`)).toEqual([
      'service change: service nin-basic',
      `key revoke: live key "till" (${second.key.id})`,
      expect.stringMatching(/^key rotate: live key /),
      expect.stringMatching(/^key rotate: live key /),
      'service change: service nin-basic',
      `key create: live key "till" (${first.key.id})`,
    ]);
    const log = readFileSync(service.logFile, 'utf8');
    expect(log).toContain('console-create-key');
    for (const { text } of [first, second]) {
      expect(readApiKeyText(text)?.organisationId).toBe(organisation.id);
      expect(log).not.toContain(text.slice(19, -6));
    }
  });
});

describe('services', () => {
  test('are switched on and off without changing what only operators set', async () => {
    const prices = { 'nin-basic': 3 };
    const organisation = await consoleOrganisation('Harmattan Credit', { prices, status: 'PENDING' });
    await setAttributes('API_KEYS_TABLE', organisationKey(organisation.id), { extra: 'kept' });
    const client = await signIn('admin.of.harmattan@example.com');
    await join(client, organisation, 'admin');

    const { services } = await data<ServicesView>(client, 'GET', '/services');
    expect(services.find(({ name }) => name === 'nin-basic')).toMatchObject({
      is_enabled: false,
      price_credits: 3,
    });
    for (const isEnabled of [true, true, false, true])
      await data(client, 'PUT', '/services/nin-basic', { is_enabled: isEnabled });

    expect((await sessionOf(client)).organisation?.status).toBe('PENDING');
    const { pk } = organisationKey(organisation.id);
    expect(await rowsOf('API_KEYS_TABLE', pk)).toMatchObject([{ prices, status: 'PENDING', extra: 'kept' }]);
    const { changes } = await data<ChangesView>(client, 'GET', '/audit?search=nin-basic');
    expect(changes).toHaveLength(3);
    expect(changes[0]).toMatchObject({
      by: { kind: 'member' },
      before: { enabled: false },
      after: { enabled: true },
    });
  });
});
