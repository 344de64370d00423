import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Command } from 'commander';
import { buildProgram } from '../../clients/operator/program.ts';
import type { AuditEntry } from '../../shared/audit/audit-entry.ts';
import { accountingMonthOf, monthBefore } from '../../shared/core/accounting-month.ts';
import { REAL_CLOCK } from '../../shared/core/clock.ts';
import { collectRows, type Row } from '../../shared/core/database.ts';
import { logKey } from '../../shared/core/keys.ts';
import { operator } from '../../shared/operators/operator.ts';
import { orderTable } from '../../shared/payments/orders/order-table.ts';
import { providerSwitchTable } from '../../shared/registries/health/provider-switch-table.ts';
import { numberTags } from '../../shared/verifications/number-tag.ts';
import { type AwsDouble, startSecrets } from '../support/aws-doubles.ts';
import { DOJAH_KEYS, DOJAH_NUMBERS, startDojah } from '../support/registries/dojah-double.ts';
import type { TestDouble } from '../support/registries/double.ts';
import { LOCAL_OPERATOR } from './operator-functions.ts';
import type { Run } from './run-admin.ts';
import { runInProcess } from './run-in-process.ts';
import { startTestDeployment, type TestDeployment } from './test-deployment.ts';

/** Every change by an operator leaves a row in the audit trail, in the transaction of the change itself. */

const PEPPER = { current: 'a pepper of tests' };
const NUMBER = '12345678901';
const directory = mkdtempSync(join(tmpdir(), 'audit-'));
const file = (name: string, content: string) => {
  writeFileSync(join(directory, name), content, { mode: 0o600 });
  return join(directory, name);
};
const numberFile = file('number.txt', `${NUMBER}\n`);

const pricesFile = file('prices.json', '{}');

let deployment: TestDeployment;
let secrets: AwsDouble;
let dojah: TestDouble;
let credentials: string;
let id: string;
let request: string;
beforeAll(async () => {
  deployment = await startTestDeployment();
  secrets = await startSecrets(PEPPER);
  dojah = await startDojah();
  credentials = file('dojah.json', JSON.stringify({ ...DOJAH_KEYS, baseUrl: dojah.baseUrl }));
  deployment.configure({ AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url, PEPPER_SECRET: 'pepper' });
  // The tests skip the time that an erasure waits for requests in progress.
  jest.spyOn(REAL_CLOCK, 'pause').mockResolvedValue();
  process.env['LOCAL_SERVICE_FILE'] = deployment.serviceFile;
});
beforeEach(async () => {
  ({ id } = await deployment.operator.createOrganisation('Harmattan Credit'));
});
afterAll(async () => {
  await Promise.all([dojah.stop(), secrets.close(), deployment.close()]);
  rmSync(directory, { recursive: true });
});

/** Runs a command in this process. */
function admin(...args: readonly string[]): Promise<Run> {
  return runInProcess(['--local', '--yes', ...args]);
}
const live = () => ({ env: 'live', organisationId: id }) as const;

interface Tables {
  readonly rows: Row[];
  readonly audit: AuditEntry[];
}

/**
 * Reads the rows of all tables: the entries of the audit trail, and all other rows. Leaves out the progress of changes
 * in the background.
 */
async function readTables(): Promise<Tables> {
  const { auditTrail, ...others } = deployment.tables;
  const scan = (TableName: string) =>
    collectRows(paginateScan({ client: deployment.client }, { TableName, ConsistentRead: true }));
  const [trail, ...rows] = await Promise.all([scan(auditTrail), ...Object.values(others).map(scan)]);
  const isStored = ({ pk }: Row) => !String(pk).startsWith('BACKGROUND#');
  return { rows: rows.flat().filter(isStored), audit: trail as unknown as AuditEntry[] };
}

/**
 * Runs a command. Returns its result, whether it changed any rows except entries of the audit trail, the entries that
 * it added, and all rows after it. The next call can reuse these rows as `tables` if nothing else writes in between.
 */
async function observe(
  args: readonly string[],
  tables?: Tables,
): Promise<{ run: Run; changed: boolean; added: AuditEntry[]; after: Tables }> {
  const before = tables ?? (await readTables());
  const result = await admin(...args);
  const after = await readTables();
  const kept = new Set(before.audit.map((entry) => JSON.stringify(entry)));
  const added = after.audit.filter((entry) => !kept.delete(JSON.stringify(entry)));
  // Nothing was edited or deleted.
  expect([...kept]).toEqual([]);
  const text = (rows: readonly Row[]) => rows.map((row) => JSON.stringify(row)).sort();
  const changed = JSON.stringify(text(before.rows)) !== JSON.stringify(text(after.rows));
  return { run: result, changed, added, after };
}

/** Puts a log row about the number, as a request does. */
async function logRow(): Promise<void> {
  const [tag = ''] = numberTags(PEPPER, live(), 'NIN', NUMBER);
  const operationId = '01KADA3CV5Y2M2J1Q0QW5PZ7Z4';
  await deployment.client.send(
    new PutCommand({
      TableName: deployment.tables.verificationLogs,
      Item: { ...logKey(live(), tag, operationId), operationId, requestedAt: '2026-11-01T00:00:00Z' },
    }),
  );
}

const createKey = () => deployment.operator.createKey({ organisationId: id, env: 'live', label: 'till' });
const disableDojah = () =>
  providerSwitchTable(deployment.client, deployment.tables.apiKeys).disable(
    { provider: 'dojah', env: 'live' },
    { actor: 'ada', reason: 'wrong records', atMs: 0 },
  );

let order = '';
let invoice = '';
let creditNote = '';

/** Sets the price and the billing details that an order needs. */
async function prepareSale(): Promise<void> {
  const price = { organisationId: id, koboPerCredit: 15_000, from: undefined, reason: 'contract' };
  await deployment.operator.setCreditPrice(price, 'ada');
  const party = { name: 'Harmattan Credit Ltd', address: ['1 Invented Way'], taxNumber: '12345678-0001' };
  await deployment.operator.setBilling(id, { ...party, email: 'accounts@harmattan.example' }, 'ada');
}

/** Sells ten credits, and takes back `takenBack` of them. */
async function invoiced(takenBack = 0): Promise<{ invoice: string; creditNote: string }> {
  await prepareSale();
  const { operator: finance } = deployment;
  const transfer = { wallet: live(), credits: 10, reference: `BANK-${id}`, reason: '', totalKobo: 161_250 };
  const { order: paid } = await finance.creditTransfer(transfer, 'ada');
  const { invoice: number = '' } = paid;
  if (takenBack === 0) return { invoice: number, creditNote: '' };
  const refund = { invoice: number, credits: takenBack, reference: 'TICKET-8', reason: 'x', actor: 'ada' };
  const { creditNote: note } = await finance.refundCredits({ ...refund, wallet: live() }, 64_500);
  return { invoice: number, creditNote: note.number };
}

/** Creates an order whose payment differs from its total. Returns its reference. */
async function mismatch(): Promise<string> {
  await prepareSale();
  const request = { wallet: live(), credits: 10, method: 'TRANSFER' } as const;
  const opened = await deployment.operator.openOrder(request, 'ada');
  const orders = orderTable(deployment.client, deployment.tables.payments);
  await orders.moveOrder(opened, { ...opened, state: 'MISMATCH', problem: 'The payment is 1.00 naira.' });
  return opened.reference;
}

interface Scenario {
  /** The arguments after the name of the command. */
  readonly args: () => readonly string[];
  readonly prepare?: () => Promise<unknown>;
  readonly target?: RegExp;
  readonly before?: object;
  readonly after?: object;
  /** Whether repeating the command changes nothing. */
  readonly isRepeatable?: true;
}

const reason = ['--reason', 'ticket 17'];

/** A month that ended long ago. */
const EARLIER = monthBefore(monthBefore(accountingMonthOf(Date.now())));

const BILLING = [
  ...['--name', 'Harmattan Credit Ltd', '--address', '1 Invented Way', '--address', 'Ikeja, Lagos'],
  ...['--tax-number', '12345678-0001', '--email', 'accounts@harmattan.example'],
];

/** Commands that change data, each with arguments for a run that does so. */
const CHANGES: Readonly<Record<string, Scenario>> = {
  'org create': { args: () => ['Kainji Pay'], target: /^organisation$/, after: { name: 'Kainji Pay' } },
  'org approve': {
    args: () => [id],
    before: { status: 'PENDING' },
    after: { status: 'APPROVED' },
    isRepeatable: true,
  },
  'org suspend': { args: () => [id], after: { status: 'SUSPENDED' }, isRepeatable: true },
  'org set-rate': {
    args: () => [id, '50', '100'],
    before: { rateLimit: { perSecond: 10, burst: 20 } },
    after: { rateLimit: { perSecond: 50, burst: 100 } },
    isRepeatable: true,
  },
  'org set-low-balance': {
    args: () => [id, '500'],
    before: { lowBalanceCredits: null },
    after: { lowBalanceCredits: 500 },
    isRepeatable: true,
  },
  'service enable': {
    args: () => [id, 'tin-basic'],
    before: { services: {} },
    after: { services: { 'tin-basic': {} } },
    isRepeatable: true,
  },
  'service disable': {
    prepare: () => deployment.operator.enableServices(id, ['tin-basic']),
    args: () => [id, 'tin-basic'],
    after: { services: {} },
    isRepeatable: true,
  },
  'service set-price': {
    prepare: () => deployment.operator.enableServices(id, ['tin-basic']),
    args: () => [id, 'tin-basic', '3'],
    before: { prices: null },
    after: { prices: { 'tin-basic': 3 } },
    isRepeatable: true,
  },
  'key create': {
    args: () => [id, '--env', 'live', '--label', 'till'],
    target: /^live key [0-9a-f]{12}$/,
    after: { label: 'till', status: 'ACTIVE' },
  },
  'key rotate': { prepare: createKey, args: () => [id, 'till'], target: /^live key [0-9a-f]{12}$/ },
  'key revoke': {
    prepare: createKey,
    args: () => [id, 'till'],
    before: { label: 'till', status: 'ACTIVE' },
    after: { label: 'till', status: 'REVOKED' },
  },
  'wallet top-up': {
    args: () => [id, '5', '--reference', `INV-${id}`, '--promotional'],
    target: /^credit INV-\w+ of the live wallet$/,
    after: { kind: 'TOP_UP', amount: 5 },
    isRepeatable: true,
  },
  'wallet correct': {
    args: () => [id, '5', '--reference', `TICKET-${id}`, ...reason],
    after: { kind: 'CORRECTION', amount: 5, reason: 'ticket 17' },
    isRepeatable: true,
  },
  'wallet set-shards': {
    args: () => [id, '3'],
    before: { walletShards: 1 },
    after: { walletShards: 3 },
    isRepeatable: true,
  },
  'price set': {
    args: () => ['150', '--org', id, ...reason],
    target: /^price from \d{4}-/,
    after: { koboPerCredit: 15_000, reason: 'ticket 17' },
  },
  'price end': {
    prepare: () =>
      deployment.operator.setCreditPrice(
        { organisationId: id, koboPerCredit: 15_000, from: undefined, reason: 'contract' },
        'ada',
      ),
    args: () => ['--org', id, ...reason],
    target: /^price from \d{4}-/,
    after: { koboPerCredit: null, reason: 'ticket 17' },
  },
  'billing set': {
    args: () => [id, ...BILLING],
    target: /^billing details$/,
    after: { name: 'Harmattan Credit Ltd', taxNumber: '12345678-0001' },
    isRepeatable: true,
  },
  'order open': {
    prepare: prepareSale,
    args: () => [id, '10'],
    target: /^live order TOPUP-\w+$/,
    after: { state: 'OPENED', credits: 10, method: 'TRANSFER' },
  },
  'order resolve': {
    prepare: async () => {
      order = await mismatch();
    },
    args: () => [order, ...reason],
    before: { state: 'MISMATCH', problem: 'The payment is 1.00 naira.' },
    after: { state: 'MISMATCH', resolution: 'ticket 17' },
  },
  'credit-note create': {
    prepare: async () => {
      ({ invoice } = await invoiced());
    },
    args: () => [id, invoice, '4', '--reference', 'TICKET-9', ...reason],
    target: /^credit refund:TICKET-9 of the live wallet$/,
    after: { kind: 'CORRECTION', amount: -4 },
    isRepeatable: true,
  },
  'credit-note paid-back': {
    prepare: async () => {
      ({ creditNote } = await invoiced(4));
    },
    args: () => [id, creditNote, '--bank-reference', 'GTB-1'],
    target: /^refund of the credit note IDVC-/,
    after: { state: 'DONE' },
  },
  'month close': {
    args: () => [EARLIER, id],
    target: /^month \d{4}-\d\d of the live wallet$/,
    after: { state: 'CLOSED' },
    isRepeatable: true,
  },
  'month reopen': {
    prepare: () =>
      deployment.operator.closeMonths({ month: EARLIER, env: 'live', organisationId: id }, 'ada'),
    args: () => [EARLIER, id, ...reason],
    before: { state: 'CLOSED' },
    after: { state: 'REOPENED', reason: 'ticket 17' },
  },
  'registry disable': {
    args: () => ['prembly', ...reason],
    target: /^provider prembly \(live\)$/,
    before: { disabled: false },
    after: { disabled: true, reason: 'ticket 17' },
    isRepeatable: true,
  },
  'registry enable': {
    prepare: disableDojah,
    args: () => ['dojah'],
    before: { disabled: true, reason: 'wrong records' },
    after: { disabled: false },
    isRepeatable: true,
  },
  approve: {
    prepare: async () => {
      const wanted = { action: 'wallet correct', requestedBy: 'someone else', ...live() };
      const order = { work: 'credit', kind: 'CORRECTION', amount: 7, reference: 'T-1', reason: 'x' } as const;
      request = (await deployment.operator.requestApproval(wanted, order)).id;
    },
    args: () => [request],
    target: /^credit T-1 of the live wallet$/,
    after: { kind: 'CORRECTION', amount: 7 },
  },
  'privacy erase': {
    prepare: logRow,
    args: () => [id, '--env', 'live', '--id-type', 'NIN', '--number-file', numberFile],
    target: /^live log rows about one NIN$/,
  },
};

/** Commands that only read. */
const READS: Readonly<Record<string, () => readonly string[]>> = {
  'org show': () => [id],
  'org list': () => [],
  'org profile': () => [id],
  'member list': () => [id],
  'key list': () => [id],
  'wallet balance': () => [id],
  'wallet statement': () => [id],
  'order list': () => [id],
  'order review': () => [],
  'invoice list': () => [id],
  'credit-note list': () => [id],
  'month status': () => [EARLIER],
  'report show': () => ['customers', EARLIER],
  'report providers': () => ['margins', EARLIER, '--prices', pricesFile],
  'report export': () => ['--month', EARLIER, '--out', join(directory, `${id}-export`)],
  'price list': () => ['--org', id],
  'billing show': () => [id],
  'registry status': () => [],
  approvals: () => [],
  audit: () => [],
  reconcile: () => ['--org', id],
};

/** Commands that read personal data and change nothing except the audit trail, each with what is recorded. */
const REPORTS: Readonly<Record<string, Pick<Scenario, 'args' | 'target' | 'after'>>> = {
  'privacy export': {
    args: () => [id, '--env', 'live', '--id-type', 'NIN', '--number-file', numberFile],
    target: /^live log rows about one NIN$/,
    after: { rows: 0 },
  },
  'privacy impact': {
    args: () => [id, '--env', 'live', '--key', 'till', '--from', '2026-01-01', '--to', '2026-02-01'],
    target: /^live look-ups of the key "till"$/,
    after: { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z', rows: 0 },
  },
};

/**
 * `registry test` changes only the audit trail, but sends look-ups that may be billed. The others need an order, a
 * document or people: test/operator/orders.test.ts and members.test.ts run them.
 */
const OTHERS = [
  'registry test',
  'order show',
  'order settle',
  'invoice show',
  'invoice pdf',
  'member invite',
  'member remove',
  'member erase',
];

function namesOf(command: Command, name = ''): string[] {
  const below = command.commands.flatMap((child) => namesOf(child, `${name} ${child.name()}`.trim()));
  return command.commands.length === 0 ? [name] : below;
}

test('every command of the CLI is in one of these lists', () => {
  const tested = [...Object.keys(CHANGES), ...Object.keys(READS), ...Object.keys(REPORTS), ...OTHERS];
  expect(namesOf(buildProgram()).sort()).toEqual(tested.sort());
});

describe('a command that changes something', () => {
  test.each(Object.entries(CHANGES))('%s records who changed what', async (name, scenario) => {
    await scenario.prepare?.();
    const command = [...name.split(' '), ...scenario.args()];
    const startedMs = Date.now();
    const { run, changed, added, after } = await observe(command);

    expect(run.code).toBe(0);
    // An erasure takes a minute, so it reports its progress.
    if (name !== 'privacy erase') expect(run.stderr).toBe('');
    expect(changed).toBe(true);
    expect(added.length).toBeGreaterThan(0);
    expect(new Set(added.map(({ commandId }) => commandId)).size).toBe(1);
    for (const entry of added) {
      expect(entry).toMatchObject({ actor: LOCAL_OPERATOR, action: name });
      expect(Math.abs(Date.parse(entry.at) - startedMs)).toBeLessThan(60_000);
    }
    const [first] = added;
    if (!/registry|org create/.test(name)) expect(first).toMatchObject({ organisationId: id });
    if (scenario.target) expect(first?.target).toMatch(scenario.target);
    if (scenario.before) expect(first?.before).toEqual(scenario.before);
    if (scenario.after) expect(first?.after).toMatchObject(scenario.after);
    expect(JSON.stringify(added)).not.toMatch(/idv_(live|test)_|12345678901/);
    if (!scenario.isRepeatable) return;

    const again = await observe(command, after);
    expect(again.run.code).toBe(0);
    expect(again).toMatchObject({ changed: false, added: [] });
  });

  test('registry test records why it sends look-ups, without the number', async () => {
    const args = ['registry', 'test', 'dojah', 'NIN', DOJAH_NUMBERS.NIN, '--credentials', credentials];
    expect((await observe(args)).run).toMatchObject({ code: 2, stdout: '' });
    const { added } = await observe([...args, ...reason]);
    expect(added).toMatchObject([
      { action: 'registry test', after: { reason: 'ticket 17', lookUps: ['NIN basic'] } },
    ]);
    expect(JSON.stringify(added)).not.toContain(DOJAH_NUMBERS.NIN);
  });

  test('no one can choose the name that is recorded', async () => {
    const { run, added } = await observe(['org', 'approve', id, '--actor', 'The CEO']);
    expect({ code: run.code, added }).toEqual({ code: 2, added: [] });
  });
});

describe('privacy erase', () => {
  const erase = () => [
    'privacy',
    'erase',
    id,
    '--env',
    'live',
    '--id-type',
    'NIN',
    '--number-file',
    numberFile,
  ];

  test('reports its progress on stderr, which is not a terminal here', async () => {
    await logRow();
    const { stdout, stderr } = await admin(...erase());
    expect(stdout).toBe('Anonymised 1 log row.\n');
    expect(stderr).toMatch(
      /^(Marked the number as erased\. Anonymising its log rows\.\n)?Anonymised 1 log row\. Waiting \d+ s .*\n$/,
    );
  });

  test('says so if it finds nothing', async () => {
    const { code, stdout } = await admin(...erase());
    expect(code).toBe(0);
    expect(stdout).toBe('No log row was found. Check the number, `--env` and `--id-type`.\n');
  });

  test('says so if an earlier run, which was perhaps interrupted, erased the number', async () => {
    await logRow();
    await admin(...erase());
    const { stdout } = await admin(...erase());
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /^No other log row was found\. This number was already erased up to 2\d{3}-[\d:T-]+Z\. If you did not expect/,
    );
  });

  test('records its beginning, and its end with the number of anonymised rows', async () => {
    await logRow();
    const { added } = await observe(erase());
    const byTime = added.sort((a, b) => (a.id < b.id ? -1 : 1));
    expect(byTime.map(({ after }) => after)).toEqual([
      { erased: true },
      { completed: true, anonymisedRows: 1, deletedLookUps: 0 },
    ]);
  });

  test('does not record its end if it is interrupted', async () => {
    await logRow();
    jest.mocked(REAL_CLOCK.pause).mockRejectedValueOnce(new Error('interrupted'));
    const { run, added } = await observe(erase());
    expect(run.code).toBe(1);
    expect(added.map(({ after }) => after)).toEqual([{ erased: true }]);
  });

  test('shows the name of the organisation in its question', async () => {
    const { code, stderr } = await runInProcess(['--local', ...erase()]);
    expect(code).toBe(2);
    expect(stderr).toContain(`Erase this NIN from the live log of Harmattan Credit (${id})?`);
  });
});

test('commands that only read change nothing and record nothing', async () => {
  await createKey();
  let before = await readTables();
  for (const [name, args] of Object.entries(READS)) {
    const { run, changed, added, after } = await observe([...name.split(' '), ...args()], before);
    expect({ name, code: run.code, changed, added }).toEqual({ name, code: 0, changed: false, added: [] });
    before = after;
  }
});

describe('a report of personal data', () => {
  test.each(Object.entries(REPORTS))(
    '%s changes nothing, and records who read what',
    async (name, report) => {
      await createKey();
      const { run, changed, added } = await observe([...name.split(' '), ...report.args()]);
      expect(run).toMatchObject({ code: 0, stderr: '' });
      expect(changed).toBe(false);
      expect(added).toMatchObject([
        { actor: LOCAL_OPERATOR, action: name, organisationId: id, after: report.after },
      ]);
      expect(added[0]?.target).toMatch(report.target ?? /./);
      const tags = numberTags(PEPPER, live(), 'NIN', NUMBER);
      for (const secret of [NUMBER, ...tags]) expect(JSON.stringify(added)).not.toContain(secret);
    },
  );

  test('that cannot be recorded is not returned', async () => {
    await createKey();
    const reject = () => {
      throw new Error('not recorded');
    };
    const rejected = operator(deployment, { recorder: { record: reject } });
    const query = { key: 'till', from: '2026-01-01', to: '2026-02-01' };
    await expect(rejected.keyImpact(live(), query)).rejects.toThrow('not recorded');
  });
});

describe('the record and the change are written in one transaction', () => {
  const changes: Readonly<Record<string, (admin: ReturnType<typeof operator>) => Promise<unknown>>> = {
    'a new organisation': (one) => one.createOrganisation('Kainji Pay'),
    'a change to an organisation': (one) => one.approve(id),
    'a new key': (one) => one.createKey({ organisationId: id, env: 'live', label: 'other' }),
    'a revoked key': async (one) => one.revokeKey(await one.findKey(id, 'till')),
    'a top-up': (one) => one.topUp(live(), { amount: 5, reference: `INV-${id}`, actor: 'ada', reason: '' }),
  };

  test.each(Object.entries(changes))('%s that cannot be recorded is not made', async (_, change) => {
    await createKey();
    const unrecordable = {
      ConditionCheck: {
        TableName: deployment.tables.auditTrail,
        Key: { pk: 'none', sk: 'none' },
        ConditionExpression: 'attribute_exists(pk)',
      },
    };
    const before = await readTables();
    const rejected = operator(deployment, { recorder: { record: () => [unrecordable] } });
    await expect(change(rejected)).rejects.toThrow();
    expect(await readTables()).toEqual(before);
  });
});

describe('audit', () => {
  test('lists the changes of one organisation, newest first', async () => {
    await admin('org', 'approve', id);
    await admin('org', 'suspend', id);
    const { stdout } = await admin('audit', '--org', id);
    const name = LOCAL_OPERATOR;
    const lines = stdout.trimEnd().split('\n').slice(1);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(
      new RegExp(`Z +${name} +org suspend +${id} +organisation +status APPROVED → SUSPENDED$`),
    );
    expect(lines[1]).toContain('status PENDING → APPROVED');
  });

  test('lists all changes in a period, including those to the whole stage', async () => {
    await admin('registry', 'disable', 'qoreid', ...reason);
    const listed = async (...options: string[]) =>
      JSON.parse((await admin('--json', 'audit', ...options)).stdout) as AuditEntry[];
    const all = await listed();
    expect(all[0]).toMatchObject({ action: 'registry disable' });
    expect(all[0]).not.toHaveProperty('organisationId');
    expect(all.map(({ id: one }) => one)).toEqual(
      all
        .map(({ id: one }) => one)
        .sort()
        .reverse(),
    );
    expect(await listed('--to', '2020-01-01')).toEqual([]);
    expect(await listed('--from', all[0]?.at ?? '')).toHaveLength(1);
  });

  test('as CSV, has one row for each change', async () => {
    await admin('org', 'approve', id);
    const { stdout } = await admin('audit', '--org', id, '--format', 'csv');
    const [head, row] = stdout.split('\r\n');
    expect(head).toBe(
      'time,actor,action,organisation,target,before,after,command_id,approval_id,requested_by',
    );
    expect(row).toContain(`,org approve,${id},organisation,"{""status"":""PENDING""}"`);
  });
});
