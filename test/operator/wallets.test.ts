import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { REAL_CLOCK } from '../../shared/core/clock.ts';
import { shardTable } from '../../shared/ledger/tables/shard-table.ts';
import { LOCAL_OPERATOR } from './operator-functions.ts';
import { runInProcess } from './run-in-process.ts';
import { startTestDeployment, type TestDeployment } from './test-deployment.ts';

let deployment: TestDeployment;
let id: string;
beforeAll(async () => {
  // Skips the time for which `wallet set-shards` waits for requests in progress.
  jest.spyOn(REAL_CLOCK, 'pause').mockResolvedValue();
  deployment = await startTestDeployment();
});
beforeEach(async () => {
  ({ id } = await deployment.operator.createOrganisation('Harmattan Credit'));
});
afterAll(() => deployment.close());

/** Adds free credits. test/operator/orders.test.ts tests paid credits. */
const TOP_UP = ['wallet', 'top-up', '--promotional'];

const live = () => ({ env: 'live', organisationId: id }) as const;
const topUp = (credits: string, reference: string, ...options: string[]) =>
  deployment.admin('--yes', ...TOP_UP, id, credits, '--reference', reference, ...options);
const correct = (credits: string, reference: string, ...options: string[]) =>
  deployment.admin(
    'wallet',
    'correct',
    id,
    credits,
    '--reference',
    reference,
    '--reason',
    'typing mistake',
    ...options,
  );

const credit = (amount: number, env: 'live' | 'test' = 'live') =>
  deployment.operator.topUp(
    { ...live(), env },
    { amount, reference: `INV-${env}-${id}`, actor: 'ada', reason: '' },
  );

describe('wallet top-up', () => {
  test('adds credits to the live wallet, with the reference and who added them', async () => {
    const row = await deployment.json<{ createdAt: string }>(
      '--yes',
      ...TOP_UP,
      id,
      '1000',
      '--reference',
      'INV-1',
    );
    expect(row).toEqual({
      organisation: id,
      env: 'live',
      reference: 'INV-1',
      kind: 'TOP_UP',
      credits: 1000,
      actor: LOCAL_OPERATOR,
      reason: '',
      createdAt: expect.any(String),
      effectiveAt: row.createdAt,
      existed: false,
    });
    expect(await deployment.operator.balance(live())).toEqual({ available: 1000, held: 0, credited: 1000 });
    expect(await deployment.operator.balance({ ...live(), env: 'test' })).toMatchObject({ available: 0 });
  });

  test('--env test changes only the test wallet', async () => {
    await topUp('7', 'INV-2', '--env', 'test');
    expect(await deployment.operator.balance({ ...live(), env: 'test' })).toMatchObject({ available: 7 });
    expect(await deployment.operator.balance(live())).toMatchObject({ available: 0 });
  });

  test('shows the name of the customer and the amount, and adds credits only after confirmation', async () => {
    const run = await deployment.admin(...TOP_UP, id, '1000', '--reference', 'INV-3');
    expect(run).toEqual({
      code: 2,
      stdout: '',
      stderr: `Add 1,000 live credits to Harmattan Credit (${id}) with the reference INV-3, free of charge? Confirmation is required, but there is no terminal: pass \`--yes\`.\n`,
    });
    expect(await deployment.operator.balance(live())).toMatchObject({ available: 0 });
    const { stdout } = await topUp('1000', 'INV-3');
    expect(stdout).toBe(`+1,000 live credits for ${id}, recorded as INV-3 by ${LOCAL_OPERATOR}.\n`);
  });

  test.each(['paystack:TOPUP-1', 'expiry:01K', 'refund:IDV-2026-000001', 'TOPUP-01K'])(
    'under the reference %s, which the service itself uses, are rejected',
    async (reference) => {
      for (const run of [await topUp('5', reference), await correct('5', reference)])
        expect(run).toMatchObject({
          code: 2,
          stderr: expect.stringMatching(/^The reference must not|^This is the f/),
        });
    },
  );

  test('repeating a reference with the same amount changes nothing', async () => {
    await credit(1000);
    const { code, stdout } = await topUp('1000', `INV-live-${id}`);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Nothing was changed: INV-live-\w+ \(\+1,000\) had already been recorded at .*Z\.\n$/,
    );
    expect(
      await deployment.json('--yes', ...TOP_UP, id, '1000', '--reference', `INV-live-${id}`),
    ).toMatchObject({
      existed: true,
    });
    expect(await deployment.operator.balance(live())).toEqual({ available: 1000, held: 0, credited: 1000 });
  });

  test('repeating a reference with a different amount is rejected, and nothing is credited', async () => {
    await credit(1000);
    const { code, stdout, stderr } = await topUp('999', `INV-live-${id}`);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: `The reference INV-live-${id} is already used for a top-up of 1000. Use another reference.\n`,
    });
    expect(await deployment.operator.balance(live())).toMatchObject({ available: 1000, credited: 1000 });
  });

  test('a reference of another organisation is rejected without naming that organisation, and nothing is credited', async () => {
    await credit(1000);
    const { id: other } = await deployment.operator.createOrganisation('Kainji Pay');
    const reference = `INV-live-${id}`;
    const payFor = (env: string) =>
      deployment.admin(...['--yes', ...TOP_UP, other, '1000', '--reference', reference, '--env', env]);
    const { code, stdout, stderr } = await payFor('live');
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: `The reference ${reference} is already used for a top-up of another organisation. Check which organisation has paid. Nothing was changed.\n`,
    });
    const wallet = { env: 'live', organisationId: other } as const;
    expect(await deployment.operator.balance(wallet)).toMatchObject({ credited: 0 });
    expect(await deployment.operator.auditTrail({ organisationId: other })).toEqual([]);
    // Test credits have no value, and corrections of two organisations may belong to one ticket.
    expect((await payFor('test')).code).toBe(0);
    const row = { amount: 5, reference, actor: 'ada', reason: 'ticket' };
    expect(await deployment.operator.correct(wallet, row)).toMatchObject({ existed: false });
    expect((await deployment.operator.reconcile()).differences).toEqual([]);
  });

  test('two concurrent top-ups with the same reference for two organisations credit only one of them', async () => {
    const { id: other } = await deployment.operator.createOrganisation('Kainji Pay');
    const row = { amount: 300, reference: `BOTH-${id}`, actor: 'ada', reason: '' };
    const results = await Promise.allSettled(
      [id, other].map((organisationId) => deployment.operator.topUp({ env: 'live', organisationId }, row)),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('S32: a repeated top-up, a forged one, and one with a different amount', async () => {
    const spawnTopUp = () => deployment.spawnAdmin('--yes', ...TOP_UP, id, '300', '--reference', 'INV-6');
    const runs = await Promise.all([spawnTopUp(), spawnTopUp()]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    expect(await deployment.operator.balance(live())).toMatchObject({ available: 300, credited: 300 });
  });

  test('an effective time in the future is rejected, and nothing is credited', async () => {
    const run = await topUp('5', 'INV-7', '--effective-at', '2999-01-01');
    expect(run).toEqual({
      code: 2,
      stdout: '',
      stderr: 'The effective time must not be in the future. Nothing was changed.\n',
    });
    expect(await deployment.operator.balance(live())).toMatchObject({ available: 0 });
  });

  test('an unknown organisation is rejected, and no wallet is created', async () => {
    const { code, stderr } = await deployment.admin(
      '--yes',
      'wallet',
      'top-up',
      'aaaaaaaaaa',
      '5',
      '--reference',
      'INV-8',
    );
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'There is no organisation aaaaaaaaaa.\n' });
    const shards = shardTable(deployment.client, deployment.tables.wallets);
    const shardRefs = await shards.listShards('live');
    expect(shardRefs.filter(({ wallet }) => wallet.organisationId === 'aaaaaaaaaa')).toEqual([]);
  });
});

describe('wallet correct', () => {
  test('adds credits, with a reason', async () => {
    const { code, stdout } = await correct('25', 'TICKET-1', '--yes');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\+25 live credits for \w{10}, recorded as TICKET-1 by \S+\.\n$/);
    expect(await deployment.operator.balance(live())).toMatchObject({ available: 25 });
  });

  test('removes credits only after confirmation', async () => {
    await credit(100);
    expect(await correct('-40', 'TICKET-2')).toEqual({
      code: 2,
      stdout: '',
      stderr: `Remove 40 live credits from Harmattan Credit (${id}) with the reference TICKET-2, without refunding money or VAT (use \`credit-note create\` for bought credits)? Confirmation is required, but there is no terminal: pass \`--yes\`.\n`,
    });
    expect(await deployment.operator.balance(live())).toMatchObject({ available: 100 });
    expect((await correct('-40', 'TICKET-2', '--yes')).code).toBe(0);
    expect(await deployment.operator.balance(live())).toEqual({ available: 60, held: 0, credited: 60 });
    const again = await correct('-40', 'TICKET-2', '--yes');
    expect(again.stdout).toMatch(
      /^Nothing was changed: TICKET-2 \(-40\) had already been recorded at .*\.\n$/,
    );
    expect(await deployment.operator.balance(live())).toMatchObject({ available: 60 });
  });

  test('never removes more than is available', async () => {
    await credit(10);
    expect(await correct('-11', 'TICKET-3', '--yes')).toEqual({
      code: 1,
      stdout: '',
      stderr: "The wallet's available balance is only 10, so 11 cannot be removed.\n",
    });
    expect(await deployment.operator.balance(live())).toMatchObject({ available: 10 });
  });

  test('removes nothing from a wallet that has never had credits, and says that it is empty', async () => {
    const other = (await deployment.operator.createOrganisation('Empty')).id;
    const { code, stderr } = await deployment.admin(
      ...['wallet', 'correct', other, '-5', '--reference', 'TICKET-6', '--reason', 'by mistake', '--yes'],
    );
    expect([code, stderr]).toEqual([
      1,
      "The wallet's available balance is only 0, so 5 cannot be removed.\n",
    ]);
  });

  test('removes credits that are spread over several shards', async () => {
    await credit(10);
    await deployment.operator.setShards(id, 4);
    expect((await correct('-9', 'TICKET-4', '--yes')).code).toBe(0);
    expect(await deployment.operator.balance(live())).toEqual({ available: 1, held: 0, credited: 1 });
  });

  test('requires a reason', async () => {
    expect((await deployment.admin('wallet', 'correct', id, '5', '--reference', 'TICKET-5')).code).toBe(2);
  });
});

describe('wallet balance', () => {
  test('shows both wallets, or only the one given by --env', async () => {
    await credit(1234);
    expect((await deployment.admin('wallet', 'balance', id)).stdout).toBe(
      'ENV   AVAILABLE  HELD  CREDITED\nlive      1,234     0     1,234\ntest          0     0         0\n',
    );
    expect(await deployment.json('wallet', 'balance', id, '--env', 'live')).toEqual({
      organisation: id,
      wallets: [{ env: 'live', available: 1234, held: 0, credited: 1234 }],
    });
  });
});

describe('wallet set-shards', () => {
  const setShards = (count: string, ...options: string[]) =>
    deployment.admin(...options, 'wallet', 'set-shards', id, count);
  const shardsOf = async (env: 'live' | 'test', count: number) => {
    const table = shardTable(deployment.client, deployment.tables.wallets);
    return (await table.snapshot({ ...live(), env }, count)) ?? [];
  };

  test('creates the shards of both wallets and spreads the credits evenly', async () => {
    await credit(10);
    await credit(3, 'test');
    expect(JSON.parse((await setShards('4', '--json')).stdout)).toEqual({
      organisation: id,
      walletShards: 4,
    });
    const amounts = async (env: 'live' | 'test') =>
      (await shardsOf(env, 4)).map(({ available }) => available).sort();
    expect(await amounts('live')).toEqual([2, 2, 3, 3]);
    expect(await amounts('test')).toEqual([0, 1, 1, 1]);
    expect(await deployment.operator.getOrganisation(id)).toMatchObject({ walletShards: 4 });
    expect(await deployment.operator.balance(live())).toEqual({ available: 10, held: 0, credited: 10 });
  });

  test('moves credits only once the requests that do not know the new shards have ended', async () => {
    await credit(10);
    const pause = jest.spyOn(REAL_CLOCK, 'pause').mockImplementation(async (ms) => {
      if (ms < 30_000) return;
      expect(await deployment.operator.getOrganisation(id)).toMatchObject({ walletShards: 2 });
      expect((await shardsOf('live', 2)).map(({ available }) => available)).toEqual([10, 0]);
    });
    const environment = { LOCAL_SERVICE_FILE: deployment.serviceFile };
    const command = ['--local', 'wallet', 'set-shards', id, '2'];
    try {
      expect(await runInProcess(command, { environment, isTerminal: true })).toEqual({
        code: 0,
        stdout: 'Each wallet of Harmattan Credit has 2 shards.\n',
        stderr: 'New requests use the new shards. Waiting 30 s for earlier ones to end.\n',
      });
      expect(pause).toHaveBeenCalledWith(30_000);
      expect((await shardsOf('live', 2)).map(({ available }) => available)).toEqual([5, 5]);
    } finally {
      pause.mockResolvedValue();
    }
  });

  test('rejects a lower number; the same number again changes nothing', async () => {
    await deployment.operator.setShards(id, 3);
    expect(await setShards('2')).toMatchObject({
      code: 1,
      stderr: `Each wallet of ${id} already has 3 shards. The number of shards cannot be lowered.\n`,
    });
    expect((await setShards('3')).code).toBe(0);
    expect(await deployment.operator.getOrganisation(id)).toMatchObject({ walletShards: 3 });
  });

  test('accepts at most 100 shards', async () => {
    await credit(100);
    expect((await setShards('100')).code).toBe(0);
    expect((await shardsOf('live', 100)).map(({ available }) => available)).toEqual(Array(100).fill(1));
    expect((await setShards('101')).code).toBe(2);
  });
});
