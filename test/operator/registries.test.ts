import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { idTypesWithout } from '../../clients/operator/operations/registries.ts';
import { registryStateTable } from '../../shared/registries/health/registry-state-table.ts';
import { LOCAL_OPERATOR } from './operator-functions.ts';
import { startTestDeployment, type TestDeployment } from './test-deployment.ts';

let deployment: TestDeployment;
beforeAll(async () => {
  deployment = await startTestDeployment();
});
afterAll(async () => {
  await deployment.close();
});

describe('registry status', () => {
  test('shows the health of each provider, and what it serves', async () => {
    const table = registryStateTable(deployment.client, deployment.tables.apiKeys);
    const nowMs = Date.now();
    const failed = { startedMs: nowMs, endedMs: nowMs, successes: 0 };
    for (let count = 0; count < 20; count += 1)
      await table.recordFailure({ provider: 'sandbox', env: 'live', idType: 'NUBAN' }, failed);
    const since = new Date(nowMs).toISOString();
    expect(await deployment.json('registry', 'status')).toEqual([
      {
        name: 'sandbox',
        displayName: 'Sandbox',
        environment: 'live',
        status: 'degraded',
        since,
        serves: ['NIN (1)', 'BVN (1)', 'CAC (1)', 'TIN (1)', 'NUBAN (1) down'],
        disabled: null,
      },
      expect.objectContaining({ environment: 'test', status: 'up', since: null }),
    ]);
    const { code, stdout } = await deployment.admin('registry', 'status');
    expect(code).toBe(0);
    expect(stdout.split('\n')[1]).toMatch(/^Sandbox {3}live {2}degraded {2}\S+Z {2}NIN \(1\), BVN \(1\)/);
  });
});

describe('registry disable and enable', () => {
  const USER = LOCAL_OPERATOR;
  const reason = 'wrong TIN records since this morning';
  const disable = (...args: string[]) => deployment.admin('registry', 'disable', ...args);

  test('disable a provider until it is enabled, and show who disabled it, when and why', async () => {
    const startedMs = Date.now();
    const { code, stdout } = await disable('prembly', '--reason', reason, '--yes');
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(RegExp(`^Prembly was disabled by ${USER} at \\S+Z: ${reason}\n$`)),
    ]);
    const [, , prembly] = await deployment.json<{ since: string }[]>('registry', 'status');
    expect(prembly).toEqual({
      name: 'prembly',
      displayName: 'Prembly',
      environment: 'live',
      status: 'down',
      since: expect.any(String),
      serves: [],
      disabled: { actor: USER, reason, at: prembly?.since },
    });
    expect(Date.parse(prembly?.since ?? '')).toBeGreaterThanOrEqual(startedMs - 1_000);
    const shown = (await deployment.admin('registry', 'status')).stdout;
    expect(shown).toMatch(/^Prembly {3}live {2}disabled {2}\S+Z +not in the routing$/m);
    expect(shown).toMatch(RegExp(`^Prembly was disabled by ${USER} at \\S+Z: ${reason}$`, 'm'));

    expect(await deployment.json('registry', 'enable', 'prembly')).toEqual({
      provider: 'prembly',
      disabled: null,
      changed: true,
    });
    expect(await deployment.json('registry', 'status')).toHaveLength(2);
  });

  test('change nothing when they are repeated', async () => {
    await disable('dojah', '--reason', reason, '--yes');
    const again = await disable('dojah', '--reason', 'another', '--yes');
    expect([again.code, again.stdout]).toEqual([
      0,
      expect.stringMatching(
        RegExp(`^Nothing was changed: Dojah was disabled by ${USER} at \\S+Z: wrong TIN records`),
      ),
    ]);
    await deployment.admin('registry', 'enable', 'dojah');
    const { code, stdout } = await deployment.admin('registry', 'enable', 'dojah');
    expect([code, stdout]).toEqual([0, 'Nothing was changed: Dojah was not disabled.\n']);
  });

  test('disable asks for confirmation and requires a reason', async () => {
    const unconfirmed = await disable('prembly', '--reason', reason);
    expect(unconfirmed.code).toBe(2);
    expect(unconfirmed.stderr).toContain(
      'Disable Prembly? It is not in the routing of this stage, so no request uses it now.',
    );
    expect((await disable('prembly', '--yes')).code).toBe(2);
    expect((await disable('prembly', '--reason', 'two\nlines', '--yes')).code).toBe(2);
    expect(await deployment.json('registry', 'status')).toHaveLength(2);
  });

  test('the ID types that would have no enabled provider are found before the change', async () => {
    const routing = { NIN: ['prembly', 'dojah'], CAC: ['prembly'], NUBAN: ['paystack'] } as const;
    expect(await idTypesWithout('prembly', deployment, routing)).toEqual(['CAC']);
    await disable('dojah', '--reason', reason, '--yes');
    expect(await idTypesWithout('prembly', deployment, routing)).toEqual(['NIN', 'CAC']);
    await deployment.admin('registry', 'enable', 'dojah');
  });

  test.each(['disable', 'enable'])(
    '%s rejects an unknown provider and names the known ones',
    async (action) => {
      const reasoned = action === 'disable' ? ['--reason', reason] : [];
      const { code, stderr } = await deployment.admin('registry', action, 'premly', ...reasoned, '--yes');

      expect(code).toBe(2);
      expect(stderr).toContain(
        'It must be one of these providers: prembly, dojah, qoreid, paystack, youverify.',
      );
    },
  );

  test('the sandbox cannot be disabled', async () => {
    const { code, stderr } = await disable('sandbox', '--reason', reason, '--yes');

    expect(code).toBe(2);
    expect(stderr).toContain('The sandbox belongs to the service and cannot be enabled, disabled or tested');
  });
});
