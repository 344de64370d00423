import { beforeEach, describe, expect, test } from '@jest/globals';
import { DAY_MS } from '../../../shared/core/clock.ts';
import type { Resolve } from '../../../shared/core/public-address.ts';
import { checkAddress, parseAddress } from '../../../shared/webhooks/address.ts';
import {
  addEndpoint,
  deleteEndpoint,
  rotateSecret,
  updateEndpoint,
} from '../../../shared/webhooks/manage-endpoints.ts';
import { CHOICE, LIVE, memoryWebhooks, TEST } from '../../support/webhooks/memory-webhooks.ts';

/** Webhook endpoints: what members may do with them, and the addresses that they may have. */

const code = (expected: string) => expect.objectContaining({ code: expected });
let changes: unknown[] = [];
let hooks: ReturnType<typeof memoryWebhooks>;
beforeEach(() => {
  changes = [];
  hooks = memoryWebhooks({
    record(...found) {
      changes.push(...found);
      return [];
    },
  });
});

describe('an endpoint', () => {
  test('is stored without its secret, which is returned once', async () => {
    const { endpoint, secret } = await hooks.add();
    const stored = await hooks.endpoints.listEndpoints(LIVE);
    expect(stored).toEqual([endpoint]);
    expect(endpoint).toMatchObject({ ...CHOICE, ...LIVE, state: 'ENABLED', version: 1 });
    expect(JSON.stringify(stored)).not.toContain(secret.slice('whsec_'.length));
  });

  test('cannot be seen in the other environment or by another organisation', async () => {
    const { endpoint } = await hooks.add();
    const other = { ...LIVE, organisationId: 'ORG0000002' };
    expect(await hooks.endpoints.listEndpoints(TEST)).toEqual([]);
    expect(await hooks.endpoints.listEndpoints(other)).toEqual([]);
    for (const owner of [TEST, other])
      await expect(updateEndpoint(owner, endpoint.id, CHOICE, hooks.manage)).rejects.toEqual(
        code('RESOURCE_NOT_FOUND'),
      );
  });

  test('is one of at most five in an environment, even if several are added at the same time', async () => {
    const added = await Promise.allSettled(Array.from({ length: 8 }, () => hooks.add()));
    for (let attempts = 0; attempts < 8; attempts += 1) await hooks.add().catch(() => undefined);
    expect(added.some(({ status }) => status === 'fulfilled')).toBe(true);
    expect(await hooks.endpoints.listEndpoints(LIVE)).toHaveLength(5);
    await expect(hooks.add()).rejects.toEqual(code('ENDPOINT_LIMIT_REACHED'));
    await hooks.add(TEST);
  });

  test('that is deleted stays visible, makes room for another, and cannot be changed', async () => {
    const rows = [];
    for (let count = 0; count < 5; count += 1) rows.push((await hooks.add()).endpoint);
    const id = rows[0]?.id ?? '';
    await deleteEndpoint(LIVE, id, hooks.manage);
    await hooks.add();
    const listed = await hooks.endpoints.listEndpoints(LIVE);
    expect(listed).toHaveLength(6);
    expect(listed.find((one) => one.id === id)).toMatchObject({ state: 'DELETED' });
    expect(listed.find((one) => one.id === id)?.expiresAt).toBeGreaterThan(hooks.world.nowMs / 1000);
    await expect(updateEndpoint(LIVE, id, { ...CHOICE, isEnabled: true }, hooks.manage)).rejects.toEqual(
      code('RESOURCE_NOT_FOUND'),
    );
  });

  test('can be disabled and enabled again', async () => {
    const { endpoint } = await hooks.add();
    expect(
      await updateEndpoint(LIVE, endpoint.id, { ...CHOICE, isEnabled: false }, hooks.manage),
    ).toMatchObject({
      state: 'DISABLED',
      disabledBecause: 'MEMBER',
    });
    const enabled = await updateEndpoint(LIVE, endpoint.id, { ...CHOICE, isEnabled: true }, hooks.manage);
    expect(enabled).toMatchObject({ state: 'ENABLED', version: 3 });
    expect((await hooks.endpoints.getEndpoint(LIVE, endpoint.id))?.disabledBecause).toBeUndefined();
  });

  test('cannot be added for 30 days after 50 were added and deleted', async () => {
    for (let count = 0; count < 50; count += 1) {
      const { endpoint } = await hooks.add();
      await deleteEndpoint(LIVE, endpoint.id, hooks.manage);
    }
    await expect(hooks.add()).rejects.toThrow('has deleted too many webhook endpoints');
    expect(await hooks.endpoints.listEndpoints(LIVE)).toHaveLength(50);
    await hooks.add(TEST);
  });

  test('that is disabled counts as one of the five', async () => {
    const { endpoint } = await hooks.add();
    await updateEndpoint(LIVE, endpoint.id, { ...CHOICE, isEnabled: false }, hooks.manage);
    for (let count = 1; count < 5; count += 1) await hooks.add();
    await expect(hooks.add()).rejects.toEqual(code('ENDPOINT_LIMIT_REACHED'));
  });

  test('whose host name no longer exists can still be disabled, but not be changed to another address', async () => {
    const { endpoint } = await hooks.add();
    const missing = Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
    const resolve: Resolve = (_, __, done) => done(missing, []);
    const deps = { ...hooks.manage, rules: { allowLocal: false, resolve } };
    const disabled = await updateEndpoint(LIVE, endpoint.id, { ...CHOICE, isEnabled: false }, deps).catch(
      (error: unknown) => error,
    );
    expect(disabled).toMatchObject({ state: 'DISABLED' });
    const changed = { ...CHOICE, url: 'https://other.example.com/' };
    await expect(updateEndpoint(LIVE, endpoint.id, changed, deps)).rejects.toEqual(code('INVALID_SCHEMA'));
  });

  test('has a new secret after a rotation', async () => {
    const { endpoint, secret } = await hooks.add();
    const rotated = await rotateSecret(LIVE, endpoint.id, hooks.manage);
    expect(rotated.secret).not.toBe(secret);
    expect(await hooks.endpoints.getEndpoint(LIVE, endpoint.id)).toMatchObject({
      secret: { version: 2 },
      previousSecret: { version: 1, untilMs: hooks.world.nowMs + DAY_MS },
    });
  });

  test('is added once and rotated once even if the response to the write is lost', async () => {
    const { insertEndpoint, changeEndpoint } = hooks.endpoints;
    // The write is applied. The client sends it again, and its condition fails.
    const lossy = {
      ...hooks.manage,
      endpoints: {
        ...hooks.endpoints,
        insertEndpoint: async (...args: Parameters<typeof insertEndpoint>) => {
          await insertEndpoint(...args);
          return insertEndpoint(...args);
        },
        changeEndpoint: async (...args: Parameters<typeof changeEndpoint>) => {
          await changeEndpoint(...args);
          return changeEndpoint(...args);
        },
      },
    };
    const { endpoint, secret } = await addEndpoint(LIVE, CHOICE, lossy);
    expect(await hooks.endpoints.listEndpoints(LIVE)).toEqual([endpoint]);
    const rotated = await rotateSecret(LIVE, endpoint.id, lossy);
    expect(rotated.endpoint).toMatchObject({ secret: { version: 2 }, previousSecret: { version: 1 } });
    expect(rotated.secret).not.toBe(secret);
  });

  test('leaves neither the path and query of its address nor its secret in the audit trail', async () => {
    const { endpoint, secret } = await hooks.add();
    await updateEndpoint(
      LIVE,
      endpoint.id,
      { ...CHOICE, url: 'https://other.example.com/p?key=xyz' },
      hooks.manage,
    );
    await updateEndpoint(
      LIVE,
      endpoint.id,
      { ...CHOICE, url: 'https://other.example.com/p?key=xyz2' },
      hooks.manage,
    );
    await rotateSecret(LIVE, endpoint.id, hooks.manage);
    expect(changes).toMatchObject([
      { target: `live webhook ${endpoint.id} at hooks.example.com`, after: { host: 'hooks.example.com' } },
      { before: { host: 'hooks.example.com' }, after: { host: 'other.example.com' } },
      { before: {}, after: { changed: ['path'] } },
      { before: { secret_version: 1 }, after: { secret_version: 2 } },
    ]);
    for (const secretPart of ['token', 'abc', 'xyz', secret])
      expect(JSON.stringify(changes)).not.toContain(secretPart);
  });

  test('needs at least one event and keeps each once', async () => {
    await expect(hooks.add(LIVE, { ...CHOICE, eventTypes: [] })).rejects.toEqual(code('INVALID_SCHEMA'));
    const twice = { ...CHOICE, eventTypes: ['key.expiring', 'balance.low', 'key.expiring'] as const };
    expect((await hooks.add(LIVE, twice)).endpoint.eventTypes).toEqual(['balance.low', 'key.expiring']);
  });
});

describe('the address of an endpoint', () => {
  test.each([
    'https://example.com',
    'https://example.com/hooks?token=1',
    'https://example.com:8443/',
    'https://example.com:1024/',
    'https://xn--bcher-kva.example.com/',
  ])('may be %s', (text) => {
    expect(parseAddress(text, { allowLocal: false })).toBeInstanceOf(URL);
  });

  test.each([
    ['http://example.com', 'The address must begin with https://.'],
    ['ftp://example.com', 'Enter a complete address, such as https://example.com/webhooks.'],
    ['example.com', 'Enter a complete address, such as https://example.com/webhooks.'],
    ['https://intranet', 'Enter a complete address, such as https://example.com/webhooks.'],
    ['https://example.com.', 'Enter a complete address, such as https://example.com/webhooks.'],
    [
      'https://user:word@example.com',
      'The address must not contain a user name, a password or a fragment (#).',
    ],
    ['https://example.com/#part', 'The address must not contain a user name, a password or a fragment (#).'],
    ['https://8.8.8.8/', 'The address must contain a host name, not an IP address.'],
    ['https://0x7f.1/', 'The address must contain a host name, not an IP address.'],
    ['https://[2001:4860:4860::8888]/', 'The address must contain a host name, not an IP address.'],
    ['https://example.com:22/', 'The port must be 443, or from 1024 to 65535.'],
    ['https://localhost/', 'Enter a complete address, such as https://example.com/webhooks.'],
    ['https://127.0.0.1/', 'The address must contain a host name, not an IP address.'],
    [`https://example.com/${'a'.repeat(1_000)}`, 'The address must have at most 1000 characters.'],
  ])('may not be %s', (text, problem) => {
    expect(parseAddress(text, { allowLocal: false })).toBe(problem);
  });

  test('may be a loopback address only in the local stage, and never another private address', () => {
    expect(parseAddress('http://127.0.0.1:9/', { allowLocal: true })).toBeInstanceOf(URL);
    expect(parseAddress('http://10.0.0.1/', { allowLocal: true })).toEqual(expect.any(String));
    expect(parseAddress('http://169.254.169.254/', { allowLocal: true })).toEqual(expect.any(String));
  });

  const resolvesTo =
    (...addresses: string[]): Resolve =>
    (_, __, done) =>
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
  const missing: Resolve = (_, __, done) =>
    done(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), []);

  test.each([
    '10.1.2.3',
    '172.16.0.1',
    '192.168.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.127.255.255',
    '0.0.0.0',
    '::1',
    'fd00::1',
    'fe80::1',
    '::ffff:8.8.8.8',
    '64:ff9b::a00:1',
    '2002:a00:1::',
    '8.8.8.8 and 10.0.0.1',
  ])('S90: an endpoint address that leads to an internal system: %s', async (addresses) => {
    const resolve = resolvesTo(...addresses.split(' and '));
    expect(await checkAddress('https://example.com', { allowLocal: false, resolve })).toBe(
      'The host name resolves to an address that is not public. Use a server that the internet can reach.',
    );
  });

  test('whose host name has only IPv6 addresses is not saved, because Lambda has no IPv6', async () => {
    const resolve = resolvesTo('2001:4860:4860::8888');
    expect(await checkAddress('https://example.com', { allowLocal: false, resolve })).toBe(
      'The host name has only IPv6 addresses, and webhooks are sent over IPv4. Add an A record.',
    );
  });

  test('whose host name resolves to a public address is saved, but not one whose host name does not exist', async () => {
    const rules = { allowLocal: false, resolve: resolvesTo('8.8.8.8', '2001:4860:4860::8888') };
    expect(await checkAddress('https://example.com', rules)).toBeInstanceOf(URL);
    expect(await checkAddress('https://example.com', { allowLocal: false, resolve: missing })).toBe(
      'The host name was not found. Check its spelling, and that its DNS record exists.',
    );
  });
});
