import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { PutCommand, paginateScan, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { OperatorApi } from '../../clients/operator/operator-api.ts';
import type { AuditEntry } from '../../shared/audit/audit-entry.ts';
import { accountingMonthOf, monthBefore } from '../../shared/core/accounting-month.ts';
import { DAY_MS, REAL_CLOCK } from '../../shared/core/clock.ts';
import { collectRows } from '../../shared/core/database.ts';
import { approvalKey, approvalRequestKey, logKey } from '../../shared/core/keys.ts';
import { orderTable } from '../../shared/payments/orders/order-table.ts';
import { numberTags } from '../../shared/verifications/number-tag.ts';
import { type AwsDouble, startCloudFormation, startSecrets, startSts } from '../support/aws-doubles.ts';
import { pinStages } from '../support/pin-stages.ts';
import { SETTINGS } from '../unit/payments/memory-payments.ts';
import { LOCAL_OPERATOR } from './operator-functions.ts';
import type { Run } from './run-admin.ts';
import { runInProcess } from './run-in-process.ts';
import { startTestDeployment, type TestDeployment } from './test-deployment.ts';

/**
 * A second person must approve top-ups and credit notes above the stage's limit for one person and day, corrections,
 * prices, erasures and the reopening of months.
 */

const PEPPER = { current: 'a pepper of tests' };
const NUMBER = '70555456781';
const LIMIT = 1_000;
const directory = mkdtempSync(join(tmpdir(), 'approvals-'));
const numberFile = join(directory, 'number.txt');
const environment = { ...process.env };

let deployment: TestDeployment;
let doubles: AwsDouble[];
let caller = '';
let id: string;
beforeAll(async () => {
  writeFileSync(numberFile, NUMBER, { mode: 0o600 });
  pinStages();
  deployment = await startTestDeployment();
  const { tables } = deployment;
  const cloudFormation = await startCloudFormation({
    'identity-prod-data': {
      ApiKeysTable: tables.apiKeys,
      WalletsTable: tables.wallets,
      VerificationLogsTable: tables.verificationLogs,
      AuditTrailTable: tables.auditTrail,
      ApprovalsTable: tables.approvals,
      PaymentsTable: tables.payments,
      ConsoleTable: tables.console,
      SecondPersonAbove: String(LIMIT),
      LogRetentionDays: '365',
      Money: JSON.stringify(SETTINGS),
    },
    'identity-prod-operators': { OperatorsUrl: deployment.operatorsUrl },
  });
  const sts = await startSts(() => caller);
  const secrets = await startSecrets(PEPPER);
  doubles = [cloudFormation, sts, secrets];
  deployment.configure({
    SECOND_PERSON_ABOVE: String(LIMIT),
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
    PEPPER_SECRET: 'pepper',
    SLIP_SECRET: 'slip',
  });
  Object.assign(process.env, deployment.environment, {
    AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.url,
    AWS_ENDPOINT_URL_STS: sts.url,
  });
  // The tests skip the time that an erasure waits for requests in progress.
  jest.spyOn(REAL_CLOCK, 'pause').mockResolvedValue();
});
beforeEach(async () => {
  ({ id } = await deployment.operator.createOrganisation('Harmattan Credit'));
});
afterAll(async () => {
  process.env = environment;
  await Promise.all(doubles.map(({ close }) => close()));
  await deployment.close();
  rmSync(directory, { recursive: true });
});

const finance = (name: string) => `arn:aws:sts::123456789012:assumed-role/identity-prod-finance/${name}`;
const [ADA, BOLA] = [finance('ada'), finance('bola')];

/** Runs a command on the stage in this process, as this AWS caller. */
async function as(identity: string, ...args: readonly string[]): Promise<Run> {
  caller = identity;
  Object.assign(process.env, deployment.credentialsOf(identity));
  return runInProcess(['--stage', 'prod', '--json', '--yes', ...args]);
}

/** The command that adds free credits. */
const TOP_UP = ['wallet', 'top-up', '--promotional'];
const live = () => ({ env: 'live', organisationId: id }) as const;
const balance = async () => (await deployment.operator.balance(live())).available;
const topUp = (credits: number, reference = `INV-${id}`, ...options: readonly string[]) =>
  as(ADA, ...TOP_UP, id, String(credits), '--reference', reference, ...options);

/** Lets the organisation buy credits. */
async function sellCredits(): Promise<void> {
  const { operator } = deployment;
  const price = { organisationId: id, koboPerCredit: 15_000, from: undefined, reason: 'contract' };
  await operator.setCreditPrice(price, 'ada');
  const party = { name: 'Harmattan Ltd', address: ['1 Invented Way'], taxNumber: '12345678-0001' };
  await operator.setBilling(id, { ...party, email: 'accounts@harmattan.example' }, 'ada');
}

function requestIn({ code, stdout, stderr }: Run): string {
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { approval } = JSON.parse(stdout) as { approval: { id: string } };
  return approval.id;
}

/** Returns the IDs of this organisation's open requests. */
async function open(): Promise<string[]> {
  const { stdout } = await as(BOLA, 'approvals');
  const all = JSON.parse(stdout) as { id: string; organisationId: string }[];
  return all.filter(({ organisationId }) => organisationId === id).map((request) => request.id);
}

async function expectRejected(identity: string, request: string, message: RegExp) {
  const before = await balance();
  const { code, stdout, stderr } = await as(identity, 'approve', request);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(message);
  expect(await balance()).toBe(before);
}

test('a top-up at the limit of the stage needs no second person', async () => {
  expect(JSON.parse((await topUp(LIMIT)).stdout)).toMatchObject({ credits: LIMIT, existed: false });
  expect(await balance()).toBe(LIMIT);
  expect(await open()).toEqual([]);
});

describe('credits that one person books alone', () => {
  /** Other tests book as others. */
  const [EFE, FEMI, GBENGA] = [finance('efe'), finance('femi'), finance('gbenga')];
  const give = (identity: string, credits: number, reference: string) =>
    as(identity, ...TOP_UP, id, String(credits), '--reference', `${reference}-${id}`);

  test('need a second person once their sum of the day is above the limit', async () => {
    await deployment.operator.topUp(live(), {
      ...{ amount: 5, reference: `TAKEN-${id}`, actor: 'ada', reason: '' },
    });
    // Neither what is rejected nor what is repeated counts.
    expect((await give(EFE, 600, 'TAKEN')).code).toBe(1);
    for (const existed of [false, true])
      expect(JSON.parse((await give(EFE, 600, 'A')).stdout)).toMatchObject({ existed });
    const request = requestIn(await give(EFE, 401, 'B'));
    expect(JSON.parse((await give(EFE, 400, 'C')).stdout)).toMatchObject({ existed: false });
    const other = requestIn(await give(EFE.replace('finance/efe', 'operator/Efe@example.com'), 1, 'D'));
    expect(await balance()).toBe(1_005);
    expect((await open()).sort()).toEqual([request, other].sort());
    // What another person approves counts for nobody.
    expect((await as(FEMI, 'approve', request)).code).toBe(0);
    expect(JSON.parse((await give(FEMI, LIMIT, 'E')).stdout)).toMatchObject({ existed: false });
    expect(JSON.parse((await give(EFE, 600, 'A')).stdout)).toMatchObject({ existed: true });
    expect(await balance()).toBe(2_406);
  });

  test('keep to the limit even in parallel', async () => {
    const { client, operatorsUrl } = deployment;
    const found = deployment.credentialsOf(GBENGA);
    const credentials = {
      accessKeyId: found.AWS_ACCESS_KEY_ID,
      secretAccessKey: found.AWS_SECRET_ACCESS_KEY,
      ...(found.AWS_SESSION_TOKEN && { sessionToken: found.AWS_SESSION_TOKEN }),
    };
    const { region, sha256 } = client.config;
    const api = new OperatorApi(operatorsUrl, { region, sha256, credentials: async () => credentials });
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => {
        const what = { reference: `P${index}-${id}`, reason: '' };
        return api.change('wallet top-up', { organisation: id, env: 'live', credits: 200, ...what });
      }),
    );
    const done = results.filter((one) => one.status === 'fulfilled' && one.value.kind === 'done');
    expect(done).toHaveLength(LIMIT / 200);
    expect(await balance()).toBe(LIMIT);
  });

  test('count for credit notes too', async () => {
    const HAJARA = finance('hajara');
    await sellCredits();
    const sold = JSON.parse(
      (await as(HAJARA, 'wallet', 'top-up', id, '600', '--reference', `X-${id}`)).stdout,
    );
    const create = ['credit-note', 'create', id, sold.invoice, '401', '--reason', 'bought too many'];
    const note = [...create, '--reference', `TICKET-${id}`];
    requestIn(await as(HAJARA, ...note));
    expect(await balance()).toBe(600);
    expect((await as(finance('ife'), ...note)).code).toBe(0);
    expect(await balance()).toBe(199);
  });
});

describe('a top-up above the limit of the stage', () => {
  test('creates only a request, which a second person approves', async () => {
    const request = requestIn(await topUp(LIMIT + 1));
    expect(await balance()).toBe(0);
    expect(await open()).toEqual([request]);

    const { code, stdout } = await as(BOLA, 'approve', request);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ credits: LIMIT + 1, actor: ADA, existed: false });
    expect(await balance()).toBe(LIMIT + 1);
    expect(await open()).toEqual([]);
    const trail = await deployment.operator.auditTrail({ organisationId: id });
    expect(trail).toMatchObject([
      {
        actor: BOLA,
        action: 'approve',
        target: `credit INV-${id} of the live wallet`,
        approval: { id: request, action: 'wallet top-up', requestedBy: ADA },
      },
      { actor: ADA, action: 'wallet top-up', target: `request ${request} for credit INV-${id} (live)` },
    ]);
  });

  test('that was already booked requests no approval', async () => {
    await as(BOLA, 'approve', requestIn(await topUp(5_000)));
    expect(JSON.parse((await topUp(5_000)).stdout)).toMatchObject({ existed: true });
    expect(await open()).toEqual([]);
  });

  test('that is not valid requests no approval', async () => {
    expect((await topUp(2_000_000_000)).code).toBe(2);
    expect((await topUp(5_000, 'two words')).code).toBe(2);
    expect(await open()).toEqual([]);
  });

  test('with a reference of another organisation requests no approval', async () => {
    const { operator } = deployment;
    const { id: other } = await operator.createOrganisation('Kainji Pay');
    const reference = `PAID-${id}`;
    const row = { amount: 5, reference, actor: 'ada', reason: '' };
    await operator.topUp({ env: 'live', organisationId: other }, row);
    const { code, stdout, stderr } = await topUp(5_000, reference);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: `The reference ${reference} is already used for a top-up of another organisation. Check which organisation has paid. Nothing was changed.\n`,
    });
    expect(await open()).toEqual([]);
    // Corrections of two organisations may belong to one ticket.
    const ticket = ['wallet', 'correct', id, '5', '--reference', reference, '--reason', 'ticket'];
    requestIn(await as(ADA, ...ticket));
  });
});

describe('an earlier request', () => {
  test('is returned again while it is open, and nothing is recorded', async () => {
    const request = requestIn(await topUp(5_000));
    const recorded = (await deployment.operator.auditTrail({ organisationId: id })).length;
    expect(requestIn(await topUp(5_000))).toBe(request);
    expect(await open()).toEqual([request]);
    expect(await deployment.operator.auditTrail({ organisationId: id })).toHaveLength(recorded);
  });

  test.each([
    ['a different amount', () => topUp(6_000)],
    ['a different reference', () => topUp(5_000, `OTHER-${id}`)],
    ['a different reason', () => topUp(5_000, `INV-${id}`, '--reason', 'transfer')],
    ['a different time', () => topUp(5_000, `INV-${id}`, '--effective-at', '2026-11-01')],
    ['a different person', () => as(BOLA, ...TOP_UP, id, '5000', '--reference', `INV-${id}`)],
  ])('does not count for %s', async (_, again) => {
    const request = requestIn(await topUp(5_000));
    const other = requestIn(await again());
    expect((await open()).sort()).toEqual([request, other].sort());
  });

  test('by another person is no longer listed once the credit is recorded', async () => {
    const [mine, theirs] = [
      requestIn(await topUp(5_000)),
      requestIn(await as(BOLA, ...TOP_UP, id, '5000', '--reference', `INV-${id}`)),
    ];
    const other = requestIn(await topUp(5_000, `OTHER-${id}`));
    await as(BOLA, 'approve', mine);
    expect(await open()).toEqual([other]);
    expect(JSON.parse((await as(ADA, 'approve', theirs)).stdout)).toMatchObject({ existed: true });
    expect(await balance()).toBe(5_000);
  });
});

test('a correction that removes more than is available requests no approval', async () => {
  await deployment.operator.topUp(live(), { amount: 10, reference: `S-${id}`, actor: 'ada', reason: '' });
  const correct = (credits: string) =>
    as(ADA, 'wallet', 'correct', id, credits, '--reference', 'T-2', '--reason', 'credited twice');
  expect(await correct('-11')).toEqual({
    code: 1,
    stdout: '',
    stderr: "The wallet's available balance is only 10, so 11 cannot be removed.\n",
  });
  expect(await open()).toEqual([]);
  requestIn(await correct('-10'));
});

describe('approve', () => {
  test.each([
    ['the person who asked', ADA],
    [
      'the same person in a different role',
      'arn:aws:sts::123456789012:assumed-role/identity-prod-operator/ada',
    ],
    ['the same person as an IAM user', 'arn:aws:iam::123456789012:user/staff/Ada'],
  ])('rejects %s', async (_, identity) => {
    const request = requestIn(await topUp(5_000));
    await expectRejected(
      identity,
      request,
      /^You requested this change, so another person must approve it\./,
    );
    expect(await open()).toEqual([request]);
  });

  test('rejects a request that has already been approved', async () => {
    const request = requestIn(await topUp(5_000));
    await as(BOLA, 'approve', request);
    await expectRejected(
      finance('chidi'),
      request,
      /bola already approved this request at .* Nothing was changed\.\n$/,
    );
    expect(await balance()).toBe(5_000);
  });

  test('rejects a request that another run approves before the confirmation', async () => {
    const request = requestIn(await topUp(5_000));
    const terminal = Object.assign(new PassThrough(), { isTTY: true });
    const stdin = jest
      .spyOn(process, 'stdin', 'get')
      .mockReturnValue(terminal as unknown as typeof process.stdin);
    try {
      caller = BOLA;
      const waiting = runInProcess(['--stage', 'prod', 'approve', request]);
      await once(terminal, 'resume'); // The question is asked.
      const approvedAt = new Date().toISOString();
      const Item = { ...approvalKey(request), id: request, approvedBy: BOLA, approvedAt, commandId: 'other' };
      await deployment.client.send(new PutCommand({ TableName: deployment.tables.approvals, Item }));
      terminal.write('y\n');
      const { code, stderr } = await waiting;
      expect({ code, balance: await balance() }).toEqual({ code: 1, balance: 0 });
      expect(stderr).toContain('already approved this request');
    } finally {
      stdin.mockRestore();
    }
  });

  test('rejects a request after 24 hours', async () => {
    const request = requestIn(await topUp(5_000));
    const change = (byMs: number) =>
      deployment.client.send(
        new UpdateCommand({
          TableName: deployment.tables.approvals,
          Key: approvalRequestKey(request),
          UpdateExpression: 'SET expiresAtMs = expiresAtMs + :change',
          ConditionExpression: 'attribute_exists(pk)',
          ExpressionAttributeValues: { ':change': byMs },
        }),
      );
    await change(-DAY_MS);
    await expectRejected(BOLA, request, /^This request has expired, because it is more than 24 hours old\./);
    expect(await open()).toEqual([]);
    // With one more minute, the request is open again, so it was valid for about 24 hours.
    await change(60_000);
    expect(await open()).toEqual([request]);
  });

  test('rejects an unknown request', async () => {
    await expectRejected(
      BOLA,
      '01KADA3CV5Y2M2J1Q0QW5PZ7Z4',
      /^There is no request 01KADA3CV5Y2M2J1Q0QW5PZ7Z4\./,
    );
  });

  test('by two runs at once makes the change once', async () => {
    const { operator } = deployment;
    const wanted = { action: 'wallet correct', requestedBy: ADA, ...live() };
    const order = { work: 'credit', kind: 'CORRECTION', amount: 7, reason: 'x' } as const;
    const [first, second] = ['A', 'B'].map((name) => ({ ...order, reference: `T-${name}-${id}` }));
    if (!first || !second) throw new Error('There are no orders.');
    const { id: request } = await operator.requestApproval(wanted, first);
    // Both commands have read that the request is open. Each books a different reference, so only the approval can
    // prevent a second credit.
    const book = async (reference: string, commandId: string) => {
      const { approvingRecorder } = await import('../../shared/audit/recorder.ts');
      const { approvalTable } = await import('../../shared/audit/approval-table.ts');
      const { auditTable } = await import('../../shared/audit/audit-table.ts');
      const { operator: operatorOf } = await import('../../shared/operators/operator.ts');
      const { client, tables } = deployment;
      const recorder = approvingRecorder(
        auditTable(client, tables.auditTrail),
        approvalTable(client, tables.approvals),
        { ...wanted, id: request },
        { actor: BOLA, action: 'approve', commandId },
        Date.now,
      );
      return operatorOf(deployment, { recorder }).correct(live(), {
        amount: 7,
        reference,
        reason: 'x',
        actor: ADA,
      });
    };
    const results = await Promise.allSettled([
      book(first.reference, 'run-1'),
      book(second.reference, 'run-2'),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await balance()).toBe(7);
  });
});

test('a correction of any amount needs a second person', async () => {
  const args = ['wallet', 'correct', id, '1', '--reference', 'TICKET-1', '--reason', 'credited too little'];
  const request = requestIn(await as(ADA, ...args));
  expect(await balance()).toBe(0);
  await expectRejected(ADA, request, /another person must approve it/);
  expect((await as(BOLA, 'approve', request)).code).toBe(0);
  expect(await balance()).toBe(1);
});

describe('a paid top-up above the limit', () => {
  const paid = () => as(ADA, 'wallet', 'top-up', id, '5000', '--reference', `BANK-${id}`);
  beforeEach(sellCredits);

  test('books the invoice and the credits once a second person approves, and names the total', async () => {
    const request = requestIn(await paid());
    expect(await balance()).toBe(0);
    caller = BOLA;
    const asked = await runInProcess(['--stage', 'prod', 'approve', request]);
    expect(asked.stderr.replaceAll(/\s+/g, ' ')).toContain('paid with ₦806,250.00');
    expect(JSON.parse((await as(BOLA, 'approve', request)).stdout)).toMatchObject({
      credits: 5_000,
      totalKobo: 80_625_000,
      invoice: expect.stringMatching(/^IDV-/),
      requestedBy: ADA,
      approvedBy: BOLA,
    });
    expect(await balance()).toBe(5_000);
  });

  test('is rejected if the price has changed since the request', async () => {
    const request = requestIn(await paid());
    const price = { organisationId: id, koboPerCredit: 20_000, from: undefined, reason: 'contract' };
    await deployment.operator.setCreditPrice(price, 'ada');
    await expectRejected(BOLA, request, /^The price has changed since the top-up was requested\./);
  });

  test('needs a second person again for a refund above the limit', async () => {
    await as(BOLA, 'approve', requestIn(await paid()));
    const [invoice] = await deployment.operator.listDocuments(live(), 'INVOICE');
    const create = ['credit-note', 'create', id, invoice?.number ?? ''];
    const note = [...create, '2000', '--reference', `TICKET-${id}`, '--reason', 'bought too many'];
    const request = requestIn(await as(ADA, ...note));
    expect(await balance()).toBe(5_000);
    await expectRejected(ADA, request, /another person must approve it/);
    const { code, stdout } = await as(BOLA, 'approve', request);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ credits: 2_000, totalKobo: 32_250_000, approvedBy: BOLA });
    expect(await balance()).toBe(3_000);
  });

  test('needs a second person again for a loss above the limit, after its payment was reversed', async () => {
    await as(BOLA, 'approve', requestIn(await paid()));
    const [order] = await deployment.operator.listOrders(live());
    if (!order) throw new Error('The order is missing.');
    const orders = orderTable(deployment.client, deployment.tables.payments);
    const reversed = { ...order, problem: 'reversed', reversedAt: new Date().toISOString() };
    expect(await orders.moveOrder(order, reversed)).toBe(true);
    const resolve = ['order', 'resolve', order.reference, '--as', 'loss', '--reason', 'ticket 17'];
    const stored = () => deployment.operator.requireOrder('live', order.reference);
    const request = requestIn(await as(ADA, ...resolve));
    expect(await stored()).toMatchObject({ problem: 'reversed' });
    expect((await as(ADA, 'approve', request)).stderr).toMatch(/another person must approve it/);
    const { code, stdout } = await as(BOLA, 'approve', request);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ approvedBy: BOLA, resolution: 'ticket 17' });
    expect(await stored()).toMatchObject({
      bookedReversal: { as: 'loss', totalKobo: order.totalKobo, by: ADA },
    });
  });
});

test('the price of a service needs a second person, who sees the present one', async () => {
  await deployment.operator.enableServices(id, ['TIN']);
  const request = requestIn(await as(ADA, 'service', 'set-price', id, 'TIN', '500'));
  const prices = async () => (await deployment.operator.getOrganisation(id)).prices;
  expect(await prices()).toBeUndefined();
  const { stderr } = await deployment.admin('approve', request);
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
    `Set the price of TIN to 500 credits (now tin-basic (1)) for Harmattan Credit (${id}), as ${ADA} requested?`,
  );
  const { stdout } = await as(BOLA, 'approve', request);
  expect(JSON.parse(stdout)).toMatchObject({
    services: [{ name: 'tin-basic', price: 500 }],
    ...{ requestedBy: ADA, approvedBy: BOLA },
  });
  expect(await prices()).toEqual({ 'tin-basic': 500 });
});

test('reopening a month needs a second person', async () => {
  const month = monthBefore(monthBefore(accountingMonthOf(Date.now())));
  await deployment.operator.closeMonths({ month, env: 'live', organisationId: id }, 'ada');
  const state = async () =>
    (await deployment.operator.monthStatus({ month, env: 'live', organisationId: id }))[0]?.closing?.state;
  const reopen = ['month', 'reopen', month, id, '--reason', 'forgotten refund'];
  const request = requestIn(await as(ADA, ...reopen));
  expect(await state()).toBe('CLOSED');
  expect((await as(ADA, 'approve', request)).stderr).toMatch(/another person must approve it/);
  expect(await state()).toBe('CLOSED');

  expect(JSON.parse((await as(BOLA, 'approve', request)).stdout)).toMatchObject({
    month,
    state: 'REOPENED',
    requestedBy: ADA,
    approvedBy: BOLA,
  });
  expect(await state()).toBe('REOPENED');
  // The month is already open.
  expect((await as(ADA, ...reopen)).code).toBe(1);
  expect(await open()).toEqual([]);
});

describe('a price', () => {
  const listed = async () => (await deployment.operator.priceLists(undefined)).stage;

  test('for the whole stage needs a second person, and applies from the time of approval', async () => {
    const before = await listed();
    const request = requestIn(await as(ADA, 'price', 'set', '150', '--reason', 'price list'));
    expect(await listed()).toEqual(before);
    const listedRequests = JSON.parse((await as(BOLA, 'approvals')).stdout) as { id: string }[];
    expect(listedRequests.find((one) => one.id === request)).toMatchObject({
      organisationName: '',
      order: { work: 'price', koboPerCredit: 15_000, reason: 'price list' },
    });
    expect((await as(ADA, 'approve', request)).stderr).toMatch(/another person must approve it/);
    expect(await listed()).toEqual(before);

    const approvedFrom = new Date().toISOString();
    expect(JSON.parse((await as(BOLA, 'approve', request)).stdout)).toMatchObject({
      organisation: null,
      koboPerCredit: 15_000,
      requestedBy: ADA,
      approvedBy: BOLA,
    });
    const added = (await listed()).slice(before.length);
    expect(added).toMatchObject([{ koboPerCredit: 15_000, actor: ADA, reason: 'price list' }]);
    expect(Date.parse(added[0]?.from ?? '')).toBeGreaterThan(Date.parse(approvedFrom) - 60_000);
    expect((await as(BOLA, 'approve', request)).stderr).toMatch(/already approved this request/);
    expect(await listed()).toHaveLength(before.length + 1);
  });

  test('that cannot be set requests no approval', async () => {
    const past = ['price', 'set', '150', '--from', '2026-01-01', '--reason', 'price list'];
    expect((await as(ADA, ...past)).code).toBe(1);
    expect((await as(ADA, 'price', 'end', '--org', id, '--reason', 'over')).code).toBe(1);
    expect(await open()).toEqual([]);
  });
});

test('an erasure needs a second person, and no table ever holds the number', async () => {
  const [tag = ''] = numberTags(PEPPER, live(), 'NIN', NUMBER);
  const operationId = '01KADA3CV5Y2M2J1Q0QW5PZ7Z4';
  const { client, tables } = deployment;
  await client.send(
    new PutCommand({
      TableName: tables.verificationLogs,
      Item: {
        ...logKey(live(), tag, operationId),
        operationId,
        requestId: 'req_0a1b2c3d4e5f',
        service: 'nin-basic',
        outcome: 'FOUND',
        requestedAt: '2026-11-01T00:00:00Z',
        expiresAt: 1_900_000_000,
      },
    }),
  );
  const all = async () => {
    const scan = (TableName: string) => collectRows(paginateScan({ client }, { TableName }));
    return JSON.stringify(await Promise.all(Object.values(tables).map(scan)));
  };
  const erase = ['privacy', 'erase', id, '--env', 'live', '--id-type', 'NIN', '--number-file', numberFile];
  const request = requestIn(await as(ADA, ...erase));
  const logs = () => collectRows(paginateScan({ client }, { TableName: tables.verificationLogs }));
  expect(await logs()).toEqual([expect.objectContaining(logKey(live(), tag, operationId))]);
  expect(await all()).not.toContain(NUMBER);

  await expectRejected(ADA, request, /another person must approve it/);
  const { code, stdout, stderr } = await as(BOLA, 'approve', request);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ erased: 1, requestedBy: ADA, approvedBy: BOLA });
  expect(stderr).toMatch(
    /^(Marked the number as erased\. Anonymising its log rows\.\n)?Anonymised 1 log row\. Waiting \d+ s/,
  );
  expect(JSON.parse(stdout)).toMatchObject({ idType: 'NIN', erased: 1 });
  expect((await logs()).map(({ pk }) => pk)).not.toContain(logKey(live(), tag, operationId).pk);
  expect(await all()).not.toContain(NUMBER);
  const trail: AuditEntry[] = await deployment.operator.auditTrail({ organisationId: id });
  // Newest first: the end and the beginning of the erasure, then the request.
  expect(trail.map(({ actor }) => actor)).toEqual([BOLA, BOLA, ADA]);
  expect(JSON.stringify(trail)).not.toContain(tag);
});

describe('the approver', () => {
  const order = { work: 'credit', kind: 'TOP_UP', amount: 5_000, reason: 'paid by transfer' } as const;
  const ask = async (more: { effectiveAt?: string } = {}) => {
    const wanted = { action: 'wallet top-up', requestedBy: ADA, ...live() };
    const reference = `SEEN-${id}`;
    return (await deployment.operator.requestApproval(wanted, { ...order, ...more, reference })).id;
  };

  test('sees the name of the organisation, the kind and the reason in the list', async () => {
    const request = await ask();
    const { stdout } = await deployment.admin('approvals');
    const [head = '', ...lines] = stdout.split('\n');
    expect(head).toMatch(/ORG +NAME +ENV +KIND +CREDITS +ON +EXPIRES +REASON$/);
    expect(lines.find((line) => line.startsWith(request))).toMatch(
      new RegExp(`${id} +Harmattan Credit +live +top-up +5,000 +credit SEEN-${id} +\\S+Z +paid by transfer$`),
    );
    const all = await deployment.json<{ id: string }[]>('approvals');
    expect(all.find((one) => one.id === request)).toMatchObject({ organisationName: 'Harmattan Credit' });
  });

  test('sees the reason and the effective time in the question', async () => {
    const request = await ask({ effectiveAt: '2026-11-01T00:00:00.000Z' });
    const { stderr } = await deployment.admin('approve', request);
    expect(stderr).toContain(
      `as ${ADA} requested? Effective at 2026-11-01T00:00:00Z. Reason: paid by transfer Confirmation is required`,
    );
    expect(await balance()).toBe(0);
  });

  test('sees who requested and who approved the change, also in the audit trail', async () => {
    const request = await ask();
    const { stdout } = await deployment.admin('--yes', 'approve', request);
    const name = LOCAL_OPERATOR;
    expect(stdout).toBe(
      `+5,000 live credits for ${id}, recorded as SEEN-${id}, requested by ${ADA}, approved by ${name}.\n`,
    );
    const trail = await deployment.admin('audit', '--org', id);
    expect(trail.stdout).toContain(`approve (wallet top-up, requested by ${ADA})`);
    const [head, row] = (await deployment.admin('audit', '--org', id, '--format', 'csv')).stdout.split(
      '\r\n',
    );
    expect(head).toMatch(/,command_id,approval_id,requested_by$/);
    expect(row).toMatch(new RegExp(`,${request},${ADA}$`));
  });
});

test('without a limit, which is the local default, a top-up needs no second person', async () => {
  deployment.configure({ SECOND_PERSON_ABOVE: 'off' });
  const args = ['--yes', ...TOP_UP, id, '1000000', '--reference', `INV-${id}`];
  expect(await deployment.json(...args)).toMatchObject({ existed: false });
});
