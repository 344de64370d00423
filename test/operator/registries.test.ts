import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { registryStateTable } from '../../shared/registries/health/registry-state-table.ts';
import { DOJAH_ERRORS, DOJAH_KEYS, DOJAH_NUMBERS, startDojah } from '../support/registries/dojah-double.ts';
import type { TestDouble } from '../support/registries/double.ts';
import { startTestDeployment, type TestDeployment } from './run-admin.ts';

let deployment: TestDeployment;
let dojah: TestDouble;
const directory = mkdtempSync(join(tmpdir(), 'registry-'));
const credentials = join(directory, 'dojah.json');
beforeAll(async () => {
  deployment = await startTestDeployment();
  dojah = await startDojah();
  writeFileSync(credentials, JSON.stringify({ ...DOJAH_KEYS, baseUrl: dojah.baseUrl }), { mode: 0o600 });
});
afterAll(async () => {
  await dojah.stop();
  await deployment.close();
  rmSync(directory, { recursive: true });
});

describe('registry status', () => {
  test('shows the health of each provider, and what it serves', async () => {
    const table = registryStateTable(deployment.client, deployment.tables.apiKeys);
    const nowMs = Date.now();
    for (let failed = 0; failed < 20; failed += 1)
      await table.recordFailure(
        { provider: 'sandbox', env: 'live' },
        { startedMs: nowMs, endedMs: nowMs, successes: 0 },
      );
    const since = new Date(nowMs).toISOString();
    expect(await deployment.json('registry', 'status')).toEqual([
      {
        name: 'sandbox',
        displayName: 'Sandbox',
        environment: 'live',
        status: 'down',
        since,
        serves: ['NIN (1)', 'BVN (1)', 'CAC (1)', 'TIN (1)', 'NUBAN (1)'],
      },
      expect.objectContaining({ environment: 'test', status: 'up', since: null }),
    ]);
    const { code, stdout } = await deployment.admin('registry', 'status');
    expect(code).toBe(0);
    expect(stdout.split('\n')[1]).toMatch(/^Sandbox {3}live {2}down {4}\S+Z {2}NIN \(1\), BVN \(1\)/);
  });
});

describe('registry test', () => {
  const testDojah = (...args: string[]) =>
    deployment.admin('registry', 'test', 'dojah', ...args, '--credentials', credentials);

  test('prints the outcome and the latency, but not the record', async () => {
    const { code, stdout } = await testDojah('NIN', DOJAH_NUMBERS.NIN, '--yes');

    expect(code).toBe(0);
    expect(stdout).toMatch(/outcome +found\n/);
    expect(stdout).toMatch(/latency +\d+ ms/);
    expect(stdout).not.toMatch(/Amina|Specimen|70123456789|stand-in/i);
  });

  test('a failed look-up exits with 1 and the reason', async () => {
    const { code, stdout, stderr } = await testDojah('NIN', DOJAH_ERRORS.rateLimited, '--yes', '--json');

    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'unreachable', detail: 'rate-limited' });
    expect(stderr).toContain('The outcome of the look-up is unreachable.');
  });

  test('asks for confirmation; without a terminal, nothing is sent', async () => {
    const before = dojah.requests.length;
    const { code, stderr } = await testDojah('NIN', DOJAH_NUMBERS.NIN);

    expect([code, dojah.requests.length]).toEqual([2, before]);
    expect(stderr).toContain('It may be billed.');
  });

  test.each([
    ['an unknown provider', ['registry', 'test', 'unknown', 'NIN', DOJAH_NUMBERS.NIN]],
    ['a number of the wrong format', ['registry', 'test', 'dojah', 'NIN', '123', '--credentials', 'x']],
    ['no credentials', ['registry', 'test', 'dojah', 'NIN', DOJAH_NUMBERS.NIN]],
  ])('%s exits with 2', async (_, args) => {
    expect((await deployment.admin(...args, '--yes')).code).toBe(2);
  });
});
