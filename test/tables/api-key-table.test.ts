import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type ApiKey, isUsable } from '../../shared/accounts/api-key.ts';
import { type ApiKeyTable, apiKeyTable } from '../../shared/accounts/api-key-table.ts';
import { createApiKey, type NewApiKey, rotateApiKey } from '../../shared/accounts/manage-api-key.ts';
import type { Change } from '../../shared/audit/audit-entry.ts';
import { randomBase62 } from '../../shared/core/base62.ts';
import { DAY_MS, HOUR_MS } from '../../shared/core/clock.ts';
import { openStateTable, type StateTable } from '../registries/local-state-table.ts';

/** API keys in DynamoDB Local: limits and rotations, including under concurrent changes. */

const NOW = new Date('2026-11-21T12:00:00Z');

let tables: StateTable;
let keys: ApiKeyTable;
let organisationId: string;
let changes: Change[];
beforeAll(async () => {
  tables = await openStateTable();
});
beforeEach(() => {
  organisationId = randomBase62(10);
  changes = [];
  const record = (...found: readonly Change[]) => {
    changes.push(...found);
    return [];
  };
  keys = apiKeyTable(tables.client, tables.tableName, { record });
});
afterAll(() => tables.close());

const create = (label: string, extra: Partial<NewApiKey> = {}) =>
  createApiKey(keys, { organisationId, env: 'live', label, ...extra }, NOW);
const inADay = (key: ApiKey) => isUsable(key, NOW.getTime() + DAY_MS);
async function active(): Promise<ApiKey[]> {
  return (await keys.listApiKeys(organisationId)).filter((key) => isUsable(key, NOW.getTime()));
}
/** Returns the results of the calls, sorted: `done`, or the code of the error. */
async function outcomes(calls: readonly Promise<unknown>[]): Promise<string[]> {
  const results = await Promise.allSettled(calls);
  return results.map((result) => (result.status === 'fulfilled' ? 'done' : result.reason.code)).sort();
}

test('events are derived from live keys and from test keys that may expire, without other attributes', async () => {
  const notAfter = new Date(NOW.getTime() + DAY_MS).toISOString();
  const live = await create('till', { addressRanges: ['203.0.113.7'] });
  const revoked = await create('counter');
  await keys.revokeApiKey(revoked.row);
  const expiring = await create('till', { env: 'test', notAfter });
  await create('shop', { env: 'test' });
  await keys.revokeApiKey((await create('kiosk', { env: 'test', notAfter })).row);

  const observed = await keys.listObservedKeys(organisationId);
  const shared = { organisationId, env: 'live', status: 'ACTIVE', label: 'till' };
  const partOf = ({ hash, lastFour }: ApiKey) => ({ hash, lastFour });
  expect(observed).toHaveLength(3);
  expect(new Set(observed)).toEqual(
    new Set([
      { ...shared, ...partOf(live.row) },
      { ...shared, ...partOf(revoked.row), label: 'counter', status: 'REVOKED' },
      { ...shared, ...partOf(expiring.row), env: 'test', notAfter },
    ]),
  );
});

describe('the limits on API keys', () => {
  test('allow two keys with the same label in each environment, besides keys with other labels', async () => {
    await create('till');
    await create('till');
    await expect(create('till')).rejects.toMatchObject({
      code: 'LABEL_TAKEN',
      message: 'Two live keys with the label "till" are already active. Revoke one of them first.',
    });
    await create('till', { env: 'test' });
    await create('counter');

    expect(await active()).toHaveLength(4);
  });

  test('do not count revoked and expired keys', async () => {
    const { row } = await create('till');
    await keys.revokeApiKey(row);
    await create('till', { notAfter: new Date(NOW.getTime() - 1).toISOString() });
    await create('till');
    await create('till');

    expect(await active()).toHaveLength(2);
  });

  test('hold when ten keys with one label are created at once', async () => {
    const codes = new Set(await outcomes(Array.from({ length: 10 }, () => create('raced'))));

    expect([...codes].filter((code) => !['done', 'LABEL_TAKEN', 'CHANGED_MEANWHILE'].includes(code))).toEqual(
      [],
    );
    expect((await active()).length).toBeGreaterThan(0);
    expect((await active()).length).toBeLessThanOrEqual(2);
  });

  test('allow an organisation at most 50 active keys', async () => {
    for (let index = 0; index < 50; index += 1) await create(`key ${index}`);
    await expect(create('one more')).rejects.toMatchObject({ code: 'KEY_LIMIT_REACHED' });
    const [first] = await active();
    if (first)
      await expect(rotateApiKey(keys, first, 0, NOW)).rejects.toMatchObject({ code: 'KEY_LIMIT_REACHED' });

    expect(await active()).toHaveLength(50);
    await create('other environment', { env: 'test' });
  });

  test('allow an organisation to create at most 100 keys in 24 hours, including revoked ones', async () => {
    for (let index = 0; index < 100; index += 1) await keys.revokeApiKey((await create('till')).row);
    await expect(create('till')).rejects.toMatchObject({
      code: 'KEY_LIMIT_REACHED',
      message: expect.stringContaining('100 keys within 24 hours'),
    });
    const wanted = { organisationId, env: 'live', label: 'till' } as const;
    await create('till', { env: 'test' });
    const tomorrow = new Date(NOW.getTime() + DAY_MS);

    expect((await createApiKey(keys, wanted, tomorrow)).row.label).toBe('till');
  });

  test('count each organisation separately', async () => {
    await create('till');
    await create('till');
    const other = { organisationId: randomBase62(10), env: 'live', label: 'till' } as const;

    expect((await createApiKey(keys, other, NOW)).row.label).toBe('till');
  });
});

describe('a rotation', () => {
  test('stores the new key and the expiry of the old one together, each with its audit record', async () => {
    const limits = { scopes: ['verify:*'], addressRanges: ['203.0.113.0/24'], createdBy: 'first' };
    const { row: old } = await create('till', {
      ...limits,
      notAfter: new Date(NOW.getTime() + 90 * DAY_MS).toISOString(),
    });
    changes.length = 0;
    const now = new Date(NOW.getTime() + 10 * DAY_MS);
    const { row } = await rotateApiKey(keys, old, 3600, now, 'second');

    const rows = await keys.listApiKeys(organisationId);
    const notAfter = new Date(now.getTime() + HOUR_MS).toISOString();
    const ended = { ...old, notAfter, replacedAt: now.toISOString() };
    expect(new Set(rows)).toEqual(new Set([ended, row]));
    expect(row).toMatchObject({ label: 'till', ...limits, createdBy: 'second' });
    expect(row.notAfter).toBe(new Date(now.getTime() + 90 * DAY_MS).toISOString());
    expect(changes).toMatchObject([
      { organisationId, target: `live key ${row.hash.slice(0, 12)}`, after: { label: 'till' } },
      {
        organisationId,
        target: `live key ${old.hash.slice(0, 12)}`,
        before: { label: 'till', notAfter: old.notAfter },
        after: { label: 'till', notAfter },
      },
    ]);
    expect(JSON.stringify(changes)).not.toContain(row.hash);
  });

  test('does not extend the life of a key that expires within the grace period', async () => {
    const notAfter = new Date(NOW.getTime() + 1000).toISOString();
    const { row: old } = await create('till', { notAfter });
    await rotateApiKey(keys, old, 3600, NOW);

    expect(await active()).toContainEqual({ ...old, replacedAt: NOW.toISOString() });
  });

  test('happens once if five people rotate the same key at once', async () => {
    const { row: old } = await create('till');
    const codes = await outcomes(Array.from({ length: 5 }, () => rotateApiKey(keys, old, 3600, NOW)));

    expect(codes).toEqual([...Array(4).fill('KEY_NOT_ACTIVE'), 'done']);
    expect((await active()).filter(inADay)).toHaveLength(1);
  });

  test.each([1, 2, 3])('never revives a key that is revoked at the same time (attempt %i)', async () => {
    const { row: old } = await create('till');
    const [rotated, revoked] = await Promise.allSettled([
      rotateApiKey(keys, old, 3600, NOW),
      keys.revokeApiKey(old),
    ]);

    expect(revoked).toEqual({ status: 'fulfilled', value: true });
    const rows = await keys.listApiKeys(organisationId);
    expect(rows.find(({ hash }) => hash === old.hash)).toMatchObject({ status: 'REVOKED' });
    expect(rows).toHaveLength(rotated.status === 'fulfilled' ? 2 : 1);
    if (rotated.status === 'rejected') expect(rotated.reason).toMatchObject({ code: 'KEY_NOT_ACTIVE' });
  });

  test('of a key that was revoked or replaced, or that never existed, is rejected', async () => {
    const { row: revoked } = await create('revoked');
    await keys.revokeApiKey(revoked);
    const { row: replaced } = await create('replaced');
    await rotateApiKey(keys, replaced, 3600, NOW);
    const before = await keys.listApiKeys(organisationId);

    for (const key of [revoked, replaced, { ...revoked, hash: 'f'.repeat(64) }])
      await expect(rotateApiKey(keys, key, 3600, NOW)).rejects.toMatchObject({ code: 'KEY_NOT_ACTIVE' });
    expect(new Set(await keys.listApiKeys(organisationId))).toEqual(new Set(before));
  });
});

describe('a revocation', () => {
  test('happens once and never creates a key', async () => {
    const { row } = await create('till');
    const calls = Array.from({ length: 3 }, () => keys.revokeApiKey(row));

    expect((await Promise.all(calls)).filter(Boolean)).toHaveLength(1);
    expect(await keys.revokeApiKey({ ...row, hash: 'f'.repeat(64) })).toBe(false);
    expect(await keys.listApiKeys(organisationId)).toEqual([{ ...row, status: 'REVOKED' }]);
  });
});
