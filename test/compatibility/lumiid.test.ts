import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { recordCanaries } from '../support/canaries.ts';
import { pythonEnvironment } from '../support/python-environment.ts';
import { baseUrl, organisation } from '../support/service.ts';

/**
 * The published client lumiid 0.1.0, which customers of this kind of API already use, works with this service when
 * only its base address is changed. The package is the real one from the package index, pinned by its hash.
 */

const GUIDE = new URL('../../docs/guides/move.md', import.meta.url);

type Call = readonly [idType: string, number: string, advance?: boolean];

interface CallResult {
  readonly returned?: {
    readonly code: string;
    readonly summary: { readonly verified: boolean };
    readonly data: Readonly<Record<string, unknown>>;
  };
  readonly raised?: string;
  readonly status?: number | null;
  readonly response?: { readonly code: string; readonly error?: object } | null;
}

const { test: apiKey, balance } = await organisation({ credits: 100 });
let python: string;
beforeAll(async () => {
  const requirements = join(import.meta.dirname, 'lumiid-requirements.txt');
  python = join(await pythonEnvironment('lumiid', requirements), 'python');
});

/** Makes the calls in one process of the client. */
function callWithLumiid(calls: readonly Call[], key = apiKey): readonly CallResult[] {
  const input = JSON.stringify({ base_url: `${baseUrl}/v1`, api_key: key, calls });
  const script = join(import.meta.dirname, 'lumiid-calls.py');
  const { stdout, stderr, status } = spawnSync(python, [script], { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const results: readonly CallResult[] = JSON.parse(stdout);
  recordCanaries(results.map(({ returned }) => returned?.data));
  return results;
}

describe('lumiid verifies', () => {
  const rows: readonly (readonly [string, Call, string, string])[] = [
    ['NIN', ['NIN', '12345678901'], 'nin', '12345678901'],
    ['NIN, advanced', ['NIN', '12345678901', true], 'nin', '12345678901'],
    ['BVN', ['BVN', '22345678901'], 'bvn', '22345678901'],
    ['BVN, advanced', ['BVN', '22345678901', true], 'bvn', '22345678901'],
    ['CAC of a company', ['CAC', 'RC1234567'], 'rcNumber', 'RC1234567'],
    ['CAC of a business name', ['CAC', 'BN1234567'], 'rcNumber', 'BN1234567'],
    ['CAC of a business name, advanced', ['CAC', 'bn7654321', true], 'rcNumber', 'BN7654321'],
    ['CAC of trustees', ['CAC', 'IT123456'], 'rcNumber', 'IT123456'],
    ['CAC of a partnership', ['CAC', 'LLP12345'], 'rcNumber', 'LLP12345'],
    ['TIN of 12 digits', ['TIN', '123456780001'], 'tin', '12345678-0001'],
    ['TIN of 10 digits', ['TIN', '1234567890'], 'tin', '1234567890'],
    ['Tax ID of 13 digits', ['TIN', '1234567890123'], 'tin', '1234567890123'],
    ['NUBAN, without a bank code', ['NUBAN', '0123456789'], 'account_number', '0123456789'],
  ];
  let results: readonly CallResult[];
  let charged: number;
  beforeAll(async () => {
    const { available } = await balance('test');
    results = callWithLumiid(rows.map(([, call]) => call));
    charged = available - (await balance('test')).available;
  });

  test.each(
    rows.map(([name, call, field, number], index) => [name, { call, field, number, index }] as const),
  )('%s', (_, { call, field, number, index }) => {
    expect(results[index]?.returned).toMatchObject({
      success: true,
      code: `${call[0]}_VERIFIED`,
      summary: { verified: true, provider: 'Sandbox' },
      data: { [field]: number },
    });
  });

  test('for one credit each', () => {
    expect(charged).toBe(rows.length);
  });
});

test('the code in the guide verifies a number', () => {
  const guide = readFileSync(GUIDE, 'utf8');
  const [, code = ''] = /```python\n([\s\S]*?)```/.exec(guide) ?? [];
  const program = code
    .replace('https://api.example.com/v1', `${baseUrl}/v1`)
    .replace('idv_test_...', apiKey)
    .concat('print(result["code"])\n');
  const { stdout, stderr } = spawnSync(python, ['-c', program], { encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: 'NIN_VERIFIED\n', stderr: '' });
});

describe('lumiid raises its own exceptions', () => {
  test('for a number without a record, and for a CAC number without its letters', async () => {
    const before = await balance('test');
    const [missing, bare] = callWithLumiid([
      ['NIN', '12345670404'],
      ['CAC', '1234567'],
    ]);
    expect(missing).toMatchObject({
      raised: 'LumiIDError',
      status: 400,
      response: { code: 'NIN_NOT_FOUND', error: { reason: 'no_record', field: 'nin' } },
    });
    expect(bare).toMatchObject({
      raised: 'LumiIDError',
      status: 400,
      response: { code: 'CAC_NOT_FOUND', error: { reason: 'wrong_format', field: 'rc_number' } },
    });
    expect((await balance('test')).available).toBe(before.available);
  });

  test('for a wrong API key', () => {
    const [rejected] = callWithLumiid([['NIN', '12345678901']], 'idv_test_wrong');
    expect(rejected).toMatchObject({
      raised: 'AuthenticationError',
      status: 401,
      response: { code: 'INVALID_API_KEY' },
    });
  });
});
