import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { buildProgram } from '../../clients/operator/program.ts';
import { createSuppliedOrganisation } from '../../infra/local/demo-organisation.ts';
import { rateLimitTable } from '../../shared/accounts/rate-limit-table.ts';
import type { AuditEntry } from '../../shared/audit/audit-entry.ts';
import { REAL_CLOCK } from '../../shared/core/clock.ts';
import { collectRows, type Row } from '../../shared/core/database.ts';
import { notPossible } from '../../shared/core/not-possible.ts';
import { operator } from '../../shared/operators/operator.ts';
import { numberTags } from '../../shared/verifications/number-tag.ts';
import { type AwsDouble, startSecrets } from '../support/aws-doubles.ts';
import { DOJAH_KEYS, DOJAH_NUMBERS, startDojah } from '../support/registries/dojah-double.ts';
import type { TestDouble } from '../support/registries/double.ts';
import {
  COMMANDS,
  commandNames,
  type ListedCommand,
  logNumber,
  NUMBER,
  type World,
  worldFor,
} from './command-list.ts';
import { LOCAL_OPERATOR } from './operator-functions.ts';
import type { Run } from './run-admin.ts';
import { runInProcess } from './run-in-process.ts';
import { startTestDeployment, type TestDeployment } from './test-deployment.ts';

/** Every change by an operator leaves a row in the audit trail, in the transaction of the change itself. */

const PEPPER = { current: 'a pepper of tests' };
const directory = mkdtempSync(join(tmpdir(), 'audit-'));

let deployment: TestDeployment;
let secrets: AwsDouble;
let dojah: TestDouble;
let credentials: string;
let id: string;
beforeAll(async () => {
  deployment = await startTestDeployment();
  secrets = await startSecrets(PEPPER);
  dojah = await startDojah();
  credentials = join(directory, 'dojah.json');
  writeFileSync(credentials, JSON.stringify({ ...DOJAH_KEYS, baseUrl: dojah.baseUrl }), { mode: 0o600 });
  deployment.configure({
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
    PEPPER_SECRET: 'pepper',
    SLIP_SECRET: 'slip',
  });
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
const place = () => ({ ...deployment, pepper: async () => PEPPER, directory });

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

const createKey = () => deployment.operator.createKey({ organisationId: id, env: 'live', label: 'till' });

const reason = ['--reason', 'ticket 17'];

/** The commands of these kinds. */
const listed = (...kinds: readonly ListedCommand['kind'][]) =>
  Object.entries(COMMANDS).filter(([, { kind }]) => kinds.includes(kind));

test('every command of the CLI is in the list', () => {
  expect(Object.keys(COMMANDS)).toEqual(commandNames(buildProgram()));
});

describe('a command that changes something', () => {
  let shared: World;
  beforeAll(async () => {
    shared = await worldFor(place(), 'finance');
  });

  test.each(listed('change'))('%s records who changed what', async (name, listedCommand) => {
    const world = listedCommand.prepare ? await worldFor(place(), 'finance', name) : shared;
    const command = [...name.split(' '), ...listedCommand.args(world)];
    const startedMs = Date.now();
    const { run, changed, added, after } = await observe(command);

    expect(run.code).toBe(0);
    // An erasure takes a minute, so it reports its progress.
    if (name !== 'privacy erase') expect(run.stderr).toBe('');
    expect(changed).toBe(true);
    expect(new Set(added.map(({ commandId }) => commandId)).size).toBe(1);
    for (const entry of added) {
      expect(entry).toMatchObject({ actor: LOCAL_OPERATOR, action: name });
      expect(Math.abs(Date.parse(entry.at) - startedMs)).toBeLessThan(60_000);
    }
    const isForStage = /registry|org create/.test(name);
    expect(added).toContainEqual(
      expect.objectContaining({
        ...(!isForStage && { organisationId: world.org }),
        ...(listedCommand.target && { target: expect.stringMatching(listedCommand.target) }),
        ...(listedCommand.before && { before: listedCommand.before }),
        ...(listedCommand.after && { after: expect.objectContaining(listedCommand.after) }),
      }),
    );
    expect(JSON.stringify(added)).not.toMatch(/idv_(live|test)_|12345678901/);
    if (!listedCommand.isRepeatable) return;

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
  const erase = () => {
    const options = ['--env', 'live', '--id-type', 'NIN', '--number-file', join(directory, 'number.txt')];
    return ['privacy', 'erase', id, ...options];
  };

  test('reports its progress on stderr, which is not a terminal here', async () => {
    await logNumber(place(), id);
    const { stdout, stderr } = await admin(...erase());
    expect(stdout.replaceAll(/\s+/g, ' ')).toBe(
      'Anonymised 1 log row. Withdrew 1 slip. Slips that other organisations made for this person are not withdrawn: each organisation must erase or withdraw its own. ',
    );
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
    await logNumber(place(), id);
    await admin(...erase());
    const { stdout } = await admin(...erase());
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /^No other log row was found\. This number was already erased up to 2\d{3}-[\d:T-]+Z\. If you did not expect/,
    );
  });

  test('records its beginning, and its end with the number of anonymised rows', async () => {
    await logNumber(place(), id);
    const { added } = await observe(erase());
    const byTime = added.sort((a, b) => (a.id < b.id ? -1 : 1));
    expect(byTime.map(({ after }) => after)).toEqual([
      { erased: true },
      { completed: true, anonymisedRows: 1, withdrawnSlips: 1, deletedLookUps: 0 },
    ]);
  });

  test('deletes the count of wrong details, which has the pseudonym', async () => {
    const { client, tables, pepper } = place();
    const wallet = { env: 'live', organisationId: id } as const;
    const [tag = ''] = numberTags(await pepper(), wallet, 'NIN', NUMBER);
    const limiter = rateLimitTable(client, tables.apiKeys);
    const remaining = async () => (await limiter.takeGuess(wallet, tag, Date.now())).remaining;
    expect([await remaining(), await remaining()]).toEqual([9, 8]);
    expect((await admin(...erase())).code).toBe(0);
    expect(await remaining()).toBe(9);
  });

  test('does not record its end if it is interrupted', async () => {
    await logNumber(place(), id);
    jest.mocked(REAL_CLOCK.pause).mockRejectedValueOnce(notPossible('interrupted'));
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
  const shared = await worldFor(place(), 'finance');
  const worlds = new Map<string, World>();
  for (const [name, { prepare }] of listed('read'))
    worlds.set(name, prepare ? await worldFor(place(), 'finance', name) : shared);
  let before = await readTables();
  for (const [name, { args }] of listed('read')) {
    const command = [...name.split(' '), ...args(worlds.get(name) ?? shared)];
    const { run, changed, added, after } = await observe(command, before);
    expect({ name, code: run.code, changed, added }).toEqual({ name, code: 0, changed: false, added: [] });
    before = after;
  }
});

describe('a report of personal data', () => {
  test.each(listed('report'))('%s changes nothing, and records who read what', async (name, report) => {
    const world = await worldFor(place(), 'finance');
    const { run, changed, added } = await observe([...name.split(' '), ...report.args(world)]);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(changed).toBe(false);
    expect(added).toMatchObject([
      { actor: LOCAL_OPERATOR, action: name, organisationId: world.org, after: report.after },
    ]);
    expect(added[0]?.target).toMatch(report.target ?? /./);
    const tags = numberTags(PEPPER, { env: 'live', organisationId: world.org }, 'NIN', NUMBER);
    for (const secret of [NUMBER, ...tags]) expect(JSON.stringify(added)).not.toContain(secret);
  });

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

test('the demo organisation of the local service has the entries of a real one, also for its purchase', async () => {
  const { AWS_REGION, AWS_ENDPOINT_URL_DYNAMODB, AWS_ACCESS_KEY_ID = '' } = deployment.environment;
  const client = new DynamoDBClient({
    region: String(AWS_REGION),
    endpoint: String(AWS_ENDPOINT_URL_DYNAMODB),
    credentials: { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: 'local' },
  });
  const { organisation } = await createSuppliedOrganisation(
    client,
    deployment.environment,
    'Demo',
    new Date(),
  );
  const entries = await deployment.operator.auditTrail({ organisationId: organisation });
  expect(entries.map(({ action }) => action).sort()).toEqual([
    ...['billing set', 'key create', 'key create', 'org approve', 'org create', 'org set-rate'],
    ...['service enable', 'wallet top-up', 'wallet top-up'],
  ]);
});
