import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { changesOf, type EditInput } from '../../../clients/console/src/key-dialogs/key-input.ts';
import { type ApiKey, readApiKeyText } from '../../../shared/accounts/api-key.ts';
import { apiKeyTable } from '../../../shared/accounts/api-key-table.ts';
import { createKeyBody, rotateKeyBody, updateKeyBody } from '../../../shared/accounts/console/bodies.ts';
import {
  createKey,
  type KeyDependencies,
  listKeys,
  readKeys,
  revokeKey,
  rotateKey,
  updateKey,
} from '../../../shared/accounts/console/keys.ts';
import type { KeysView, NewKeyView } from '../../../shared/accounts/console/views.ts';
import { keyUsageTable } from '../../../shared/accounts/key-usage-table.ts';
import type { Organisation } from '../../../shared/accounts/organisation.ts';
import { rateLimitTable } from '../../../shared/accounts/rate-limit-table.ts';
import { DAY_MS } from '../../../shared/core/clock.ts';
import type { Role } from '../../../shared/core/member-role.ts';
import type { SendMail } from '../../../shared/members/mail.ts';
import { memberTable } from '../../../shared/members/member-table.ts';
import { consoleRoute } from '../../../shared/members/middleware/console-route.ts';
import type { Person } from '../../../shared/members/rows.ts';
import { type CapturedOutput, captureOutput } from '../../support/captured-output.ts';
import {
  type Browser,
  type MemoryConsole,
  memoryConsole,
  ORIGIN,
} from '../../support/console/memory-console.ts';

/** API keys in the console: who may change which keys, what is rejected, and where a key's text must not appear. */

let service: MemoryConsole;
let deps: KeyDependencies;
let sendMail: jest.Mock<SendMail>;
let output: CapturedOutput;
let organisation: Organisation;
beforeEach(() => {
  process.env['CONSOLE_URL'] = ORIGIN;
  service = memoryConsole();
  deps = {
    keys: (recorder) => apiKeyTable(service.client, 'ApiKeys', recorder),
    usage: keyUsageTable(service.client, 'ApiKeys'),
    members: memberTable(service.client, 'Console'),
  };
  sendMail = jest.fn(async () => undefined);
  output = captureOutput();
  organisation = service.newOrganisation({ status: 'APPROVED' });
});
afterEach(() => {
  output.restore();
  jest.restoreAllMocks();
});

interface Member {
  readonly person: Person;
  readonly browser: Browser;
}

function member(role: Role, of: Organisation = organisation): Member {
  const person = service.newPerson({ name: `Ngozi the ${role}` });
  service.newMember(person, of, role);
  return { person, browser: service.newSession(person, of) };
}

const BODY = { env: 'test', label: 'till', scopes: null, addresses: null, expires_in_days: null } as const;

const list = ({ browser }: Member) =>
  service.send(
    consoleRoute('list-keys', listKeys(deps), { prefetch: readKeys(deps) }, service.deps),
    'list-keys',
    browser,
  );
const create = ({ browser }: Member, body: object = {}) =>
  service.send(
    consoleRoute('create-key', createKey(deps, sendMail), { body: createKeyBody }, service.deps),
    'create-key',
    browser,
    { body: { ...BODY, ...body } },
  );
const LIMITS = { label: 'till', scopes: null, addresses: null };
/** The input of the dialog before it is edited. */
const EDITED: EditInput = {
  env: 'test',
  label: 'till',
  permissions: 'chosen',
  scopes: ['wallet:read'],
  addresses: '203.0.113.7',
  expires_in_days: undefined,
  before: { label: 'till', scopes: ['wallet:read'], addresses: ['203.0.113.7'] },
};
const edit = ({ browser }: Member, id: string, body: object = {}) =>
  service.send(
    consoleRoute(
      'update-key',
      updateKey(deps, sendMail),
      { body: updateKeyBody, prefetch: readKeys(deps) },
      service.deps,
    ),
    'update-key',
    browser,
    { body: { ...LIMITS, ...body }, pathParameters: { id } },
  );
const rotate = ({ browser }: Member, id: string, hours: unknown = 1) =>
  service.send(
    consoleRoute(
      'rotate-key',
      rotateKey(deps, sendMail),
      { body: rotateKeyBody, prefetch: readKeys(deps) },
      service.deps,
    ),
    'rotate-key',
    browser,
    { body: { grace_hours: hours }, pathParameters: { id } },
  );
const revoke = ({ browser }: Member, id: string) =>
  service.send(
    consoleRoute('revoke-key', revokeKey(deps, sendMail), { prefetch: readKeys(deps) }, service.deps),
    'revoke-key',
    browser,
    { body: {}, pathParameters: { id } },
  );

const keysOf = ({ id }: Organisation = organisation): Promise<ApiKey[]> => deps.keys().listApiKeys(id);
const newKey = async (who: Member, body: object = {}): Promise<NewKeyView> =>
  (await create(who, body)).json.data;

/** Asserts that the call changes no key and records nothing. */
async function expectNoChange(call: () => Promise<unknown>): Promise<void> {
  const before = [await keysOf(), service.auditEntries()];
  await call();
  expect([await keysOf(), service.auditEntries()]).toEqual(before);
}

describe('a new live key', () => {
  test('is one of 30 emails a day that a person causes. Beyond them, keys are revoked without one, and test keys created', async () => {
    const owner = member('owner');
    const later = () => {
      service.clock.nowMs += 1_000;
      return owner;
    };
    const keys = [];
    for (let count = 1; count <= 28; count += 1)
      keys.push((await newKey(later(), { env: 'live', label: `till ${count}` })).key);
    const [first, second, third] = keys;
    expect((await rotate(later(), first?.id ?? '')).status).toBe(200);
    expect((await revoke(later(), second?.id ?? '')).status).toBe(200);
    expect(sendMail).toHaveBeenCalledTimes(30);
    await expectNoChange(async () => {
      expect(await create(later(), { env: 'live', label: 'one more' })).toMatchObject({ status: 429 });
      expect(await rotate(later(), third?.id ?? '')).toMatchObject({ status: 429 });
    });
    expect((await revoke(later(), third?.id ?? '')).json.data.status).toBe('revoked');
    expect((await create(later())).status).toBe(200);
    expect(sendMail).toHaveBeenCalledTimes(30);
  });

  test('is named in an email to every owner, as are its replacement and its end, and test keys are not', async () => {
    const [owner, admin] = [member('owner'), member('admin')];
    await revoke(owner, (await newKey(owner, { label: 'trial' })).key.id);
    expect(sendMail).not.toHaveBeenCalled();
    const { key } = await newKey(admin, { env: 'live', label: 'till' });
    await rotate(admin, key.id);
    await revoke(admin, key.id);
    expect(sendMail.mock.calls.map(([{ to, subject }]) => [to, subject])).toEqual(
      ['created', 'replaced', 'revoked'].map((change) => [
        owner.person.email,
        `A change to your organisation: the live API key "till" was ${change}`,
      ]),
    );
    const [created, replaced] = sendMail.mock.calls.map(([{ text }]) => text);
    expect(created).toContain(
      'the live API key "till" was created in the organisation "Harmattan" by "Ngozi the admin".',
    );
    expect(replaced).toContain('the live API key "till" was replaced');
    for (const text of [created, replaced]) expect(text).not.toContain('idv_live_');
  });

  test('is created even if the email cannot be sent', async () => {
    const owner = member('owner');
    sendMail.mockRejectedValue(new Error('SES is not available.'));
    expect((await create(owner, { env: 'live' })).status).toBe(200);
    expect(await keysOf()).toHaveLength(1);
  });
});

describe('a new key', () => {
  test('is shown once, is stored with its limits, and names the member who created it', async () => {
    const developer = member('developer');
    const scopes = ['verify:nin-basic', 'wallet:read'];
    const limits = { scopes, addresses: ['203.0.113.0/24', '::1'], expires_in_days: 30 };
    const { status, json, headers } = await create(developer, limits);
    const { key, text } = json.data as NewKeyView;

    expect([status, headers['Cache-Control']]).toEqual([200, 'no-store']);
    const expires_at = new Date(service.clock.nowMs + 30 * DAY_MS).toISOString();
    expect(key).toEqual({
      id: readApiKeyText(text)?.hash.slice(0, 12),
      env: 'test',
      label: 'till',
      ending: text.slice(-4),
      status: 'active',
      created_at: new Date(service.clock.nowMs).toISOString(),
      created_by: 'Ngozi the developer',
      last_used_at: null,
      last_network: null,
      expires_at,
      scopes,
      addresses: limits.addresses,
    });
    expect(readApiKeyText(text)?.organisationId).toBe(organisation.id);
    expect(await keysOf()).toMatchObject([
      {
        hash: readApiKeyText(text)?.hash,
        createdBy: developer.person.id,
        notAfter: expires_at,
        scopes,
        addressRanges: limits.addresses,
      },
    ]);
    expect((await list(developer)).json?.data.keys).toEqual([key]);
  });

  test('never appears in a log line, a row or another response', async () => {
    const owner = member('owner');
    const created = await newKey(owner, { env: 'live' });
    const rotated = (await rotate(owner, created.key.id)).json.data as NewKeyView;
    const others = [
      await list(owner),
      await revoke(owner, rotated.key.id),
      await create(owner, { label: '' }),
    ];

    expect(output.both).toContain('console-create-key');
    for (const { text } of [created, rotated]) {
      const random = text.slice(19, -6);
      expect(random).toHaveLength(32);
      expect(output.both).not.toContain(random);
      expect(JSON.stringify(service.writes)).not.toContain(random);
      expect(JSON.stringify(others)).not.toContain(random);
    }
  });

  test('is recorded with the member, their address and the request', async () => {
    const admin = member('admin');
    const { json } = await create(admin, { env: 'live' });

    expect(service.auditEntries()).toMatchObject([
      {
        organisationId: organisation.id,
        actor: `member:${admin.person.id}`,
        action: 'key create',
        target: `live key ${json?.data.key.id}`,
        address: '203.0.113.7',
        requestId: json?.meta.request_id,
        after: { label: 'till', status: 'ACTIVE', env: 'live' },
      },
    ]);
  });

  test.each([
    ['an unknown environment', { env: 'prod' }, 'env'],
    ['an empty label', { label: '' }, 'label'],
    ['a label with markup', { label: '<b>till</b>' }, 'label'],
    ['a label with a line break', { label: 'a\nb' }, 'label'],
    ['an API key as its label', { label: 'idv_live_abcdefghij' }, 'label'],
    ['a label of 51 characters', { label: 'x'.repeat(51) }, 'label'],
    ['an unknown scope', { scopes: ['verify:everything'] }, 'scopes.0'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['a string instead of scopes', { scopes: 'verify:*' }, 'scopes'],
    ['an invalid network', { addresses: ['203.0.113.7', '203.0.113.0/33'] }, 'addresses.1'],
    ['the network of all addresses', { addresses: ['0.0.0.0/0'] }, 'addresses.0'],
    ['only IPv6 addresses, which no domain of the API has', { addresses: ['2001:db8::/32'] }, 'addresses'],
    ['21 addresses', { addresses: Array(21).fill('203.0.113.7') }, 'addresses'],
    ['an expiry of 0 days', { expires_in_days: 0 }, 'expires_in_days'],
    ['an expiry of 3,651 days', { expires_in_days: 3_651 }, 'expires_in_days'],
    ['an expiry of half a day', { expires_in_days: 0.5 }, 'expires_in_days'],
    ['no field for the expiry', { expires_in_days: undefined }, 'expires_in_days'],
    ['an unknown field', { organisation_id: 'aaaaaaaaaa' }, 'organisation_id'],
  ])('with %s is rejected, and the error names the field', async (_, body, field) => {
    const owner = member('owner');
    await expectNoChange(async () => {
      const { status, json } = await create(owner, body);
      expect([status, json?.code, json?.error?.field]).toEqual([400, 'INVALID_SCHEMA', field]);
      expect(json?.error?.hint).toMatch(/\.$|\?$/);
    });
  });

  test('stores repeated scopes and addresses once', async () => {
    await create(member('owner'), { scopes: ['verify:*', 'verify:*'], addresses: ['10.0.0.1', '10.0.0.1'] });
    expect(await keysOf()).toMatchObject([{ scopes: ['verify:*'], addressRanges: ['10.0.0.1'] }]);
  });

  test('with a label that has two active keys is rejected', async () => {
    const owner = member('owner');
    await create(owner);
    await create(owner);
    await expectNoChange(async () => {
      expect(await create(owner)).toMatchObject({ status: 409, code: 'LABEL_TAKEN' });
    });
  });
});

describe('live and test keys:', () => {
  test.each(['create', 'edit', 'rotate', 'revoke'])('a developer cannot %s a live key', async (action) => {
    const developer = member('developer');
    const { key } = await newKey(member('owner'), { env: 'live' });
    const act = {
      create: () => create(developer, { env: 'live' }),
      edit: () => edit(developer, key.id, { label: 'shop' }),
      rotate: () => rotate(developer, key.id),
      revoke: () => revoke(developer, key.id),
    }[action];
    await expectNoChange(async () => {
      expect(await act?.()).toMatchObject({ status: 403, code: 'ROLE_REQUIRED', json: { data: null } });
    });
  });

  test('a developer can create, rotate and revoke test keys', async () => {
    const developer = member('developer');
    const { key } = await newKey(developer);
    expect((await rotate(developer, key.id)).status).toBe(200);
    expect((await revoke(developer, key.id)).status).toBe(200);
  });

  test.each(['create', 'edit', 'rotate', 'revoke'])(
    'a recent sign-in is needed to %s a live key, but not a test key',
    async (action) => {
      const owner = member('owner');
      const [live, trial] = [await newKey(owner, { env: 'live' }), await newKey(owner)];
      service.clock.nowMs += 16 * 60_000;
      const act = (env: 'live' | 'test') => {
        const { id } = (env === 'live' ? live : trial).key;
        if (action === 'create') return create(owner, { env, label: 'second' });
        if (action === 'edit') return edit(owner, id, { label: 'second' });
        return action === 'rotate' ? rotate(owner, id) : revoke(owner, id);
      };
      await expectNoChange(async () => {
        expect(await act('live')).toMatchObject({ status: 403, code: 'RECENT_SIGN_IN_REQUIRED' });
      });
      expect((await act('test')).status).toBe(200);
    },
  );

  test('an organisation that is not approved gets only test keys', async () => {
    const pending = service.newOrganisation();
    const owner = member('owner', pending);
    const { code, json } = await create(owner, { env: 'live' });

    expect(code).toBe('UNAPPROVED_ORGANIZATION');
    expect(json?.message).toContain('submit it for approval');
    expect((await create(owner)).status).toBe(200);
    expect(await keysOf(pending)).toMatchObject([{ env: 'test' }]);
  });
});

describe('the ID of a key', () => {
  test.each(['edit', 'rotate', 'revoke'])(
    'of another organisation gets the same response as an unknown one: %s',
    async (action) => {
      const other = service.newOrganisation({ status: 'APPROVED' });
      const { key: foreign } = await newKey(member('owner', other));
      const owner = member('owner');
      const before = await keysOf(other);
      const act = (id: string) => {
        if (action === 'edit') return edit(owner, id);
        return action === 'rotate' ? rotate(owner, id) : revoke(owner, id);
      };

      const ids = [
        foreign.id,
        '0123456789ab',
        foreign.id.toUpperCase(),
        '',
        before[0]?.hash ?? '',
        '../keys',
      ];
      const responses = await Promise.all(ids.map(act));
      const bodies = responses.map(({ json }) => ({ ...json, meta: null }));
      expect(responses.map(({ status, code }) => [status, code])).toEqual(
        ids.map(() => [404, 'RESOURCE_NOT_FOUND']),
      );
      expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
      expect(await keysOf(other)).toEqual(before);
    },
  );

  test('of another organisation is not in the list of keys', async () => {
    await newKey(member('owner', service.newOrganisation()));
    expect((await list(member('owner'))).json?.data.keys).toEqual([]);
  });
});

describe('an edited key', () => {
  const NEW = { label: 'Ẹ̀ka Èkó 3', scopes: ['verify:*', 'verify:*'], addresses: ['203.0.113.0/24'] };

  test('has its new label and limits, and the audit trail and every owner get what changed', async () => {
    const [owner, admin] = [member('owner'), member('admin')];
    const { key } = await newKey(admin, { env: 'live', scopes: ['wallet:read'] });
    sendMail.mockClear();
    const { json } = await edit(admin, key.id, NEW);

    const label = NEW.label.normalize('NFC');
    expect(json?.data).toEqual({ ...key, label, scopes: ['verify:*'], addresses: NEW.addresses });
    expect((await list(owner)).json?.data.keys).toEqual([json?.data]);
    expect(service.auditEntries().filter(({ action }) => action === 'key update')).toMatchObject([
      {
        target: `live key ${key.id}`,
        before: { label: 'till', scopes: ['wallet:read'], addressRanges: null },
        after: { label, scopes: ['verify:*'], addressRanges: NEW.addresses },
      },
    ]);
    expect(sendMail.mock.calls.map(([{ to }]) => to)).toEqual([owner.person.email]);
    expect(sendMail.mock.calls[0]?.[0].text).toContain(
      `the live API key "till" was changed: its label (now "${label}"), scopes and IP addresses in the organisation`,
    );
  });

  test.each([
    ['live', 30],
    ['test', 0],
  ])(
    'is changed at most 30 times a day by one person, with an email for each if it is live: %s',
    async (env, mails) => {
      const owner = member('owner');
      const { key } = await newKey(member('admin'), { env });
      sendMail.mockClear();
      for (let count = 1; count <= 30; count += 1) {
        service.clock.nowMs += 1_000;
        await edit(owner, key.id, { label: `till ${count}` });
        // Counts nothing, because it changes nothing.
        if (count === 1) await edit(owner, key.id, { label: 'till 1' });
      }
      service.clock.nowMs += 1_000;
      await expectNoChange(async () => {
        expect(await edit(owner, key.id, { label: 'till 31' })).toMatchObject({ status: 429 });
      });
      expect(sendMail).toHaveBeenCalledTimes(mails);
    },
  );

  test('has at most 50 earlier labels, so that its row stays small and it can be revoked', async () => {
    const owner = member('owner');
    const { key } = await newKey(owner, { label: 'till 0' });
    const rename = (count: number) => {
      service.clock.nowMs += DAY_MS / 30;
      const browser = service.newSession(owner.person, organisation);
      return edit({ ...owner, browser }, key.id, { label: `till ${count}` });
    };
    for (let count = 1; count <= 50; count += 1) expect((await rename(count)).status).toBe(200);
    await expectNoChange(async () => {
      const refused = await rename(51);
      expect(refused).toMatchObject({ status: 409, code: 'KEY_LIMIT_REACHED' });
      expect(refused.json?.message).toContain('create another key');
    });
    const again = { ...owner, browser: service.newSession(owner.person, organisation) };
    expect((await edit(again, key.id, { label: 'till 50', scopes: ['verify:*'] })).status).toBe(200);
    expect((await revoke(again, key.id)).status).toBe(200);
    expect((await keysOf())[0]?.formerLabels).toHaveLength(50);
  });

  test('keeps its earlier labels, by which reports find its log rows', async () => {
    const owner = member('owner');
    const { key } = await newKey(owner, { env: 'live', label: 'backend' });
    for (const label of ['backend v2', 'backend v3']) await edit(owner, key.id, { label });
    expect((await keysOf())[0]).toMatchObject({
      label: 'backend v3',
      formerLabels: ['backend', 'backend v2'],
    });
  });

  test('keeps the limits that somebody has set since, if only its label is sent', async () => {
    const owner = member('owner');
    const { key } = await newKey(owner);
    const limits = { scopes: ['wallet:read'], addresses: ['203.0.113.7'] };
    await edit(owner, key.id, { ...limits, label: undefined });
    const renamed = await edit(owner, key.id, { label: 'shop', scopes: undefined, addresses: undefined });
    expect(renamed.json?.data).toEqual({ ...key, ...limits, label: 'shop' });
    const [input, edited] = [changesOf(EDITED), changesOf({ ...EDITED, label: 'shop', addresses: '' })];
    expect([input, edited]).toEqual([{}, { label: 'shop', addresses: null }]);
  });

  test('loses its limits with null, and nothing is recorded or sent if nothing changes', async () => {
    const owner = member('owner');
    const { key } = await newKey(owner, { env: 'live', addresses: ['203.0.113.7'] });
    expect((await edit(owner, key.id)).json?.data).toEqual({ ...key, addresses: null });
    expect((await keysOf())[0]).not.toHaveProperty('addressRanges');
    sendMail.mockClear();
    await expectNoChange(async () => {
      expect((await edit(owner, key.id)).status).toBe(200);
    });
    expect(sendMail).not.toHaveBeenCalled();
  });

  test.each([
    ['two other active keys have the label', { label: 'shop' }, 'LABEL_TAKEN'],
    ['the label is an identity number', { label: '22345678901' }, 'INVALID_SCHEMA'],
    ['a network is not valid', { addresses: ['203.0.113.0/33'] }, 'INVALID_SCHEMA'],
  ])('stays as it was if %s', async (_, body, code) => {
    const owner = member('owner');
    const { key } = await newKey(owner);
    await create(owner, { label: 'shop' });
    await create(owner, { label: 'shop' });
    await expectNoChange(async () => {
      expect(await edit(owner, key.id, body)).toMatchObject({ code });
    });
  });

  test('cannot be a revoked one', async () => {
    const owner = member('owner');
    const { key } = await newKey(owner);
    await revoke(owner, key.id);
    await expectNoChange(async () => {
      expect(await edit(owner, key.id, NEW)).toMatchObject({ status: 409, code: 'KEY_NOT_ACTIVE' });
    });
  });
});

describe('a rotation', () => {
  test('shows the new key and keeps the old one working until the end of the grace period', async () => {
    const owner = member('owner');
    const { key: old } = await newKey(owner, { env: 'live', expires_in_days: 90 });
    service.clock.nowMs += 60_000;
    const { key, text } = (await rotate(owner, old.id, 24)).json.data as NewKeyView;

    const records = service.auditEntries().filter(({ action }) => action === 'key rotate');
    expect(records.map(({ target }) => target)).toEqual([`live key ${key.id}`, `live key ${old.id}`]);
    expect(new Set(records.map(({ commandId }) => commandId)).size).toBe(1);
    const { keys } = (await list(owner)).json.data as KeysView;
    expect(keys).toEqual([
      key,
      { ...old, status: 'expiring', expires_at: new Date(service.clock.nowMs + DAY_MS).toISOString() },
    ]);
    expect(key).toMatchObject({ label: 'till', env: 'live', status: 'active', ending: text.slice(-4) });
    expect(key.expires_at).toBe(new Date(service.clock.nowMs + 90 * DAY_MS).toISOString());
    service.clock.nowMs += DAY_MS;
    const again = { person: owner.person, browser: service.newSession(owner.person, organisation) };
    expect((await list(again)).json?.data.keys[1]).toMatchObject({ id: old.id, status: 'expired' });
  });

  test.each([-1, 169, 1.5, '1', null])('with a grace period of %p hours is rejected', async (hours) => {
    const owner = member('owner');
    const { key } = await newKey(owner);
    await expectNoChange(async () => {
      const { json } = await rotate(owner, key.id, hours);
      expect([json?.code, json?.error?.field]).toEqual(['INVALID_SCHEMA', 'grace_hours']);
    });
  });

  test('of a key that was replaced is rejected', async () => {
    const owner = member('owner');
    const { key } = await newKey(owner);
    await rotate(owner, key.id, 0);
    await expectNoChange(async () => {
      expect(await rotate(owner, key.id)).toMatchObject({ status: 409, code: 'KEY_NOT_ACTIVE' });
    });
  });
});

describe('a revocation', () => {
  test('ends the key, shows its last use, and is recorded once', async () => {
    const owner = member('owner');
    const { key, text } = await newKey(owner, { env: 'live' });
    const keyHash = readApiKeyText(text)?.hash ?? '';
    const use = {
      keyHash,
      rows: { key: {}, organisation: {} },
      rate: organisation.rateLimit,
      isLiveLookUp: false,
    };
    await rateLimitTable(service.client, 'ApiKeys').take(
      { ...use, network: '198.51.100.0/24' },
      () => service.clock.nowMs,
    );
    const used = {
      last_used_at: new Date(service.clock.nowMs).toISOString(),
      last_network: '198.51.100.0/24',
    };
    expect((await list(owner)).json?.data.keys).toEqual([{ ...key, ...used }]);

    expect((await revoke(owner, key.id)).json?.data).toEqual({ ...key, ...used, status: 'revoked' });
    expect(await revoke(owner, key.id)).toMatchObject({ status: 409, code: 'KEY_NOT_ACTIVE' });
    expect(await keysOf()).toMatchObject([{ hash: keyHash, status: 'REVOKED' }]);
    expect(service.auditEntries().filter(({ action }) => action === 'key revoke')).toMatchObject([
      { target: `live key ${key.id}`, before: { status: 'ACTIVE' }, after: { status: 'REVOKED' } },
    ]);
  });
});

describe('the list of keys', () => {
  test('names members who have left, but no operators', async () => {
    const [owner, former] = [member('owner'), member('admin')];
    await newKey(former, { label: 'by a former member' });
    const left = { status: 'REMOVED', personName: 'Ngozi who left' } as const;
    service.newMember(former.person, organisation, 'admin', left);
    const row = { organisationId: organisation.id, env: 'test', label: 'by an operator' } as const;
    const base = (await keysOf())[0] as ApiKey;
    const { createdBy: _, ...operators } = { ...base, ...row, hash: 'f'.repeat(64) };
    await deps.keys().insertApiKey(operators, 1);

    const { keys, scopes } = (await list(owner)).json.data as KeysView;
    expect(new Map(keys.map(({ label, created_by }) => [label, created_by]))).toEqual(
      new Map([
        ['by a former member', 'Ngozi who left'],
        ['by an operator', null],
      ]),
    );
    expect(scopes).toContain('verify:*');
  });

  test('takes two round trips to the database, however many keys there are', async () => {
    const owner = member('owner');
    for (let index = 0; index < 49; index += 1) {
      // Stays within a person's rate limit.
      service.clock.nowMs += 100;
      await newKey(owner, { label: `key ${index}` });
    }
    service.calls.length = 0;
    expect((await list(owner)).json.data.keys).toHaveLength(49);
    const names = service.calls.map((command) => command.constructor.name);
    // Session, keys and members are read at once. Then the use of the keys is read while the limiter is written.
    expect(names.sort()).toEqual([
      'BatchGetCommand',
      'BatchGetCommand',
      'QueryCommand',
      'QueryCommand',
      'UpdateCommand',
    ]);
  });
});
