import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DOJAH_ERRORS, DOJAH_KEYS, DOJAH_NUMBERS, startDojah } from '../support/registries/dojah-double.ts';
import { type DoubleRequest, startDouble, type TestDouble } from '../support/registries/double.ts';
import { FIXTURES } from '../support/registries/fixtures.ts';
import { PREMBLY_KEY, startPrembly } from '../support/registries/prembly-double.ts';
import { QOREID_CREDENTIALS, startQoreid } from '../support/registries/qoreid-double.ts';
import { startYouverify, YOUVERIFY_KEY } from '../support/registries/youverify-double.ts';
import { startTestDeployment, type TestDeployment } from './test-deployment.ts';

/**
 * Most tests run `registry test` against Dojah's published samples, which a test can change. Errors come from the test
 * double for Dojah.
 */

type Body = { entity: Record<string, unknown> } & Record<string, unknown>;
type Change = (body: Body, path: string) => void;
const UNCHANGED: Change = () => undefined;

let deployment: TestDeployment;
let dojah: TestDouble;
let published: TestDouble;
let change = UNCHANGED;
const directory = mkdtempSync(join(tmpdir(), 'registry-'));
const credentials = join(directory, 'dojah.json');

beforeAll(async () => {
  deployment = await startTestDeployment();
  dojah = await startDojah();
  published = await startDouble(respond);
  writeFileSync(credentials, JSON.stringify({ ...DOJAH_KEYS, baseUrl: published.baseUrl }), { mode: 0o600 });
});
afterAll(async () => {
  await published.stop();
  await dojah.stop();
  await deployment.close();
  rmSync(directory, { recursive: true });
});
beforeEach(() => {
  change = UNCHANGED;
});

async function respond({ path, query, headers }: DoubleRequest) {
  const { authorization = '', appid = '' } = headers;
  const url = `${dojah.baseUrl}${path}?${query}`;
  const { ok, status } = await fetch(url, { headers: { authorization, appid: String(appid) } });
  const sample = FIXTURES.findLast(
    (one) => one.provider === 'dojah' && one.kind === 'found' && one.path === path,
  );
  if (!ok || !sample) return { status, body: {} };
  const body = structuredClone(sample.body) as Body;
  change(body, path);
  return { status, body };
}

const testDojah = (...args: string[]) =>
  deployment.admin(
    'registry',
    'test',
    'dojah',
    ...args,
    '--credentials',
    credentials,
    '--reason',
    'ticket 17',
  );

interface Report {
  readonly provider: string;
  readonly lookUps: readonly {
    readonly idType: string;
    readonly level: string;
    readonly number: string;
    readonly outcome: string;
    readonly sample: { readonly kind: string; readonly missing?: string[]; readonly added?: string[] };
  }[];
  readonly untested: readonly unknown[];
}
const reportIn = (stdout: string) => JSON.parse(stdout) as Report;

describe('registry test with a number', () => {
  test('prints the outcome, the latency and how the fields compare, but not the record', async () => {
    const { code, stdout } = await testDojah('NIN', DOJAH_NUMBERS.NIN, '--yes');

    expect(code).toBe(0);
    expect(stdout).toMatch(/outcome +found\n/);
    expect(stdout).toMatch(/latency +\d+ ms\n/);
    expect(stdout).toMatch(/fields +as published\n/);
    expect(stdout).not.toMatch(/amina|specimen|70123456789/i);
  });

  test('exits with 1 and the reason if the look-up fails', async () => {
    const { code, stdout, stderr } = await testDojah('NIN', DOJAH_ERRORS.rateLimited, '--yes', '--json');

    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'unreachable',
      detail: 'rate-limited',
      sample: { kind: 'not-compared' },
    });
    expect(stderr).toContain('The look-up returned no record (outcome: unreachable).');
  });

  test('exits with 1 if a field differs, and names it', async () => {
    change = ({ entity }) => {
      entity['new_field'] = 'Harmattan';
    };
    const { code, stdout, stderr } = await testDojah('NIN', DOJAH_NUMBERS.NIN, '--yes');

    expect(code).toBe(1);
    expect(stdout).toMatch(/^additional +entity\.new_field$/m);
    expect(stdout).not.toContain('Harmattan');
    expect(stderr).toContain('The response differs from the published sample in 1 field.');
  });

  test('asks for confirmation; without a terminal, nothing is sent', async () => {
    const before = dojah.requests.length;
    const { code, stderr } = await testDojah('NIN', DOJAH_NUMBERS.NIN);

    expect([code, dojah.requests.length]).toEqual([2, before]);
    expect(stderr).toContain('It may be billed.');
  });
});

describe('registry test without a number', () => {
  const DOJAH_LIST = [
    ['NIN', 'basic', DOJAH_NUMBERS.NIN],
    ['NIN', 'premium', DOJAH_NUMBERS.NIN],
    ['BVN', 'basic', DOJAH_NUMBERS.BVN],
    ['BVN', 'premium', DOJAH_NUMBERS.BVN],
    ['TIN', 'basic', DOJAH_NUMBERS.TIN],
  ];

  test('looks up all published test numbers, and exits with 0 if all responses are as published', async () => {
    const { code, stdout } = await testDojah('--yes', '--json');
    const { lookUps, untested } = reportIn(stdout);

    expect(lookUps.map(({ idType, level, number }) => [idType, level, number])).toEqual(DOJAH_LIST);
    for (const one of lookUps)
      expect(one).toMatchObject({ outcome: 'found', sample: { kind: 'compared', missing: [], retyped: [] } });
    expect(untested).toEqual([
      { idType: 'CAC', level: 'basic' },
      { idType: 'CAC', level: 'premium' },
      { idType: 'NUBAN', level: 'basic' },
    ]);
    expect(code).toBe(0);
  });

  test('names the product and the fields that a response lacks, adds or has with a different type', async () => {
    change = ({ entity }, path) => {
      if (!path.endsWith('/tin')) return;
      delete entity['tax_office'];
      entity['taxpayer_id'] = 'Harmattan';
      entity['email'] = 7;
    };
    const { code, stdout, stderr } = await testDojah('--yes');

    expect(code).toBe(1);
    expect(stdout).toMatch(/^TIN +basic +18609323-0001 +\d+ {2}3 differences +/m);
    expect(stdout).toMatch(/^BVN +basic +22222222222 +\d+ {2}as published +found$/m);
    expect(stdout).toMatch(/^TIN basic compared with the published sample of tin:\nFIELD IS {4}FIELD\n/m);
    expect(stdout).toMatch(/^missing +entity\.tax_office$/m);
    expect(stdout).toMatch(/^additional +entity\.taxpayer_id$/m);
    expect(stdout).toMatch(/^different +entity\.email \(number instead of string\)$/m);
    expect(stdout).toMatch(/^Sample: https:/m);
    expect(stdout).toContain(
      'Not tested, because no test number is published: CAC basic, CAC premium, NUBAN',
    );
    expect(stdout).not.toContain('Harmattan');
    expect(stderr).toContain(
      '1 of 5 look-ups failed: no record was found, or the response differs from the published sample.',
    );
  });

  test('names the fields even if the adapter can no longer read the response', async () => {
    change = (body, path) => {
      if (path.endsWith('/tin')) Object.assign(body, { entity: { renamed: body.entity } });
    };
    const { code, stdout } = await testDojah('TIN', '--yes', '--json');
    const [only] = reportIn(stdout).lookUps;

    expect(code).toBe(1);
    expect(only).toMatchObject({
      outcome: 'failed',
      sample: { kind: 'compared', added: ['entity.renamed'] },
    });
    expect(only?.sample.missing).toHaveLength(8);
  });

  test('can be limited to an ID type and a level', async () => {
    const { stdout } = await testDojah('BVN', '--level', 'premium', '--yes', '--json');

    expect(reportIn(stdout).lookUps).toMatchObject([{ idType: 'BVN', level: 'premium', outcome: 'found' }]);
  });

  test('asks for confirmation with the number of look-ups; without a terminal, nothing is sent', async () => {
    const before = dojah.requests.length;
    const { code, stderr } = await testDojah();

    expect([code, dojah.requests.length]).toEqual([2, before]);
    expect(stderr).toContain('Send 5 look-ups to Dojah? Each may be billed.');
  });

  test('exits with 2 if the provider publishes no test number for the ID type', async () => {
    const { code, stderr } = await testDojah('CAC', '--yes');

    expect(code).toBe(2);
    expect(stderr).toContain('Dojah publishes no matching test number. Pass an ID type and a number.');
  });
});

test.each([
  ['prembly', startPrembly, { apiKey: PREMBLY_KEY }, 9],
  ['qoreid', startQoreid, QOREID_CREDENTIALS, 4],
  ['youverify', startYouverify, { apiKey: YOUVERIFY_KEY }, 2],
] as const)('every published test number of %s is found', async (name, start, keys, count) => {
  const double = await start();
  const file = join(directory, `${name}.json`);
  writeFileSync(file, JSON.stringify({ ...keys, baseUrl: double.baseUrl }), { mode: 0o600 });
  const { stdout } = await deployment.admin(
    'registry',
    'test',
    name,
    '--credentials',
    file,
    '--yes',
    '--json',
    '--reason',
    'ticket 17',
  );
  await double.stop();

  const outcomes = reportIn(stdout).lookUps.map(({ idType, level, outcome }) => [idType, level, outcome]);
  expect(outcomes).toHaveLength(count);
  expect(outcomes.filter(([, , outcome]) => outcome !== 'found')).toEqual([]);
});

test.each([
  ['an unknown provider', ['unknown', 'NIN', DOJAH_NUMBERS.NIN]],
  ['the sandbox', ['sandbox']],
  ['a number of the wrong format', ['dojah', 'NIN', '123', '--credentials', 'x']],
  ['a bank code without a number', ['dojah', '--bank-code', '058', '--credentials', credentials]],
  ['no credentials', ['dojah', 'NIN', DOJAH_NUMBERS.NIN]],
])('registry test with %s exits with 2', async (_, args) => {
  expect((await deployment.admin('registry', 'test', ...args, '--reason', 'ticket 17', '--yes')).code).toBe(
    2,
  );
});
