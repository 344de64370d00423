import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accountTable } from '../../shared/accounts/account-table.ts';
import { isUsable, readApiKeyText } from '../../shared/accounts/api-key.ts';
import { rateLimitTable } from '../../shared/accounts/rate-limit-table.ts';
import { DAY_MS, HOUR_MS } from '../../shared/core/clock.ts';
import { startTestDeployment, type TestDeployment } from './test-deployment.ts';

interface Key {
  readonly apiKey: string;
  readonly label: string;
  readonly status: string;
  readonly hash: string;
  readonly notAfter?: string;
}

let deployment: TestDeployment;
let id: string;
beforeAll(async () => {
  deployment = await startTestDeployment();
  ({ id } = await deployment.operator.createOrganisation('Harmattan Credit'));
});
afterAll(() => deployment.close());

async function newKey(label: string, env: 'live' | 'test' = 'live'): Promise<string> {
  const { text } = await deployment.operator.createKey({ organisationId: id, env, label });
  return text;
}

/** Returns whether the API would accept the key in its next request. */
async function works(apiKey: string, nowMs = Date.now()): Promise<boolean> {
  const parsed = readApiKeyText(apiKey);
  const accounts = accountTable(deployment.client, deployment.tables.apiKeys);
  const key = parsed && (await accounts.readAccount(parsed)).key;
  return key !== undefined && isUsable(key, nowMs);
}

describe('key create', () => {
  test('prints a working key once; `key list` and `org show` do not print it', async () => {
    const { code, stdout } = await deployment.admin('key', 'create', id, '--env', 'live', '--label', 'shown');
    expect(code).toBe(0);
    const [text = '', empty, hint, expiry] = stdout.split('\n');
    expect(readApiKeyText(text)).toMatchObject({ env: 'live', organisationId: id });
    expect([empty, hint]).toEqual(['', 'The key is not shown again. Store it in a secrets manager now.']);
    const inAYear = new Date(Date.now() + 365 * DAY_MS).toISOString().slice(0, 10);
    expect(expiry).toMatch(new RegExp(`^It expires at ${inAYear}T\\S+Z\\.$`));
    expect(await works(text)).toBe(true);
    const random = text.slice(19, -6);
    for (const args of [
      ['key', 'list', id],
      ['--json', 'key', 'list', id],
      ['--json', 'org', 'show', id],
    ]) {
      expect((await deployment.admin(...args)).stdout).not.toContain(random);
    }
  });

  test('with --json, prints the key with its label, environment, hash and expiry', async () => {
    const made = await deployment.json<Key>(
      'key',
      'create',
      id,
      '--env',
      'test',
      '--label',
      'ci',
      '--expires',
      '30d',
    );
    expect(made).toEqual({
      apiKey: expect.stringMatching(/^idv_test_[0-9A-Za-z]{48}$/),
      label: 'ci',
      env: 'test',
      status: 'ACTIVE',
      lastFour: made.apiKey.slice(-4),
      hash: readApiKeyText(made.apiKey)?.hash,
      createdAt: expect.any(String),
      notAfter: expect.any(String),
    });
    const days = (Date.parse(made.notAfter ?? '') - Date.now()) / DAY_MS;
    expect(days).toBeGreaterThan(29.99);
    expect(days).toBeLessThan(30.01);
  });

  test.each([
    ['a live key expires after 365 days', 'live', [], 365],
    ['a live key never expires only if the operator says so', 'live', ['--expires', 'never'], undefined],
    ['a test key never expires', 'test', [], undefined],
  ])('by default, %s', async (label, env, options, days) => {
    const made = await deployment.json<Key>(
      ...['key', 'create', id, '--env', env, '--label', label.slice(0, 40), ...options],
    );
    const left = made.notAfter && (Date.parse(made.notAfter) - Date.now()) / DAY_MS;
    expect(left && Math.round(left)).toBe(days);
  });

  test('limits the key to scopes and addresses, which a rotation keeps', async () => {
    const limits = ['--scope', 'verify:*', '--scope', 'wallet:read', '--ip', '203.0.113.0/24', '--ip', '::1'];
    const made = await deployment.json<Key>(
      'key',
      'create',
      id,
      '--env',
      'live',
      '--label',
      'narrow',
      ...limits,
    );
    const wanted = { scopes: ['verify:*', 'wallet:read'], addressRanges: ['203.0.113.0/24', '::1'] };
    expect(made).toMatchObject(wanted);
    expect(await deployment.json<Key>('key', 'rotate', id, made.hash)).toMatchObject(wanted);
    const { stdout } = await deployment.admin('key', 'list', id);
    expect(stdout).toMatch(/^narrow .* verify:\* wallet:read 203\.0\.113\.0\/24 ::1$/m);
  });

  test('only with IPv6 addresses is rejected, because the API is not reachable over IPv6', async () => {
    const options = ['--env', 'test', '--label', 'six', '--ip', '2001:db8::/32'];
    const { code, stderr } = await deployment.admin('key', 'create', id, ...options);
    expect(code).toBe(1);
    expect(stderr).toContain('Add an IPv4 address or network');
  });

  test.each([
    ['no environment', ['--label', 'x']],
    ['an unknown environment', ['--env', 'prod', '--label', 'x']],
    ['a label with a line break', ['--env', 'live', '--label', 'a\nb']],
    ['an expiry in the past', ['--env', 'live', '--label', 'x', '--expires', '2020-01-01']],
    ['an expiry without a time zone', ['--env', 'live', '--label', 'x', '--expires', '2999-01-01T00:00']],
    ['an unknown scope', ['--env', 'live', '--label', 'x', '--scope', 'verify:everything']],
    ['an invalid network', ['--env', 'live', '--label', 'x', '--ip', '203.0.113.0/33']],
    ['an expiry that is not a time', ['--env', 'live', '--label', 'x', '--expires', 'soon']],
  ])('%s exits with 2, and no key is created', async (_, options) => {
    const before = await deployment.operator.listKeys(id);
    const { code, stdout } = await deployment.admin('key', 'create', id, ...options);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(await deployment.operator.listKeys(id)).toEqual(before);
  });
});

describe('key list', () => {
  test('shows when and from which network each key was last used, to the minute', async () => {
    const hash = readApiKeyText(await newKey('used'))?.hash ?? '';
    await newKey('unused');
    const usedAtMs = Date.parse('2026-11-21T12:34:56Z');
    const request = {
      keyHash: hash,
      rows: { key: {}, organisation: {} },
      rate: { perSecond: 10, burst: 20 },
    };
    await rateLimitTable(deployment.client, deployment.tables.apiKeys).take(
      { ...request, isLiveLookUp: true, network: '203.0.113.0/24' },
      () => usedAtMs,
    );
    const { stdout } = await deployment.admin('key', 'list', id);
    const views = await deployment.json<(Key & { lastUsed?: string; lastNetwork?: string })[]>(
      'key',
      'list',
      id,
    );

    expect(stdout).toMatch(/^used .* 2026-11-21T12:34Z +203\.0\.113\.0\/24 +none$/m);
    expect(stdout).toMatch(/^unused .* never +none$/m);
    expect(views.find((key) => key.hash === hash)).toMatchObject({
      lastUsed: '2026-11-21T12:34Z',
      lastNetwork: '203.0.113.0/24',
    });
    expect(views.find(({ label }) => label === 'unused')).not.toHaveProperty('lastUsed');
  });
});

describe('key rotate', () => {
  test('creates a key with the same label; the old key works for the grace period and no longer', async () => {
    const old = await newKey('rotated');
    const made = await deployment.json<Key>('key', 'rotate', id, 'rotated', '--grace', '1h');
    expect(made).toMatchObject({ label: 'rotated', status: 'ACTIVE', replaces: readApiKeyText(old)?.hash });
    expect(await works(made.apiKey)).toBe(true);
    expect(await works(old)).toBe(true);
    expect(await works(old, Date.now() + HOUR_MS)).toBe(false);
    expect(await works(made.apiKey, Date.now() + HOUR_MS)).toBe(true);
  });

  test('without --grace the old key works for 24 hours', async () => {
    const old = await newKey('default grace');
    const { stdout } = await deployment.admin('key', 'rotate', id, 'default grace');
    expect(stdout).toContain(`The old key (ends in ${old.slice(-4)}) still works for 24h.`);
    expect(stdout).toContain('\nIt never expires.\nThe old key');
    expect(await works(old, Date.now() + 23.9 * HOUR_MS)).toBe(true);
    expect(await works(old, Date.now() + DAY_MS)).toBe(false);
  });

  test('does not extend the life of an old key that expires within the grace period, and says when it expires', async () => {
    const notAfter = new Date(Date.now() + HOUR_MS).toISOString();
    const label = 'expires first';
    const { text: old } = await deployment.operator.createKey({
      organisationId: id,
      env: 'live',
      label,
      notAfter,
    });
    const { stdout } = await deployment.admin('key', 'rotate', id, label);
    expect(stdout).toContain(
      `The old key (ends in ${old.slice(-4)}) still works until it expires at ${notAfter.slice(0, 19)}Z.`,
    );
    expect(await works(old, Date.now() + HOUR_MS)).toBe(false);
  });

  test('--grace 0 asks for confirmation, and ends the old key at once', async () => {
    const old = await newKey('leaked');
    const rejected = await deployment.admin('key', 'rotate', id, 'leaked', '--grace', '0');
    expect(rejected.code).toBe(2);
    expect(rejected.stdout).toBe('');
    expect(await works(old)).toBe(true);
    const made = await deployment.json<Key>('--yes', 'key', 'rotate', id, 'leaked', '--grace', '0');
    expect(await works(old)).toBe(false);
    expect(await works(made.apiKey)).toBe(true);
  });

  test('an unsupported grace period exits with 2', async () => {
    await newKey('kept');
    expect((await deployment.admin('key', 'rotate', id, 'kept', '--grace', '90d')).code).toBe(2);
  });
});

describe('key revoke', () => {
  test('without a terminal and without --yes, exits with 2 and revokes nothing', async () => {
    const key = await newKey('asked');
    expect(await deployment.admin('key', 'revoke', id, 'asked')).toEqual({
      code: 2,
      stdout: '',
      stderr: `Revoke the live key "asked" (ends in ${key.slice(-4)})? It will never work again. Confirmation is required, but there is no terminal: pass \`--yes\`.\n`,
    });
    expect(await works(key)).toBe(true);
  });

  test.each([
    ['its label', 'by label', (_: string) => 'by label'],
    ['the first characters of its hash', 'by hash', (key: string) => hashOf(key).slice(0, 12)],
    ['its full text', 'by text', (key: string) => key],
  ])('a key selected by %s is rejected from the next request on', async (_, label, nameOf) => {
    const key = await newKey(label);
    const { code, stdout, stderr } = await deployment.admin('--yes', 'key', 'revoke', id, nameOf(key));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(`Revoked the live key "${label}" (ends in ${key.slice(-4)}).\n`);
    expect(await works(key)).toBe(false);
  });

  test('a label of two active keys is rejected, and their hashes are listed; --env selects one', async () => {
    const live = await newKey('both', 'live');
    const inTest = await newKey('both', 'test');
    const { code, stderr } = await deployment.admin('--yes', 'key', 'revoke', id, 'both');
    expect(code).toBe(1);
    expect(stderr).toContain(hashOf(live).slice(0, 12));
    expect(stderr).toContain(hashOf(inTest).slice(0, 12));
    await deployment.json('--yes', 'key', 'revoke', id, 'both', '--env', 'test');
    expect(await works(inTest)).toBe(false);
    expect(await works(live)).toBe(true);
  });

  test('a key that is already revoked cannot be revoked again', async () => {
    const key = await newKey('gone');
    await deployment.json('--yes', 'key', 'revoke', id, 'gone');
    const { code, stderr } = await deployment.admin('--yes', 'key', 'revoke', id, hashOf(key));
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'No active key matches. `key list` shows which keys are revoked or expired.\n',
    });
  });

  test('a mistyped or misplaced API key never appears in an error', async () => {
    const key = await newKey('secret');
    const misplaced = [
      ['--yes', 'key', 'revoke', id, `${key}x`],
      ['--yes', 'key', 'revoke', 'aaaaaaaaaa', key],
      ['key', 'list', key],
      ['key', 'create', id, '--env', 'live', '--label', key],
      [key],
    ];
    for (const args of misplaced) {
      const { code, stdout, stderr } = await deployment.admin(...args);
      expect(code).not.toBe(0);
      expect(stdout + stderr).not.toContain(key.slice(19, -6));
    }
    expect(await works(key)).toBe(true);
  });
});

test('key list shows the status of each key, but not the key itself', async () => {
  const { id: other } = await deployment.operator.createOrganisation('Baobab Lending');
  const made = await deployment.json<Key>('key', 'create', other, '--env', 'live', '--label', 'first');
  await deployment.json(
    'key',
    'create',
    other,
    '--env',
    'test',
    '--label',
    'second',
    '--expires',
    '2999-01-01',
  );
  await deployment.json('--yes', 'key', 'revoke', other, 'first');
  const listed = await deployment.json<Key[]>('key', 'list', other);
  expect(listed.map(({ label, status, notAfter }) => ({ label, status, notAfter }))).toEqual([
    { label: 'first', status: 'REVOKED', notAfter: made.notAfter },
    { label: 'second', status: 'ACTIVE', notAfter: '2999-01-01T00:00:00.000Z' },
  ]);
  expect(listed[0]).not.toHaveProperty('apiKey');
  const { stdout } = await deployment.admin('key', 'list', other);
  expect(stdout).toMatch(/^LABEL +ENV +STATUS +ENDS IN +HASH +CREATED +EXPIRES +LAST USED +FROM +LIMITS$/m);
  expect(stdout).toMatch(
    new RegExp(
      `^first +live +REVOKED +${made.apiKey.slice(-4)} +${made.hash.slice(0, 12)} .* ${made.notAfter?.slice(0, 19)}Z +never +none$`,
      'm',
    ),
  );
});

function hashOf(apiKey: string): string {
  return readApiKeyText(apiKey)?.hash ?? '';
}
