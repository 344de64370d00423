import { describe, expect, test } from '@jest/globals';
import type { ApiKey } from '../../../shared/accounts/api-key.ts';
import { type KeyUsage, keyUsageOf } from '../../../shared/accounts/key-usage.ts';
import { newOrganisation } from '../../../shared/accounts/organisation.ts';
import { DAY_MS } from '../../../shared/core/clock.ts';
import { ID_TYPES, type IdType } from '../../../shared/core/id-types.ts';
import { type HomeRows, homeView, requestsByDay } from '../../../shared/home/console/home-view.ts';
import type { HomeStep } from '../../../shared/home/console/views.ts';
import type { NumberCheck, Profile } from '../../../shared/members/rows.ts';
import type { Health } from '../../../shared/registries/breaker.ts';
import { registriesView } from '../../../shared/registries/console/status-view.ts';
import type { RegistryHealth } from '../../../shared/registries/health/read-health.ts';

/** What Home shows for given rows. */

const NOW_MS = Date.parse('2026-11-23T09:00:00.000Z');
const EMPTY = { available: 0, held: 0, credited: 0 };
const organisation = newOrganisation('Harmattan', new Date(NOW_MS));

const key = (changes: Partial<ApiKey> = {}): ApiKey => ({
  organisationId: organisation.id,
  hash: 'a'.repeat(64),
  env: 'test',
  status: 'ACTIVE',
  label: 'till',
  lastFour: 'abcd',
  createdAt: '2026-11-01T00:00:00.000Z',
  ...changes,
});
const check = (result: NumberCheck['result']): NumberCheck => ({ result, checkedAt: '', requestId: '' });
const contact = { name: 'Ngozi', email: 'ngozi@example.com' };
const profile: Profile = {
  companyNumber: 'RC123456',
  taxNumber: '12345678-0001',
  address: ['1 Invented Way'],
  billingContact: contact,
  privacyContact: contact,
  companyCheck: check('FOUND'),
  taxCheck: check('UNAVAILABLE'),
  version: 1,
};
const { companyCheck: _, taxCheck: __, ...draft } = profile;
const usage = (usedAtMs?: number): ReadonlyMap<string, KeyUsage> =>
  new Map([['a'.repeat(64), keyUsageOf({ ...(usedAtMs && { usedAtMs }) }, NOW_MS)]]);

const rows = (changes: Partial<HomeRows> = {}): HomeRows => ({
  organisation,
  profile: undefined,
  keys: [],
  usage: new Map(),
  balances: { live: EMPTY, test: EMPTY },
  days: [],
  requests: [],
  alerts: [],
  health: [],
  ...changes,
});
const view = (changes: Partial<HomeRows> = {}) => homeView(rows(changes), NOW_MS);
const doneSteps = (changes: Partial<HomeRows>): HomeStep[] =>
  view(changes).steps.flatMap(({ id, is_done }) => (is_done ? [id] : []));

test('an outage that has ended is shown with the time of its end', () => {
  const [at, endedAt] = ['2026-11-23T08:59:00.000Z', '2026-11-23T09:46:00.000Z'];
  const outage = { id: 'a', kind: 'registry_down', at, title: 'NIN look-ups work again', text: '' } as const;
  const { alerts } = view({ alerts: [{ ...outage, endedAt, expiresAt: 0 }] });
  expect(alerts).toEqual([{ id: 'a', at: endedAt, title: outage.title }]);
});

describe('the steps to the first live request', () => {
  test('are all open for a new organisation, in their fixed order', () => {
    const { steps, wallets } = view();
    expect(steps).toEqual(
      [
        ...['test-credits', 'test-key', 'first-request', 'profile', 'submit', 'approval'],
        ...['service', 'top-up', 'live-key'],
      ].map((id) => ({ id, is_done: false })),
    );
    expect(wallets).toEqual({ live: { available: 0, held: 0 }, test: { available: 0, held: 0 } });
  });

  const approved = { ...organisation, status: 'APPROVED' } as const;
  test.each<[string, Partial<HomeRows>, HomeStep[]]>([
    ['a test key', { keys: [key()] }, ['test-key']],
    ['a test key that was revoked', { keys: [key({ status: 'REVOKED' })] }, ['test-key']],
    ['a key that was never used', { keys: [key()], usage: usage() }, ['test-key']],
    ['a used key', { keys: [key()], usage: usage(NOW_MS) }, ['test-credits', 'test-key', 'first-request']],
    ['a profile whose numbers were never looked up', { profile: draft }, ['profile']],
    ['a profile', { profile }, ['profile']],
    ['a profile with an unknown number', { profile: { ...profile, taxCheck: check('NOT_FOUND') } }, []],
    ['a submission', { profile: { ...profile, submittedAt: '2026-11-20' } }, ['profile', 'submit']],
    ['an approval', { organisation: approved }, ['profile', 'submit', 'approval']],
    ['a service', { organisation: { ...organisation, services: { 'nin-basic': {} } } }, ['service']],
    ['credits that are spent', { balances: { live: { ...EMPTY, credited: 5 }, test: EMPTY } }, ['top-up']],
    [
      'test credits',
      { balances: { live: EMPTY, test: { ...EMPTY, credited: 5, available: 5 } } },
      ['test-credits'],
    ],
    [
      'a request from the playground',
      { balances: { live: EMPTY, test: { ...EMPTY, credited: 5, available: 4, held: 1 } } },
      ['test-credits', 'first-request'],
    ],
    ['a live key', { keys: [key({ env: 'live' })] }, ['live-key']],
    ['an expired live key', { keys: [key({ env: 'live', notAfter: '2026-11-22' })] }, []],
  ])('are done as expected after %s', (_, changes, done) => {
    expect(doneSteps(changes)).toEqual(done);
  });
});

test('balances are shown for each environment', () => {
  const live = { available: 10, held: 3, credited: 20 };
  const { wallets } = view({ balances: { live, test: EMPTY } });
  expect(wallets).toEqual({ live: { available: 10, held: 3 }, test: { available: 0, held: 0 } });
});

test('the day on which the live wallet runs out follows from its daily use', () => {
  const days = Array.from({ length: 10 }, (_, index) => ({
    day: new Date(NOW_MS - (10 - index) * DAY_MS).toISOString().slice(0, 10),
    balance: 1_000 - index * 10,
    used: 10,
  }));
  const balances = { live: { available: 900, held: 0, credited: 1_000 }, test: EMPTY };
  expect(view({ balances, days }).runs_out_on).toBe(
    new Date(NOW_MS + 90 * DAY_MS).toISOString().slice(0, 10),
  );
  expect(view({ balances })).toMatchObject({ daily_use: null, runs_out_on: null });
  const toppedUp = { live: { available: 90_000, held: 0, credited: 90_000 }, test: EMPTY };
  expect(view({ balances: toppedUp, days })).toMatchObject({ daily_use: 10, runs_out_on: null });
});

describe('the registries of an ID type', () => {
  const registry = (
    name: string,
    status: Health,
    disabled?: object,
    idType: IdType = 'NIN',
  ): RegistryHealth => ({
    idType,
    name,
    displayName: name,
    environment: 'live',
    status,
    sinceMs: undefined,
    disabled: disabled as RegistryHealth['disabled'],
  });
  const statusOf = (health: readonly RegistryHealth[]) =>
    registriesView(health).find(({ id_type }) => id_type === 'NIN')?.status;
  const disabled = { actor: 'ada', reason: 'x', atMs: 0 };

  test.each<[string, readonly RegistryHealth[], string]>([
    ['up if all providers are', [registry('one', 'up'), registry('two', 'up')], 'up'],
    ['degraded if one is down', [registry('one', 'down'), registry('two', 'up')], 'degraded'],
    ['degraded if all are', [registry('one', 'degraded'), registry('two', 'degraded')], 'degraded'],
    ['down if all are', [registry('one', 'down'), registry('two', 'down')], 'down'],
    [
      'in the state of the providers in use',
      [registry('one', 'down', disabled), registry('two', 'up')],
      'up',
    ],
    ['off if all are disabled', [registry('one', 'down', disabled)], 'off'],
    [
      'not affected by the registries of other types',
      [registry('one', 'up'), registry('one', 'down', undefined, 'BVN')],
      'up',
    ],
  ])('are %s', (_, health, status) => {
    expect(statusOf(health)).toBe(status);
  });

  test('are off if no provider is configured', () => {
    expect(registriesView([]).map(({ status }) => status)).toEqual(ID_TYPES.map(() => 'off'));
  });
});

test('the requests of the last 15 days are those that Usage counts, by the day in Lagos', () => {
  const row = (day: string, requests: number) => ({ day, requests });
  // 23:30 UTC is the next day in Lagos.
  const shown = requestsByDay(
    [row('2026-11-10', 7), row('2026-11-23', 2), row('2026-11-24', 5), row('2026-11-24', 1)],
    Date.parse('2026-11-23T23:30:00.000Z'),
  );
  expect(shown).toHaveLength(15);
  expect([shown[0], ...shown.slice(-2)]).toEqual([
    { day: '2026-11-10', count: 7 },
    { day: '2026-11-23', count: 2 },
    { day: '2026-11-24', count: 6 },
  ]);
});
