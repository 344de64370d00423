import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Organisation } from '../../../shared/accounts/organisation.ts';
import type { AuditEntry } from '../../../shared/audit/audit-entry.ts';
import { changesQuery, readNames, showChanges } from '../../../shared/audit/console/changes.ts';
import type { ChangesView } from '../../../shared/audit/console/views.ts';
import { HOUR_MS } from '../../../shared/core/clock.ts';
import { newOperationId } from '../../../shared/core/ids.ts';
import { auditKey, sentInvitationKey } from '../../../shared/core/keys.ts';
import { invitationTable } from '../../../shared/members/invitation-table.ts';
import { memberTable } from '../../../shared/members/member-table.ts';
import { consoleRoute } from '../../../shared/members/middleware/console-route.ts';
import { type CapturedOutput, captureOutput } from '../../support/captured-output.ts';
import {
  type Browser,
  type MemoryConsole,
  memoryConsole,
  ORIGIN,
} from '../../support/console/memory-console.ts';

/** The audit trail in the console: pages, search, and the parts of an entry that members see. */

const OPERATOR = 'arn:aws:sts::111122223333:assumed-role/identity-prod-operator/ada';
const START_MS = Date.parse('2026-11-01T12:00:00.000Z');

let service: MemoryConsole;
let output: CapturedOutput;
let organisation: Organisation;
let owner: Browser;
let personId: string;
beforeEach(() => {
  process.env['CONSOLE_URL'] = ORIGIN;
  service = memoryConsole();
  output = captureOutput();
  organisation = service.newOrganisation();
  const person = service.newPerson({ name: 'Amaka Obi' });
  personId = person.id;
  service.newMember(person, organisation, 'owner');
  owner = service.newSession(person, organisation);
});
afterEach(() => output.restore());

function entry(atMs: number, changes: Partial<AuditEntry> = {}, of: Organisation = organisation): AuditEntry {
  const row: AuditEntry = {
    id: newOperationId(atMs),
    at: new Date(atMs).toISOString(),
    actor: `member:${personId}`,
    action: 'key create',
    commandId: newOperationId(atMs),
    organisationId: of.id,
    target: 'live key 0123456789ab',
    ...changes,
  };
  service.put('AuditTrail', { ...auditKey(of.id, row.id), ...row });
  return row;
}
/** Stores this many entries, an hour apart. Returns them newest first. */
const entries = (count: number, changesOf: (index: number) => Partial<AuditEntry> = () => ({})) =>
  Array.from({ length: count }, (_, index) => entry(START_MS + index * HOUR_MS, changesOf(index))).reverse();

const read = (query: Record<string, string> = {}, browser = owner) => {
  const deps = {
    audit: service.tables.audit,
    members: memberTable(service.client, 'Console'),
    invitations: invitationTable(service.client, 'Console'),
  };
  const handler = consoleRoute(
    'list-changes',
    showChanges(deps),
    { query: changesQuery, prefetch: readNames(deps) },
    service.deps,
  );
  return service.send(handler, 'list-changes', browser, { query });
};
const page = async (query: Record<string, string> = {}): Promise<ChangesView> =>
  (await read(query)).json.data;
/** Follows the cursors. Returns the changes of all pages, and the number of pages. */
async function allPages(query: Record<string, string>) {
  const changes: ChangesView['changes'][number][] = [];
  let cursor: string | null | undefined;
  let pages = 0;
  while (cursor !== null) {
    // Stays within a person's rate limit.
    service.clock.nowMs += 100;
    const { changes: found, next_cursor } = await page({ ...query, ...(cursor && { cursor }) });
    changes.push(...found);
    cursor = next_cursor;
    pages += 1;
  }
  return { changes, pages };
}
const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

describe('pages of the audit trail', () => {
  test('have 50 changes, newest first, and each change is on one page', async () => {
    const all = entries(120);
    expect((await page()).changes).toHaveLength(50);
    const { changes, pages } = await allPages({});

    expect(idsOf(changes)).toEqual(idsOf(all));
    expect(pages).toBe(3);
  });

  test.each([1, 7, 100])('with a limit of %i end exactly with the last change', async (limit) => {
    const all = entries(100);
    const { changes, pages } = await allPages({ limit: String(limit) });

    expect(idsOf(changes)).toEqual(idsOf(all));
    expect(pages).toBe(Math.ceil(100 / limit));
  });

  test('are not shifted by changes that are made in the meantime', async () => {
    const all = entries(10);
    const first = await page({ limit: '5' });
    entry(START_MS + 100 * HOUR_MS);
    const second = await page({ limit: '5', cursor: first.next_cursor ?? '' });

    expect(idsOf([...first.changes, ...second.changes])).toEqual(idsOf(all));
  });

  test('cover whole days in Africa/Lagos, including the first and the last', async () => {
    const all = entries(96);
    const { changes } = await allPages({ from: '2026-11-02', to: '2026-11-03' });
    expect(idsOf(changes)).toEqual(
      idsOf(all.filter(({ at }) => at >= '2026-11-01T23:00' && at < '2026-11-03T23:00')),
    );
    expect(changes).toHaveLength(48);
    expect((await page({ from: '2027-01-01' })).changes).toEqual([]);
    expect((await allPages({ to: '2026-11-01' })).changes).toHaveLength(11);
    const outside = { from: '2026-11-04', cursor: all.at(-1)?.id ?? '' };
    expect(await page(outside)).toEqual({ changes: [], next_cursor: null });
  });

  test('take two round trips to the database', async () => {
    entries(60);
    service.calls.length = 0;
    await read({ search: 'nobody' });
    const names = service.calls.map((command) => command.constructor.name).sort();
    expect(names).toEqual(['BatchGetCommand', ...Array(3).fill('QueryCommand'), 'UpdateCommand']);
  });
});

describe('a search of the audit trail', () => {
  test.each([
    ['the action, in any case', 'SERVICE CH', 1],
    ['the target', 'nin-bas', 1],
    ['the name of a member', 'amaka', 3],
    ['the name that is shown for operators', 'operator', 1],
    ['the action, with spaces around the text', '  org approve ', 1],
    ['the words that the page shows', 'changed a role', 1],
    ['words in another order, with articles and as plurals', 'the roles  changed', 1],
    ['what nothing contains', 'nobody', 0],
    ['an ID that is not shown', 'assumed-role', 0],
  ])('%s: "%s" finds %i of 4 changes', async (_, search, count) => {
    entry(START_MS);
    entry(START_MS + 1, { action: 'service change', target: 'service nin-basic' });
    entry(START_MS + 2, { action: 'org approve', actor: OPERATOR, target: 'organisation' });
    entry(START_MS + 3, { action: 'member change', target: `member ${personId}` });

    expect((await page({ search })).changes).toHaveLength(count);
  });

  test('finds names without their tone marks, and the address of an invitation', async () => {
    const person = service.newPerson({ name: 'Adébáyọ̀ Ọlá' });
    service.newMember(person, organisation, 'admin');
    const id = newOperationId(START_MS);
    service.put('Console', {
      ...sentInvitationKey(organisation.id, id),
      ...{ id, hash: 'f', organisationId: organisation.id, organisationName: 'Harmattan', role: 'admin' },
      ...{ email: 'ngozi@kainji.example', state: 'OPEN', createdAt: '', notAfter: '', expiresAt: 1 },
    });
    entry(START_MS, { action: 'member change', target: `member ${person.id}` });
    entry(START_MS + 1, { action: 'member invite', target: `invitation ${id}` });
    entry(START_MS + 2, { action: 'invitation accept', target: 'member x', after: { invitation: id } });

    entry(START_MS + 3, { action: 'webhook update', target: 'live webhook 1 at hooks.kainji.example' });

    expect((await page({ search: 'https://hooks.kainji.example/new?v=2' })).changes).toHaveLength(1);
    expect((await page({ search: 'adebayo ola' })).changes).toHaveLength(1);
    expect((await page({ search: 'Ngozi@Kainji' })).changes.map(({ action }) => action)).toEqual([
      'invitation accept',
      'member invite',
    ]);
  });

  test('with rare matches reads at most 502 entries at once and continues with a cursor', async () => {
    const all = entries(1_700, (index) => (index % 800 === 3 ? { action: 'org approve' } : {}));
    const query = { search: 'approve', limit: '2' };
    service.calls.length = 0;
    const first = await page(query);
    expect(first.next_cursor).not.toBeNull();
    expect(service.calls).toContainEqual(
      expect.objectContaining({ input: expect.objectContaining({ Limit: 502 }) }),
    );

    const { changes, pages } = await allPages(query);
    expect(idsOf(changes)).toEqual(idsOf(all.filter(({ action }) => action === 'org approve')));
    expect(pages).toBe(4);
  });

  test('with many matches fills each page', async () => {
    const all = entries(300);
    const first = await page({ search: 'key' });
    expect(first.changes).toHaveLength(50);
    const { changes, pages } = await allPages({ search: 'key' });

    expect(idsOf(changes)).toEqual(idsOf(all));
    expect(pages).toBe(6);
  });
});

describe('an entry of the audit trail', () => {
  test('names the member, including in its values, and shows the address from which it came', async () => {
    entry(START_MS, {
      action: 'member change',
      target: `member ${personId}`,
      before: { role: 'admin', version: 3 },
      after: { role: 'owner', version: 4, invitedBy: personId, list: [{ hash: 'f', by: personId }] },
      address: '203.0.113.7',
      requestId: 'req_0123456789ab',
    });
    const [shown] = (await page()).changes;

    expect(shown).toMatchObject({
      by: { kind: 'member', name: 'Amaka Obi' },
      target: 'member Amaka Obi',
      before: { role: 'admin' },
      after: { role: 'owner', invitedBy: 'Amaka Obi', list: [{ by: 'Amaka Obi' }] },
      address: '203.0.113.7',
      request_id: 'req_0123456789ab',
    });
    expect(JSON.stringify(shown)).not.toMatch(/version|hash|person-/);
  });

  test('says in words what was done, and names the service that an operator changed', async () => {
    entry(START_MS, {
      action: 'service enable',
      target: 'organisation',
      before: { services: { 'nin-basic': {} } },
      after: { services: { 'nin-basic': {}, 'bvn-basic': {} } },
    });
    expect((await page()).changes).toMatchObject([
      { action: 'service enable', action_text: 'Enabled a service', target: 'service bvn-basic' },
    ]);
  });

  test('of a key names its label, which is not a pattern, and is found by it', async () => {
    entry(START_MS, {
      target: 'test key 0123456789ab',
      before: { label: 'old' },
      after: { label: "till $' 4" },
    });
    entry(START_MS + 1);
    expect((await page({ search: 'till key 0123456789ab' })).changes).toMatchObject([
      { target: `test key "till $' 4" (0123456789ab)` },
    ]);
    expect((await page()).changes[0]?.target).toBe('live key 0123456789ab');
  });

  test('of a top-up says whether it started the order or opened its payment page', async () => {
    const action = 'top-up start';
    entry(START_MS, { action, target: 'live order TOPUP-1', after: { credits: 500 } });
    entry(START_MS + 1, {
      action,
      target: 'live order TOPUP-1',
      after: { checkoutUrl: 'https://pay.example' },
    });
    expect((await page()).changes.map(({ action_text }) => action_text)).toEqual([
      'Opened the payment page of a top-up',
      'Started a top-up',
    ]);
  });

  test.each([
    ['automatic top-up', { state: 'ON', cardOrder: 'TOPUP-1' }, 'Switched on automatic top-up'],
    ['automatic top-up', { state: 'OFF' }, 'Switched off automatic top-up'],
    ['automatic top-up', { state: 'OFF', cardOrder: null }, 'Removed the saved card'],
    ['automatic top-up', { credits: 500 }, 'Changed automatic top-up'],
    ['settle top-up', { state: 'STOPPED', stopReason: 'declined' }, 'Stopped automatic top-up'],
    ['service change', { enabled: true }, 'Enabled a service'],
    ['service change', { enabled: false }, 'Disabled a service'],
    ['webhook update', { state: 'DISABLED' }, 'Disabled a webhook endpoint'],
    ['webhook update', { events: ['Balance Low'] }, 'Changed a webhook endpoint'],
  ])('of %s with %j says what happened', async (action, values, expected) => {
    const changedAt = '2026-11-01T12:00:00.000Z';
    const target = 'stopReason' in values ? 'automatic top-up' : action;
    entry(START_MS, { action, target, before: { changedAt }, after: { ...values, changedAt } });
    const [change] = (await page()).changes;
    expect(change).toMatchObject({ action, action_text: expected, before: {}, after: values });
    expect(change?.after).not.toHaveProperty('changedAt');
  });

  test('by an operator, a function, an unknown person or an API key names no person', async () => {
    entry(START_MS, { actor: OPERATOR });
    entry(START_MS + 1, { actor: 'paystack' });
    entry(START_MS + 2, { actor: 'member:person-unknown' });
    entry(START_MS + 3, { actor: 'key:0123456789ab' });
    const { json } = await read();

    expect(json?.data.changes.map(({ by }: { by: unknown }) => by)).toEqual([
      { kind: 'service', name: 'API key 0123456789ab' },
      { kind: 'member', name: 'Removed member' },
      { kind: 'service', name: 'Service' },
      { kind: 'operator', name: 'Operator' },
    ]);
    expect(JSON.stringify(json)).not.toContain('111122223333');
  });
});

describe('the audit trail:', () => {
  test('changes of other organisations are never shown, even with the cursor of another trail', async () => {
    const other = service.newOrganisation();
    const foreign = Array.from({ length: 3 }, (_, index) =>
      entry(START_MS + index, { action: 'secret' }, other),
    );
    const own = entry(START_MS - 1);

    expect(idsOf((await page()).changes)).toEqual([own.id]);
    for (const { id } of foreign) expect(idsOf((await page({ cursor: id })).changes)).toEqual([own.id]);
    expect((await page({ search: 'secret' })).changes).toEqual([]);
  });
});

describe('an invalid parameter is rejected:', () => {
  test.each([
    ['from', '2026-02-30'],
    ['from', 'yesterday'],
    ['to', '2026-11-01T00:00:00Z'],
    ['cursor', 'ORG#other'],
    ['cursor', '8ZZZZZZZZZZZZZZZZZZZZZZZZZ'],
    ['limit', '101'],
    ['limit', '0'],
    ['search', 'x'.repeat(101)],
    ['organisation', 'aaaaaaaaaa'],
  ])('%s=%s', async (name, value) => {
    const { status, json } = await read({ [name]: value });
    expect([status, json?.code, json?.error?.field]).toEqual([400, 'INVALID_SCHEMA', name]);
  });

  test('a period that ends before it begins', async () => {
    const { code, json } = await read({ from: '2026-11-02', to: '2026-11-01' });
    expect([code, json.message]).toEqual([
      'INVALID_SCHEMA',
      'From must not be later than To. Enter an earlier From.',
    ]);
  });
});
