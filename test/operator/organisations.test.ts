import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { servicePrice } from '../../shared/accounts/organisation.ts';
import { startTestDeployment, type TestDeployment } from './test-deployment.ts';

interface Organisation {
  readonly id: string;
  readonly status: string;
  readonly services: readonly { readonly name: string; readonly price: number }[];
}

let deployment: TestDeployment;
beforeAll(async () => {
  deployment = await startTestDeployment();
});
afterAll(() => deployment.close());

const newOrganisation = (name = 'Harmattan Credit') => deployment.operator.createOrganisation(name);

describe('org', () => {
  test('create makes a pending organisation without services and with two empty wallets', async () => {
    const made = await deployment.json<Organisation>('org', 'create', 'Harmattan Credit');
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9A-Za-z]{10}$/),
      name: 'Harmattan Credit',
      status: 'PENDING',
      services: [],
      keptPrices: [],
      rateLimit: { perSecond: 10, burst: 20 },
      walletShards: 1,
      createdAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/),
    });
    expect(await deployment.json('wallet', 'balance', made.id)).toEqual({
      organisation: made.id,
      wallets: [
        { env: 'live', available: 0, held: 0, credited: 0 },
        { env: 'test', available: 0, held: 0, credited: 0 },
      ],
    });
  });

  test('approve, suspend and approve again change the status and nothing else', async () => {
    const made = await deployment.json<Organisation>('org', 'create', 'Harmattan Credit');
    expect(await deployment.json('org', 'approve', made.id)).toEqual({ ...made, status: 'APPROVED' });
    expect(await deployment.json('--yes', 'org', 'suspend', made.id)).toEqual({
      ...made,
      status: 'SUSPENDED',
    });
    expect(await deployment.json('org', 'approve', made.id)).toEqual({ ...made, status: 'APPROVED' });
    expect(await deployment.json('org', 'show', made.id)).toEqual({ ...made, status: 'APPROVED' });
  });

  test('set-rate sets the sustained rate and the burst', async () => {
    const { id } = await newOrganisation();
    expect(await deployment.json('org', 'set-rate', id, '50', '100')).toMatchObject({
      rateLimit: { perSecond: 50, burst: 100 },
    });
    const { stdout } = await deployment.admin('org', 'show', id);
    expect(stdout).toMatch(/^rate limit +50 requests per second, burst of 100$/m);
  });

  test('set-low-balance sets the threshold, and without a number restores the default', async () => {
    const made = await deployment.json<Organisation>('org', 'create', 'Harmattan Credit');
    const changed = { ...made, lowBalanceCredits: 5_000 };
    expect(await deployment.json('org', 'set-low-balance', made.id, '5000')).toEqual(changed);
    // Other changes keep the threshold.
    await deployment.admin('org', 'approve', made.id);
    const { stdout } = await deployment.admin('org', 'show', made.id);
    expect(stdout).toMatch(/^low balance +below 5,000 credits$/m);
    expect(await deployment.json('org', 'set-low-balance', made.id)).toEqual({ ...made, status: 'APPROVED' });
    expect((await deployment.admin('org', 'show', made.id)).stdout).toMatch(
      /^low balance +below the stage's threshold$/m,
    );
  });

  test('list shows every organisation, oldest first', async () => {
    const first = await newOrganisation('Baobab Lending');
    const second = await newOrganisation('Kainji Pay');
    const ids = (await deployment.json<Organisation[]>('org', 'list')).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([first.id, second.id]));
    expect(ids.indexOf(first.id)).toBeLessThan(ids.indexOf(second.id));
    const { stdout } = await deployment.admin('org', 'list');
    expect(stdout).toMatch(new RegExp(`^${second.id}  PENDING +0 +1  .*Z  Kainji Pay$`, 'm'));
  });

  test('an unknown organisation exits with 1 and prints one sentence', async () => {
    expect(await deployment.admin('org', 'approve', 'aaaaaaaaaa')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no organisation aaaaaaaaaa.\n',
    });
  });

  test.each([
    ['an invalid organisation ID', ['org', 'show', 'no-id']],
    ['a name with a line break', ['org', 'create', 'two\nlines']],
    ['a name with a line separator', ['org', 'create', 'two\u2028lines']],
    ['a name with an escape sequence', ['org', 'create', '\u001b[31m red']],
    ['a name with a change of direction', ['org', 'create', 'a\u202eb']],
    ['a label with a line break', ['key', 'create', 'aaaaaaaaaa', '--env', 'test', '--label', 'a\nb']],
    ['a rate of 0', ['org', 'set-rate', 'aaaaaaaaaa', '0', '5']],
    ['a missing argument', ['org', 'show']],
    ['an unknown command', ['org', 'delete', 'aaaaaaaaaa']],
    ['no command', []],
  ])('%s exits with 2', async (_, args) => {
    const { code, stdout, stderr } = await deployment.admin(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).not.toBe('');
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe('service', () => {
  test('enable with an ID type enables all services of the type', async () => {
    const { id } = await newOrganisation();
    const { services } = await deployment.json<Organisation>('service', 'enable', id, 'NIN', 'tin-basic');
    expect(services).toEqual([
      { name: 'nin-basic', price: 1 },
      { name: 'nin-premium', price: 1 },
      { name: 'tin-basic', price: 1 },
      { name: 'nin-slip', price: 1 },
    ]);
  });

  test('disable removes the given services and keeps the others', async () => {
    const { id } = await newOrganisation();
    const { code, stderr } = await deployment.admin('service', 'enable', id, 'BVN');
    expect([code, stderr]).toEqual([1, expect.stringContaining('Pass --bvn-basis')]);
    const basis = ['--bvn-basis', 'CBN licence 1'];
    await deployment.json('service', 'enable', id, 'BVN', 'nin-basic', ...basis);
    await deployment.json('service', 'enable', id, 'BVN');
    const { services } = await deployment.json<Organisation>('service', 'disable', id, 'BVN');
    expect(services).toEqual([{ name: 'nin-basic', price: 1 }]);
  });

  test('a special price is kept while the service is disabled', async () => {
    const { id } = await newOrganisation();
    const { operator } = deployment;
    await operator.enableServices(id, ['nin-basic', 'nin-premium']);
    await operator.setPrice(id, 'nin-premium', 3);
    const { stdout } = await deployment.admin('service', 'disable', id, 'nin-premium');
    expect(stdout).toBe(
      'SERVICE    CREDITS\nnin-basic        1\n\nKept prices of disabled services: nin-premium (3).\n',
    );
    expect(servicePrice(await operator.enableServices(id, ['nin-premium']), 'nin-premium')).toBe(3);
  });

  test('a special price remains if enable is repeated for the service', async () => {
    const { id } = await newOrganisation();
    await deployment.operator.enableServices(id, ['nin-basic', 'nin-premium']);
    await deployment.json('service', 'set-price', id, 'nin-premium', '3');
    const { services } = await deployment.json<Organisation>('service', 'enable', id, 'nin-premium');
    expect(services).toEqual([
      { name: 'nin-basic', price: 1 },
      { name: 'nin-premium', price: 3 },
    ]);
    const { stdout } = await deployment.admin('service', 'enable', id, 'nin-premium');
    expect(stdout).toBe('SERVICE      CREDITS\nnin-basic          1\nnin-premium        3\n');
  });

  test('set-price rejects a service that is not enabled', async () => {
    const { id } = await newOrganisation();
    expect(await deployment.admin('service', 'set-price', id, 'nin-slip', '2')).toEqual({
      code: 1,
      stdout: '',
      stderr: `nin-slip is not enabled for ${id}. Enable it first.\n`,
    });
  });

  test('an unknown service is rejected with a list of the known ones, and nothing is enabled', async () => {
    const { id } = await newOrganisation();
    const { code, stderr } = await deployment.admin('service', 'enable', id, 'nin-basic', 'passport');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^There is no service "passport"\. Pass a service \(nin-basic, .*NUBAN.*\.\n$/);
    expect((await deployment.operator.getOrganisation(id)).services).toEqual({});
  });
});
