import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { REAL_CLOCK } from '../../shared/core/clock.ts';
import { newOperationId } from '../../shared/core/ids.ts';
import { isPrintable } from '../../shared/core/printable-text.ts';
import type { Operation } from '../../shared/ledger/operation.ts';
import { chargedRow } from '../../shared/ledger/rows/charge.ts';
import { chargeTable } from '../../shared/ledger/tables/charge-table.ts';
import { creditTable } from '../../shared/ledger/tables/credit-table.ts';
import { walletTable } from '../../shared/ledger/tables/wallet-table.ts';
import { startTestDeployment, type TestDeployment } from './test-deployment.ts';

let deployment: TestDeployment;
let id: string;
beforeAll(async () => {
  deployment = await startTestDeployment();
  ({ id } = await deployment.operator.createOrganisation('Harmattan Credit'));
  const wallet = { env: 'live', organisationId: id } as const;
  await deployment.operator.topUp(wallet, {
    amount: 10,
    reference: 'INV-1',
    actor: 'ada',
    reason: '=1+1, paid',
  });
  await charge('req_000000000001', 2);
  await deployment.operator.correct(wallet, {
    amount: -3,
    reference: 'T-7',
    actor: 'bola',
    reason: 'twice "booked"',
  });
});
afterAll(() => deployment.close());

/** Charges a request through the table modules. Writes no log row. */
async function charge(requestId: string, cost: number): Promise<void> {
  const wallet = { env: 'live', organisationId: id } as const;
  const { client, tables } = deployment;
  const wallets = walletTable(client, client, tables.wallets);
  const operation: Operation = {
    id: newOperationId(),
    wallet,
    requestId,
    cost,
    numberTag: 'tag',
    service: 'nin-basic',
    keyLabel: 'server',
    requestedAtMs: Date.now(),
  };
  const placed = { shard: 0, holdId: `${operation.id}.0` };
  const { service, keyLabel } = operation;
  const hold = { requestId, cost, service, keyLabel, numberTag: 'tag', expiresAtMs: Date.now() + 40_000 };
  await wallets.placeHold(wallet, placed, hold, []);
  const facts = { outcome: 'FOUND' as const, httpStatus: 200, provider: 'Sandbox', latencyMs: 5 };
  await chargeTable(client, client, tables.wallets).decide(
    wallet,
    chargedRow(operation, facts, placed, Date.now()),
  );
  await wallets.clearHolds(wallet, 0, [placed.holdId]);
}

const statement = (...options: string[]) => deployment.admin('wallet', 'statement', id, ...options);

describe('wallet statement', () => {
  test('shows the opening balance, each credit and debit with the balance after it, and the closing balance', async () => {
    const { code, stdout } = await statement();
    const [title, , head, ...rest] = stdout.split('\n').map((line) => line.replaceAll(/ {2,}/g, '|').trim());
    expect(code).toBe(0);
    expect(title).toBe(`Statement for ${id} (live), in credits`);
    expect(head).toBe('TIME|KIND|AMOUNT|BALANCE|REQUEST OR REFERENCE|SERVICE|KEY|BY|REASON');
    expect(rest.map((line) => line.replace(/^[-0-9T:.]+Z\|/, ''))).toEqual([
      'OPENING|0',
      'TOP_UP|10|10|INV-1|ada|=1+1, paid',
      'CHARGE|-2|8|req_000000000001|nin-basic|server',
      'CORRECTION|-3|5|T-7|bola|twice "booked"',
      'CLOSING|5',
      '',
      'Opening balance 0 + credits 10 - debits 5 = closing balance 5',
      '',
    ]);
  });

  test('as CSV, quotes special characters and escapes formulas', async () => {
    const { stdout } = await statement('--format', 'csv', '--from', '2026-01-01');
    expect(
      stdout.split('\r\n').map((line) => line.replace(/^[-0-9T:.]+Z,/, 'T,').replace(/,[-0-9T:.]+Z$/, ',T')),
    ).toEqual([
      'time,kind,amount,balance_after,request_id,reference,service,key_label,actor,reason,effective_at',
      'T,OPENING,,0,,,,,,,',
      `T,TOP_UP,10,10,,INV-1,,,ada,"'=1+1, paid",T`,
      'T,CHARGE,-2,8,req_000000000001,,nin-basic,server,,,',
      'T,CORRECTION,-3,5,,T-7,,,bola,"twice ""booked""",T',
      'T,CLOSING,,5,,,,,,,',
      '',
    ]);
  });

  test('as JSON, has the same lines', async () => {
    const { stdout } = await statement('--format', 'json');
    const parsed = JSON.parse(stdout);
    expect(parsed).toMatchObject({ organisation: id, env: 'live', openingBalance: 0, closingBalance: 5 });
    expect(parsed.lines).toHaveLength(3);
    expect(parsed.lines[1]).toEqual({
      time: expect.any(String),
      kind: 'CHARGE',
      amount: -2,
      balance_after: 8,
      request_id: 'req_000000000001',
      reference: '',
      service: 'nin-basic',
      key_label: 'server',
      actor: '',
      reason: '',
      effective_at: '',
    });
    expect(await deployment.json('wallet', 'statement', id)).toMatchObject({ lines: parsed.lines });
  });

  test('for a period, starts with the balance before it', async () => {
    const all = JSON.parse((await statement('--format', 'json')).stdout);
    const { stdout } = await statement('--format', 'json', '--from', all.lines[2].time);
    expect(JSON.parse(stdout)).toMatchObject({ openingBalance: 8, lines: [all.lines[2]], closingBalance: 5 });
    const before = await statement('--format', 'json', '--from', '2026-01-01', '--to', all.lines[2].time);
    expect(JSON.parse(before.stdout)).toMatchObject({ openingBalance: 0, closingBalance: 8 });
  });

  test('--env test shows the test wallet', async () => {
    const { stdout } = await statement('--env', 'test', '--format', 'json');
    expect(JSON.parse(stdout)).toMatchObject({ env: 'test', lines: [], closingBalance: 0 });
  });

  test.each([
    ['a period that ends before it starts', 2, ['--from', '2026-02-01', '--to', '2026-01-01']],
    ['a time without a time zone', 2, ['--from', '2026-02-01T10:00']],
    ['an unknown format', 2, ['--format', 'pdf']],
  ])('%s is rejected', async (_, code, options) => {
    expect(await statement(...options)).toMatchObject({ code, stdout: '' });
  });
});

describe('reconcile', () => {
  test('exits with 0 if the rows agree', async () => {
    expect(await deployment.admin('reconcile')).toEqual({
      code: 0,
      stdout: 'Read 2 wallets, 1 charge row, 2 credit rows and 0 log rows. They agree.\n',
      stderr: '',
    });
    expect(await deployment.json('reconcile', '--org', id)).toMatchObject({ wallets: 2, differences: [] });
  });

  test('lists the differences and exits with 1', async () => {
    jest.spyOn(REAL_CLOCK, 'pause').mockResolvedValue(undefined);
    const { client, tables } = deployment;
    const key = { pk: `live#${id}#INV-1`, sk: 'CREDIT' };
    await client.send(new DeleteCommand({ TableName: tables.wallets, Key: key }));
    const { code, stdout, stderr } = await deployment.admin('reconcile', '--org', id);
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'The reconciliation found 2 differences.\n' });
    expect(stdout).toMatch(/\n\d{4}-\d\d-\d\d {2}live {2}\w{10} +credits +7 +-3\n/);
    expect(stdout).toContain('credits: the credited amount equals the sum of the credit rows');
    const { stdout: json } = await deployment.admin('--json', 'reconcile');
    const found = { env: 'live', organisation: id, day: expect.any(String) };
    expect(JSON.parse(json).differences).toEqual([
      { ...found, kind: 'credits', reference: 'INV-1', expected: 'a credit', found: 'none' },
      { ...found, kind: 'credits', expected: 7, found: -3 },
      expect.objectContaining({ ...found, kind: 'lot' }),
    ]);
  });

  test('rejects an organisation that does not exist', async () => {
    expect(await deployment.admin('reconcile', '--org', 'aaaaaaaaaa')).toMatchObject({
      code: 1,
      stderr: 'There is no organisation aaaaaaaaaa.\n',
    });
  });
});

// The strings were stored before validation existed.
test('S54: line breaks, escape sequences and formulas in a statement', async () => {
  const { client, tables, operator } = deployment;
  const { id: organisationId } = await operator.createOrganisation('Kainji Pay');
  const texts = [
    'x\n2026-11-21 TOP_UP 1,000,000',
    '\u001b[31m red\u009b2J',
    ' =cmd|calc',
    '＝cmd',
    '\u202e1',
  ];
  for (const [position, reason] of texts.entries())
    await creditTable(client, tables).addCredit(
      { env: 'live', organisationId },
      {
        reference: `F-${position}`,
        kind: 'TOP_UP',
        amount: 5,
        shard: 0,
        actor: reason,
        reason,
        createdAt: new Date().toISOString(),
      },
    );
  const printed = (...options: string[]) =>
    deployment.admin('wallet', 'statement', organisationId, ...options).then(({ stdout }) => stdout);

  const asTable = await printed();
  expect(asTable.split('\n').filter((line) => /^2026/.test(line))).toHaveLength(7);
  expect(asTable).toContain('x\\u000a2026-11-21 TOP_UP 1,000,000');
  const csv = await printed('--format', 'csv');
  expect(csv.split('\r\n').filter((line) => line !== '')).toHaveLength(8);
  for (const cells of ["' =cmd|calc,' =cmd|calc", "'＝cmd,'＝cmd"]) expect(csv).toContain(`,${cells},2026`);
  const json = await printed('--format', 'json');
  expect(JSON.parse(json).lines.map(({ reason }: { reason: string }) => reason)).toEqual(texts);
  for (const text of [asTable, csv.replaceAll('\r\n', ''), json])
    expect(isPrintable(text.replaceAll('\n', ''))).toBe(true);
});
