import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { ALL_SCOPES } from '../../../shared/accounts/key-limits.ts';
import { mustRun } from '../../../test/support/programs.ts';
import { baseUrl, number, organisation } from '../../../test/support/service.ts';
import table from '../../conformance.json' with { type: 'json' };
import { IdentityClient, type IdentityClientOptions, type Transaction } from '../src/index.ts';
import { differencesInOutcome, outcomeOf } from './conformance/run-situation.ts';
import type { ConformanceTable } from './conformance/table.ts';
import { fakeCases, responsesOf } from './fake-cases.ts';
import { readmeExamples } from './readme-examples.ts';

/** Tests the client against the running service. */

const { service: situations } = table as unknown as ConformanceTable;
const { test: apiKey, live } = await organisation({ credits: 100 });
const clientOf = (options: IdentityClientOptions = {}) => new IdentityClient({ apiKey, baseUrl, ...options });
const client = clientOf();

/** All calls start now, because one of them takes 41 s. */
const outcomes = situations.map(({ number: nin }) => outcomeOf(client.verify('NIN', nin)));
afterAll(() => Promise.all(outcomes));

describe('a look-up that finds a record', () => {
  test.each([
    ['NIN', number(), 'nin', 'tracking_id'],
    ['BVN', number(), 'bvn', 'watch_listed'],
    ['CAC', 'RC7654321', 'rcNumber', 'affiliatesData'],
  ] as const)('of type %s returns the record of its level', async (idType, id, field, premiumField) => {
    const basic = await client.verify(idType, id);
    const premium = await client.verify(idType, id, { advance: true });
    const gateway = await client.verifyGateway(idType, id, { level: 'advanced' });

    expect(basic).toMatchObject({
      code: `${idType}_VERIFIED`,
      verified: true,
      creditsCharged: 1,
      replayed: false,
    });
    expect(basic.data).toHaveProperty(field, id);
    expect(basic.data).not.toHaveProperty(premiumField);
    expect(premium.data).toHaveProperty(premiumField);
    expect(gateway.data).toEqual(premium.data);
  });

  test.each([
    ['TIN', '76543210-0001', 'tin'],
    ['NUBAN', '7654321001', 'account_number'],
  ] as const)('of type %s returns it', async (idType, id, field) => {
    expect((await client.verify(idType, id)).data).toHaveProperty(field, id);
  });

  test('is charged once under one key, and logged without identity data', async () => {
    const nin = number();
    const before = await client.balance();
    const first = await client.verify('NIN', nin, {
      idempotencyKey: `onboarding-${nin.slice(0, 5)}`,
      reason: 'a test',
    });
    const again = await client.verify('NIN', nin, { idempotencyKey: first.idempotencyKey, reason: 'a test' });
    const after = await client.balance();

    expect([first.replayed, first.creditsCharged, again.replayed, again.creditsCharged]).toEqual([
      false,
      1,
      true,
      0,
    ]);
    expect(again.data).toEqual(first.data);
    expect(after).toMatchObject({ environment: 'test', currency: 'credits' });
    expect(before.available - after.available).toBe(1);
    const entry = await client.verification(first.requestId);
    expect(entry).toMatchObject({ request_id: first.requestId, outcome: 'FOUND', reason: 'a test' });
    expect(JSON.stringify(entry)).not.toContain(nin);
  });
});

describe('a slip', () => {
  test('is a complete PDF as bytes and as a stream, under one key', async () => {
    const nin = number();
    await client.verify('NIN', nin);
    const idempotencyKey = crypto.randomUUID();
    const bytes = await client.downloadSlip(nin, 'premium', { idempotencyKey });
    const stream = await client.slipStream(nin, 'premium', { idempotencyKey });
    const streamed = new Uint8Array(await new Response(stream).arrayBuffer());

    const text = new TextDecoder('latin1').decode(bytes);
    expect([text.slice(0, 5), text.trimEnd().slice(-5)]).toEqual(['%PDF-', '%%EOF']);
    expect(streamed.length).toBeGreaterThan(10_000);
    expect(new TextDecoder('latin1').decode(streamed).trimEnd().slice(-5)).toBe('%%EOF');
  });

  test('of a NIN that was not verified cannot be downloaded', async () => {
    await expect(client.downloadSlip(number(), 'regular')).rejects.toMatchObject({
      kind: 'not_found',
      code: 'VERIFICATION_LOG_NOT_FOUND',
      reason: 'not_verified',
      charged: false,
    });
  });
});

test('the list of banks includes their codes', async () => {
  const banks = await client.banks();
  expect(banks.find(({ cbn_code }) => cbn_code === '011')?.short_name).toBe('First Bank');
});

test('the statement contains every charge, over several pages', async () => {
  const own = await organisation({ credits: 100 });
  const customer = clientOf({ apiKey: own.test });
  const charged: string[] = [];
  for (let call = 0; call < 3; call++) charged.push((await customer.verify('NIN', number())).requestId);
  const debits: Transaction[] = [];
  for await (const entry of customer.transactions({ type: 'debit', pageSize: 2 })) debits.push(entry);
  expect(debits.map(({ request_id }) => request_id).sort()).toEqual(charged.sort());
});

test('a request is found by its reference', async () => {
  const reference = `customer ${crypto.randomUUID()}`;
  const { requestId } = await client.verify('NIN', number(), { reference });
  const found: string[] = [];
  for await (const { request_id } of client.verifications({ reference })) found.push(request_id);
  expect(found).toEqual([requestId]);
  expect((await client.verification(requestId)).reference).toBe(reference);
});

test('an unknown key causes an authentication error', async () => {
  const unknown = clientOf({ apiKey: `${live.slice(0, -6)}000000` });
  await expect(unknown.balance()).rejects.toMatchObject({ kind: 'authentication', code: 'INVALID_API_KEY' });
});

test.each(fakeCases)('the API responds as the fakes: $name', async (example) => {
  const { test: key } = await organisation({ credits: 100, scopes: ALL_SCOPES });
  for (const { found, expected } of await responsesOf(example, fetch, { baseUrl, apiKey: key }))
    expect(found).toEqual(expected);
});

describe('with default settings', () => {
  test.each(situations.map(({ name, expect: expected }, index) => ({ name, expected, index })))(
    '$name',
    async ({ expected, index }) => {
      const outcome = await outcomes[index];
      expect(outcome && differencesInOutcome(outcome, expected)).toEqual([]);
    },
  );
});

describe('each example in the README runs alone:', () => {
  const folder = mkdtempSync(join(tmpdir(), 'readme-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const examples = readmeExamples();

  test.each(examples.map((code, index) => [code.split('\n').at(-2), { code, index }] as const))(
    '%s',
    async (_, { code, index }) => {
      const { test: key } = await organisation({ credits: 10, scopes: ALL_SCOPES, hasBilling: true });
      const file = join(folder, `example-${index}.mts`);
      const source = join(import.meta.dirname, '../src/index.ts');
      const testing = join(import.meta.dirname, '../testing/main.ts');
      const sources = { "'ng-identity'": `'${source}'`, "'ng-identity/testing'": `'${testing}'` };
      writeFileSync(
        file,
        Object.entries(sources).reduce((text, [name, path]) => text.replaceAll(name, path), code),
      );
      const env = { ...process.env, NG_IDENTITY_API_KEY: key, NG_IDENTITY_BASE_URL: baseUrl };
      await mustRun('node', [file], { env });
    },
  );

  test('there are ten', () => {
    expect(examples).toHaveLength(10);
  });
});
