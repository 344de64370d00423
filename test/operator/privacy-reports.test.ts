import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { listen, readBody } from '../../infra/local/http-server.ts';
import { hashOf } from '../../shared/accounts/api-key.ts';
import { apiKeyTable } from '../../shared/accounts/api-key-table.ts';
import { editApiKey } from '../../shared/accounts/manage-api-key.ts';
import { DAY_MS } from '../../shared/core/clock.ts';
import type { Environment } from '../../shared/core/environment.ts';
import { newOperationId } from '../../shared/core/ids.ts';
import type { LogEntry } from '../../shared/ledger/rows/log-entry.ts';
import { erasureTable } from '../../shared/verifications/erasure-table.ts';
import { logTable } from '../../shared/verifications/log-table.ts';
import { numberTags } from '../../shared/verifications/number-tag.ts';
import { runInProcess } from './run-in-process.ts';
import { startTestDeployment, type TestDeployment } from './test-deployment.ts';

/**
 * `admin privacy export` and `privacy impact` on rows that were written under two peppers (docs/privacy/export.md).
 */

const CURRENT = { current: 'a pepper of tests' };
const EARLIER = { current: 'an earlier pepper' };
const ROTATED = { ...CURRENT, previous: EARLIER.current };
const NIN = '70000000011';
const OTHER_NIN = '70000000022';
const yesterdayMs = Date.now() - DAY_MS;
const dayOf = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10);

let deployment: TestDeployment;
let secrets: { close(): Promise<void> };
let environment: Record<string, string>;
let numberFile: string;
let id: string;

beforeAll(async () => {
  deployment = await startTestDeployment();
  const server = createServer(async (request, response) => {
    await readBody(request, 100_000);
    response.end(JSON.stringify({ SecretString: JSON.stringify(ROTATED) }));
  });
  const { url, close } = await listen(server);
  secrets = { close };
  const directory = dirname(deployment.serviceFile);
  deployment.configure({
    AWS_ENDPOINT_URL_SECRETS_MANAGER: url,
    PEPPER_SECRET: 'arn:aws:secretsmanager:eu-west-1:000000000000:secret:pepper',
  });
  environment = { LOCAL_SERVICE_FILE: deployment.serviceFile };
  numberFile = join(directory, 'number.txt');
  ({ id } = await deployment.operator.createOrganisation('Harmattan Credit'));
});
afterAll(async () => {
  await secrets.close();
  await deployment.close();
  rmSync(numberFile, { force: true });
});

interface Logged extends Partial<LogEntry> {
  readonly organisationId?: string;
  readonly env?: Environment;
  readonly number?: string;
  readonly pepper?: { readonly current: string };
  /** The tag of the row. @default the tag of the number */
  readonly tag?: string;
}

let requests = 0;

/** Writes a log row as the service does. */
async function logged({
  organisationId = id,
  env = 'live',
  number = NIN,
  pepper = CURRENT,
  tag,
  ...more
}: Logged) {
  const wallet = { env, organisationId };
  const [numberTag] = numberTags(pepper, wallet, 'NIN', number);
  requests += 1;
  const requestId = `req_${String(requests).padStart(12, '0')}`;
  await logTable(deployment.client, deployment.client, deployment.tables.verificationLogs, 365).writeOnce({
    wallet,
    numberTag: tag ?? numberTag,
    operationId: newOperationId(),
    requestId,
    service: 'nin-basic',
    outcome: 'FOUND',
    httpStatus: 200,
    creditsCharged: 1,
    provider: 'Sandbox',
    keyLabel: 'backend',
    latencyMs: 5,
    requestedAt: new Date(yesterdayMs).toISOString(),
    ...more,
  });
  return requestId;
}

function admin(...args: string[]) {
  return runInProcess(['--local', ...args], { environment });
}

async function report(...args: string[]) {
  const { code, stdout, stderr } = await admin('--json', 'privacy', ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

function exportArgs(number: string): string[] {
  writeFileSync(numberFile, `${number}\n`, { mode: 0o600 });
  return ['export', id, '--env', 'live', '--id-type', 'NIN', '--number-file', numberFile];
}

describe('privacy export', () => {
  test("lists one person's rows under the current and the previous pepper, and no other rows", async () => {
    const earlier = await logged({
      pepper: EARLIER,
      requestedAt: new Date(yesterdayMs - 100 * DAY_MS).toISOString(),
      consent: 'form 7',
      reason: 'old\nline',
      reference: 'customer-4711',
      failedProviders: ['Dojah'],
    });
    const replayOf = '01KADA3CV5Y2M2J1Q0QW5PZ7Z4';
    const notFound = { outcome: 'NOT_FOUND', httpStatus: 400, creditsCharged: 0, provider: '' } as const;
    const later = await logged({ ...notFound, replayOf });
    await logged({ number: OTHER_NIN });
    await logged({ env: 'test' });
    await logged({ organisationId: 'aaaaaaaaaa' });
    await logged({ pepper: { current: 'a pepper that is lost' } });
    await logged({ requestedAt: new Date(yesterdayMs - 400 * DAY_MS).toISOString() });

    const { rows, ...head } = await report(...exportArgs('7000 000 0011'));
    expect(head).toMatchObject({ organisation: id, env: 'live', idType: 'NIN' });
    expect(rows).toEqual([
      {
        requested_at: new Date(yesterdayMs - 100 * DAY_MS).toISOString(),
        service: 'nin-basic',
        outcome: 'FOUND',
        providers: ['Dojah', 'Sandbox'],
        credits_charged: 1,
        is_replay: false,
        key_label: 'backend',
        request_id: earlier,
        consent: 'form 7',
        reason: 'old\nline',
        reference: 'customer-4711',
      },
      {
        requested_at: new Date(yesterdayMs).toISOString(),
        service: 'nin-basic',
        outcome: 'NOT_FOUND',
        providers: [],
        credits_charged: 0,
        is_replay: true,
        key_label: 'backend',
        request_id: later,
        consent: null,
        reason: null,
        reference: null,
      },
    ]);

    const { stdout } = await admin('privacy', ...exportArgs(NIN));
    const [titles, ...lines] = stdout.trimEnd().split('\n');
    expect(titles?.split(/ {2,}/)).toEqual([
      'TIME',
      'SERVICE',
      'OUTCOME',
      'PROVIDERS',
      'CREDITS',
      'REPLAY',
      'KEY',
      'REQUEST',
      'CONSENT',
      'REASON',
      'REFERENCE',
    ]);
    expect(lines).toHaveLength(2);
    expect(lines.map((line) => / 0 +yes +backend /.test(line))).toEqual([false, true]);
    expect(lines[0]).toContain('FOUND      Dojah, Sandbox        1');
    expect(lines[0]).toContain('form 7   old\\u000aline');
    expect(stdout).not.toContain(NIN);
  });

  test('says so if there are no rows, and does not repeat an invalid number', async () => {
    const { stdout } = await admin('privacy', ...exportArgs('70000000033'));
    expect(stdout).toBe('There are no log rows about this number.\n');
    const wrong = await admin('privacy', ...exportArgs('7000000001a'));
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toContain('The file does not contain a valid NIN.');
    expect(wrong.stderr).not.toContain('7000000001a');
  });
});

test('a number file may begin with a byte order mark, but must be UTF-8', async () => {
  const number = '70000000066';
  const request = await logged({ number });
  const args = exportArgs(number);
  writeFileSync(numberFile, `\uFEFF${number}\r\n`);
  expect((await report(...args)).rows).toMatchObject([{ request_id: request }]);
  for (const text of [`\uFEFF${number}\r\n`, number]) {
    writeFileSync(numberFile, text, 'utf16le');
    const { code, stderr } = await admin('privacy', ...args);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `The file ${numberFile} is not in UTF-8. Save the file as UTF-8.\n`,
    });
  }
  rmSync(numberFile);
  expect(await admin('privacy', ...args)).toMatchObject({ code: 2, stdout: '' });
});

test('privacy export says so if earlier rows were erased', async () => {
  const wallet = { env: 'live', organisationId: id } as const;
  const number = '70000000055';
  const [numberTag] = numberTags(CURRENT, wallet, 'NIN', number);
  const { client, tables } = deployment;
  const erasures = erasureTable(client, tables.verificationLogs, 365);
  const before = await logged({ number });
  await erasures.mark(wallet, [numberTag], yesterdayMs + 1_000);
  for (const row of await erasures.rowsOf(wallet, numberTag)) await erasures.anonymise(wallet, row);
  const after = await logged({ number, requestedAt: new Date(yesterdayMs + 2_000).toISOString() });

  const { erasedBefore, rows } = await report(...exportArgs(number));
  expect(erasedBefore).toBe(new Date(yesterdayMs + 1_000).toISOString());
  expect(rows.map(({ request_id }: { request_id: string }) => request_id)).toEqual([after]);
  const { stdout } = await admin('privacy', ...exportArgs(number));
  expect(stdout).toMatch(/^Look-ups of this number before .*Z were erased\. Their log rows cannot be found/);
  expect(stdout).not.toContain(before);
  expect((await report(...exportArgs(NIN))).erasedBefore).toBeNull();
});

describe('privacy impact', () => {
  const period = ['--from', dayOf(yesterdayMs), '--to', dayOf(yesterdayMs + DAY_MS)];

  test('counts what was looked up with a key in a period, without naming anyone', async () => {
    const { row: key } = await deployment.operator.createKey({
      organisationId: id,
      env: 'live',
      label: 'leaked',
    });
    const use = { keyLabel: 'leaked' } as const;
    await logged(use);
    await logged({ ...use, service: 'nin-slip' });
    await logged({ ...use, replayOf: '01KADA3CV5Y2M2J1Q0QW5PZ7Z4', creditsCharged: 0 });
    await logged({ ...use, number: OTHER_NIN, outcome: 'NOT_FOUND', httpStatus: 400, creditsCharged: 0 });
    await logged({ ...use, tag: 'erased.x', number: '70000000044' });
    // None of these rows is counted.
    await logged({ ...use, requestedAt: new Date(yesterdayMs - DAY_MS).toISOString() });
    await logged({ ...use, requestedAt: new Date(yesterdayMs + DAY_MS).toISOString() });
    await logged({ ...use, env: 'test' });
    await logged({ ...use, organisationId: 'aaaaaaaaaa' });
    await logged({});
    // A stolen key is revoked before anyone asks for the report.
    await deployment.operator.revokeKey(key);

    const counts = await report('impact', id, '--env', 'live', '--key', 'leaked', ...period);
    expect(counts).toEqual({
      organisation: id,
      env: 'live',
      from: `${dayOf(yesterdayMs)}T00:00:00.000Z`,
      to: `${dayOf(yesterdayMs + DAY_MS)}T00:00:00.000Z`,
      label: 'leaked',
      keys: [{ hash: key.hash, status: 'REVOKED', lastFour: key.lastFour, createdAt: key.createdAt }],
      lookUps: 5,
      found: 4,
      replays: 1,
      creditsCharged: 3,
      numbers: 2,
      numbersFound: 1,
      erased: 1,
      services: [
        { name: 'nin-basic', lookUps: 4, found: 3 },
        { name: 'nin-slip', lookUps: 1, found: 1 },
      ],
      outcomes: [
        { name: 'FOUND', lookUps: 4, found: 4 },
        { name: 'NOT_FOUND', lookUps: 1, found: 0 },
      ],
      days: [{ name: dayOf(yesterdayMs), lookUps: 5, found: 4 }],
    });
    const byHash = await report('impact', id, '--env', 'live', '--key', key.hash.slice(0, 8), ...period);
    expect(byHash).toEqual(counts);

    const { stdout } = await admin('privacy', 'impact', id, '--env', 'live', '--key', 'leaked', ...period);
    expect(stdout).toMatch(/^different numbers +2$/m);
    expect(stdout).toMatch(/^nin-slip +1 +1$/m);
    for (const number of [NIN, OTHER_NIN, '70000000044'])
      for (const tag of numberTags(ROTATED, { env: 'live', organisationId: id }, 'NIN', number))
        expect(JSON.stringify(counts) + stdout).not.toContain(tag);
  });

  test('if the end of the period is in the future, the report and the audit trail show that it ends now', async () => {
    await deployment.operator.createKey({ organisationId: id, env: 'live', label: 'recent' });
    const query = ['--key', 'recent', '--from', '2026-01-01', '--to', '2999-01-01'];
    const { to } = await report('impact', id, '--env', 'live', ...query);
    expect(Math.abs(Date.parse(to) - Date.now())).toBeLessThan(60_000);
    const [entry] = await deployment.operator.auditTrail({ organisationId: id });
    expect(entry).toMatchObject({ action: 'privacy impact', after: { to } });
  });

  test('covers what a key looked up under its earlier labels', async () => {
    const { row: key } = await deployment.operator.createKey({
      organisationId: id,
      env: 'live',
      label: 'first',
    });
    await logged({ keyLabel: 'first' });
    const keys = apiKeyTable(deployment.client, deployment.tables.apiKeys);
    await editApiKey(keys, key, { label: 'renamed' }, new Date());
    // 600 labels: more than a filter of DynamoDB has room for.
    for (let other = 0; other < 12; other += 1) {
      const formerLabels = Array.from({ length: 50 }, (_, index) => `label ${other} ${index}`);
      const row = { ...key, hash: hashOf(`key ${other}`), label: 'renamed', formerLabels };
      expect(await keys.insertApiKey(row, (await keys.readApiKeys(id)).count)).toBe(true);
    }
    await logged({ keyLabel: 'label 11 49' });
    const counts = await report('impact', id, '--env', 'live', '--key', 'renamed', ...period);
    expect([counts.lookUps, counts.keys.length]).toEqual([2, 13]);
  });

  test('covers all keys of the label, and names them', async () => {
    for (const _ of [1, 2])
      await deployment.operator.createKey({ organisationId: id, env: 'live', label: 'pair' });
    const counts = await report('impact', id, '--env', 'live', '--key', 'pair', ...period);
    expect(counts.keys).toHaveLength(2);
    const { stdout } = await admin('privacy', 'impact', id, '--env', 'live', '--key', 'pair', ...period);
    expect(stdout).toContain('2 keys have this label, and log rows contain only the label.');
    expect(stdout).toContain(counts.keys[1].hash.slice(0, 12));
  });

  test.each([
    ['an unknown key', ['--key', 'nobody', '--from', '2026-01-01'], 1],
    ['a key of the other environment', ['--key', 'leaked', '--env', 'test', '--from', '2026-01-01'], 1],
    [
      'a period that ends before it starts',
      ['--key', 'leaked', '--from', '2026-02-01', '--to', '2026-01-01'],
      2,
    ],
    ['no start of the period', ['--key', 'leaked'], 2],
  ])('%s is rejected', async (_, args, code) => {
    expect(await admin('privacy', 'impact', id, '--env', 'live', ...args)).toMatchObject({
      code,
      stdout: '',
    });
  });
});
