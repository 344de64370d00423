import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { NO_RECORD } from '../../shared/audit/recorder.ts';
import type { SessionView } from '../../shared/members/console/views.ts';
import { type Operator, operator } from '../../shared/operators/operator.ts';
import type { OrganisationView } from '../../shared/profiles/console/views.ts';
import { type ConsoleClient, service, sessionOf, signIn } from '../support/console.ts';
import { mailsTo } from '../support/console-mail.ts';
import { deploymentFrom } from '../support/deployment-from.ts';
import { get, post } from '../support/service.ts';

/** Organisations over HTTP: sign-up, profile with its checks, and submission. */

const SUPPORT = 'support@example.com';
const FIELDS = {
  company_number: 'RC1234567',
  tax_number: '12345678-0001',
  address: ['1 Invented Way', 'Lagos'],
  billing_contact: { name: 'Chidi Invented', email: 'chidi@kainji.example' },
  privacy_contact: { name: 'Dayo Invented', email: 'dayo@kainji.example' },
};

let admin: Operator;
beforeAll(() => {
  admin = operator(deploymentFrom(service.adminAwsEnvironment), { recorder: NO_RECORD });
});

const newcomer = () => signIn(`founder-${randomUUID()}@example.com`);
const create = (client: ConsoleClient, name: string) =>
  client.send<SessionView>('POST', '/organisations', { body: { name } });
const save = (client: ConsoleClient, version: number, change: object = {}) =>
  client.send<OrganisationView>('PUT', '/organisation', { body: { ...FIELDS, ...change, version } });
const submit = (client: ConsoleClient, version: number, terms = '2026-11') =>
  client.send<OrganisationView>('POST', '/organisation/submit', { body: { terms_version: terms, version } });

async function founder(name = 'Kainji Pay') {
  const client = await newcomer();
  const { json } = await create(client, name);
  return { client, id: json?.data?.organisation?.id ?? '' };
}

describe('a person without an organisation', () => {
  test('becomes the owner of an organisation that they create, and the session continues in it', async () => {
    const client = await newcomer();
    expect((await sessionOf(client)).organisation).toBeNull();
    const { status, json } = await create(client, '  Kainji Pay ');

    expect(status).toBe(200);
    const organisation = { id: expect.stringMatching(/^\w{10}$/), name: 'Kainji Pay' };
    expect(json?.data?.organisation).toEqual({
      ...organisation,
      ...{ status: 'PENDING', role: 'owner', suspended_because: null },
    });
    expect(await sessionOf(client)).toEqual(json?.data);
    expect(await admin.getOrganisation(json?.data?.organisation?.id ?? '')).toMatchObject({
      name: 'Kainji Pay',
      status: 'PENDING',
      services: {},
    });
  });

  test.each([
    ['wrong_value', 'K'],
    ['too_long', 'x'.repeat(101)],
    ['wrong_format', 'Kainji \u202eyaP'],
    ['wrong_format', 'Kainji\nPay'],
  ])('gets %s for the name %j', async (reason, name) => {
    const client = await newcomer();
    const { status, json } = await create(client, name);
    expect({ status, error: json?.error }).toMatchObject({ status: 400, error: { reason, field: 'name' } });
    expect((await sessionOf(client)).organisations).toEqual([]);
  });

  test('can create an organisation and use its test key at once: 402 without credits, and a record with test credits', async () => {
    const { client } = await founder();
    const key = await client.send<{ text: string }>('POST', '/keys', {
      body: { env: 'test', label: 'first', scopes: null, addresses: null, expires_in_days: null },
    });
    const call = { key: key.json?.data?.text ?? '' };
    // The organisation has no wallet yet.
    expect(await get('/v1/wallet/balance', call)).toMatchObject({
      status: 200,
      json: { data: { available: 0, held: 0 } },
    });
    const body = { id_number: '12345678901' };
    expect(await post('/v1/ng/nin-basic', body, call)).toMatchObject({ status: 402 });
    expect((await client.send('POST', '/test-credits', { body: {} })).status).toBe(200);

    expect(await post('/v1/ng/nin-basic', body, call)).toMatchObject({ status: 200 });
  });
});

describe('the profile', () => {
  test('is saved without looking up its numbers', async () => {
    const { client } = await founder();
    const before = (await client.send<OrganisationView>('GET', '/organisation')).json?.data;
    expect(before).toMatchObject({ profile: null, version: 0 });
    const { status, json } = await save(client, 0);

    expect(status).toBe(200);
    expect(json?.data).toMatchObject({ profile: FIELDS, checks: { company: null, tax: null }, version: 1 });
    expect((await client.send('GET', '/organisation')).json?.data).toEqual(json?.data);
  });

  test.each([
    ['company_number', { company_number: '1234567' }],
    ['tax_number', { tax_number: '1' }],
    ['tax_number', { tax_number: '12345678901' }],
    ['address', { address: [] }],
    ['address', { address: 'Lagos' }],
    ['address.0', { address: [''] }],
    ['billing_contact.email', { billing_contact: { name: 'Chidi', email: 'chidi' } }],
    ['billing_contact.phone', { billing_contact: { name: 'Chidi', email: 'c@d.example', phone: '1' } }],
    ['privacy_contact', { privacy_contact: null }],
    ['status', { status: 'APPROVED' }],
  ])('is rejected, and the error names %s', async (field, change) => {
    const { client } = await founder();
    const { status, json } = await save(client, 0, change);
    expect({ status, code: json?.code, field: json?.error?.field }).toEqual({
      status: 400,
      code: 'INVALID_SCHEMA',
      field,
    });
    expect((await client.send<OrganisationView>('GET', '/organisation')).json?.data?.profile).toBeNull();
  });

  test('is not overwritten by someone who has not seen the last change', async () => {
    const { client } = await founder();
    await save(client, 0);
    expect(await save(client, 0)).toMatchObject({ status: 409, json: { code: 'CHANGED_MEANWHILE' } });
  });

  test('costs the organisation nothing, and leaves no request in its log', async () => {
    const { client, id } = await founder();
    await save(client, 0);
    expect((await submit(client, 1)).status).toBe(200);
    const key = await client.send<{ text: string }>('POST', '/keys', {
      body: { env: 'test', label: 'first', scopes: null, addresses: null, expires_in_days: null },
    });
    const call = { key: key.json?.data?.text ?? '' };
    expect(await get('/v1/verifications', call)).toMatchObject({ json: { data: { verifications: [] } } });
    expect(await admin.balance({ env: 'live', organisationId: id })).toMatchObject({ available: 0 });
  });
});

describe('a submission', () => {
  test('waits for the operator, who is notified by email and approves', async () => {
    const { client, id } = await founder('Harmattan & Co');
    await save(client, 0);
    const { status, json } = await submit(client, 1);
    expect({ status, data: json?.data }).toMatchObject({
      status: 200,
      data: { status: 'SUBMITTED', accepted_terms: { version: '2026-11' }, version: 2 },
    });
    expect(await submit(client, 2)).toMatchObject({ status: 409, json: { code: 'ALREADY_SUBMITTED' } });
    expect((await sessionOf(client)).organisation?.status).toBe('SUBMITTED');

    const mail = mailsTo(SUPPORT).find(({ headers }) => headers.includes(id));
    expect(mail?.text).toContain('"Harmattan & Co"');
    // The email goes through other systems, so it names no person.
    expect(mail?.text).not.toMatch(/Invented|kainji\.example|12345678/);
    expect((await admin.listSubmitted()).map(({ organisation }) => organisation.id)).toContain(id);
    await admin.approve(id);
    expect((await sessionOf(client)).organisation?.status).toBe('APPROVED');
    expect((await admin.listSubmitted()).map(({ organisation }) => organisation.id)).not.toContain(id);
    expect(await save(client, 2, { company_number: 'RC99' })).toMatchObject({
      status: 409,
      json: { code: 'NUMBERS_FIXED' },
    });
    expect((await save(client, 2, { address: ['2 Invented Way'] })).status).toBe(200);
  });

  test('looks up the numbers, and shows no registered names', async () => {
    const { client } = await founder();
    await save(client, 0);
    const { json } = await submit(client, 1);
    expect(json?.data?.checks).toEqual({
      company: { result: 'FOUND', is_name_equal: false },
      tax: { result: 'FOUND', is_name_equal: null },
    });
  });

  test('with a number that was not found is rejected, and shows which one', async () => {
    const { client } = await founder();
    await save(client, 0, { company_number: 'RC1230404', tax_number: '12345678-0503' });
    expect(await submit(client, 1)).toMatchObject({
      status: 409,
      json: { code: 'PROFILE_INCOMPLETE', message: expect.stringContaining('was not found') },
    });
    const { data } = (await client.send<OrganisationView>('GET', '/organisation')).json ?? {};
    expect(data).toMatchObject({
      status: 'PENDING',
      checks: { company: { result: 'NOT_FOUND' }, tax: { result: 'UNAVAILABLE' } },
      version: 2,
    });
  });

  test('looks up at most five numbers a day for one person', async () => {
    const { client } = await founder();
    await save(client, 0);
    await submit(client, 1);
    for (const [index, number] of ['RC11', 'RC12', 'RC13'].entries()) {
      await save(client, 2 * index + 2, { company_number: number });
      expect((await submit(client, 2 * index + 3)).status).toBe(200);
    }
    await save(client, 8, { company_number: 'RC14' });
    expect(await submit(client, 9)).toMatchObject({ status: 429, json: { code: 'CHECK_LIMIT_REACHED' } });
  });

  test('needs a profile, and acceptance of the terms in force', async () => {
    const { client } = await founder();
    expect(await submit(client, 0)).toMatchObject({ status: 409, json: { code: 'PROFILE_INCOMPLETE' } });
    await save(client, 0);
    expect(await submit(client, 1, '2020-01')).toMatchObject({
      status: 409,
      json: { code: 'CHANGED_MEANWHILE' },
    });
  });
});
