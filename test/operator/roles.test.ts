import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Command } from 'commander';
import { buildProgram } from '../../clients/operator/program.ts';
import { accountingMonthOf, monthBefore } from '../../shared/core/accounting-month.ts';
import { REAL_CLOCK } from '../../shared/core/clock.ts';
import { newOperationId } from '../../shared/core/ids.ts';
import { logKey } from '../../shared/core/keys.ts';
import { acceptInvitation } from '../../shared/members/accept-invitation.ts';
import { invitationTable } from '../../shared/members/invitation-table.ts';
import { memberTable } from '../../shared/members/member-table.ts';
import { type ActionName, OPERATOR_ROLES, type OperatorRole } from '../../shared/operators/actions.ts';
import type { ApprovedOrder } from '../../shared/operators/operations/approved-order.ts';
import { orderTable } from '../../shared/payments/orders/order-table.ts';
import { numberLookUpTable } from '../../shared/profiles/number-look-up-table.ts';
import { profileTable } from '../../shared/profiles/profile-table.ts';
import { numberTags } from '../../shared/verifications/number-tag.ts';
import { isComplete, randomCases } from '../support/sample.ts';
import { runInProcess } from './run-in-process.ts';
import { type StageOnEndpoint, startStageOnEndpoint } from './stage-on-endpoint.ts';

/**
 * Runs `admin` commands under the policies of each role, and compares the results with docs/admin.md, "Roles".
 * `npm test` runs a random sample.
 */

const directory = mkdtempSync(join(tmpdir(), 'roles-'));
/** The size of the sample. There are about 350 combinations of a command and a role. */
const SAMPLE = 90;
const NUMBER = '12345678901';
const numberFile = join(directory, 'number.txt');
const pricesFile = join(directory, 'prices.json');

let stage: StageOnEndpoint;
beforeAll(async () => {
  writeFileSync(numberFile, NUMBER);
  writeFileSync(pricesFile, '{}');
  stage = await startStageOnEndpoint();
  // An erasure waits for requests in progress; here there are none.
  jest.spyOn(REAL_CLOCK, 'pause').mockResolvedValue();
});
afterAll(async () => {
  await stage?.close();
  rmSync(directory, { recursive: true });
});

/** Returns the rows of the table in docs/admin.md: for each command, the roles that may run it. */
function documentedRoles(): Map<string, readonly OperatorRole[]> {
  const page = readFileSync(new URL('../../docs/admin.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('\n## Roles\n');
  const [heading = '', , ...rows] = section.split('\n## ')[0]?.match(/^\|.*\|$/gm) ?? [];
  const cellsOf = (row: string) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  expect(cellsOf(heading)).toEqual(['command', ...OPERATOR_ROLES]);
  return new Map(
    rows.map((row) => {
      const [command = '', ...cells] = cellsOf(row);
      for (const cell of cells) expect(['yes', '']).toContain(cell);
      return [command.replaceAll('`', ''), OPERATOR_ROLES.filter((_, index) => cells[index] === 'yes')];
    }),
  );
}

interface World {
  readonly org: string;
  /**
   * A Paystack order that is not paid, one with a problem, an invoice, and a credit note to be paid back by bank
   * transfer.
   */
  readonly opened: string;
  readonly order: string;
  readonly invoice: string;
  readonly creditNote: string;
  /** Another person's approval request, for a change that the role may approve. */
  readonly request: string;
}

/** The month in which the organisation was created: earlier ones have nothing to report. */
const CURRENT = accountingMonthOf(Date.now());
/** Months that can be closed, because they ended weeks ago. */
const EARLIER = monthBefore(monthBefore(accountingMonthOf(Date.now())));
const EARLIEST = monthBefore(EARLIER);

const BUYER = {
  name: 'Kainji Pay Ltd',
  address: ['1 Invented Way, Lagos'],
  taxNumber: '12345678-0001',
  email: 'accounts@kainji.example',
};
const BILLING = [
  ...['--name', BUYER.name, '--address', BUYER.address.join()],
  ...['--tax-number', BUYER.taxNumber, '--email', 'finance@kainji.example'],
];

/** Returns the name of a new file, because commands do not overwrite files. */
const newFile = (ending: string) => join(directory, newOperationId(Date.now()) + ending);

const ticket = ['--reference', 'TICKET-2', '--reason', 'bought too many'];

/** Arguments that make each command succeed, given enough permissions. */
const ARGUMENTS: Readonly<Record<string, (world: World) => readonly string[]>> = {
  'org create': () => ['Kainji Pay'],
  'org approve': ({ org }) => [org],
  'org suspend': ({ org }) => [org],
  'org show': ({ org }) => [org],
  'org profile': ({ org }) => [org],
  'org list': () => [],
  'org set-rate': ({ org }) => [org, '50', '100'],
  'org set-low-balance': ({ org }) => [org, '5000'],
  'member invite': ({ org }) => [org, 'ngozi@kainji.example', '--role', 'owner'],
  'member list': ({ org }) => [org],
  'member remove': ({ org }) => [org, memberOf(org).id],
  'member erase': ({ org }) => [leaverOf(org).id],
  'service enable': ({ org }) => [org, 'NIN'],
  'service disable': ({ org }) => [org, 'bvn-basic'],
  'service set-price': ({ org }) => [org, 'tin-basic', '2'],
  'key create': ({ org }) => [org, '--env', 'live', '--label', 'another'],
  'key rotate': ({ org }) => [org, 'backend'],
  'key revoke': ({ org }) => [org, 'till'],
  'key list': ({ org }) => [org],
  'wallet top-up': ({ org }) => [org, '10', '--reference', 'INV-1'],
  'wallet correct': ({ org }) => [org, '-5', '--reference', 'TICKET-1', '--reason', 'credited twice'],
  'wallet balance': ({ org }) => [org],
  'wallet statement': ({ org }) => [org],
  'wallet set-shards': ({ org }) => [org, '3'],
  'price set': ({ org }) => ['150', '--org', org, '--reason', 'contract'],
  'price end': ({ org }) => ['--org', org, '--reason', 'contract'],
  'price list': ({ org }) => ['--org', org],
  'billing set': ({ org }) => [org, ...BILLING],
  'billing show': ({ org }) => [org],
  'order open': ({ org }) => [org, '10'],
  'order list': ({ org }) => [org],
  'order show': ({ order }) => [order],
  'order review': () => [],
  'order settle': ({ opened }) => [opened],
  'order resolve': ({ order }) => [order, '--reason', 'returned'],
  'invoice list': ({ org }) => [org],
  'invoice show': ({ org, invoice }) => [org, invoice],
  'invoice pdf': ({ org, invoice }) => [org, invoice, '--out', newFile('.pdf')],
  'credit-note create': ({ org, invoice }) => [org, invoice, '5', ...ticket],
  'credit-note list': ({ org }) => [org],
  'credit-note paid-back': ({ org, creditNote }) => [org, creditNote, '--bank-reference', 'GTB-1'],
  'month close': () => [EARLIER, '--all'],
  'month status': ({ org }) => [EARLIER, org],
  'month reopen': ({ org }) => [EARLIEST, org, '--reason', 'forgotten refund'],
  'report show': () => ['customers', CURRENT],
  'report providers': () => ['margins', CURRENT, '--prices', pricesFile],
  'report export': () => ['--month', '2026-10', '--out', newFile('-export')],
  'registry status': () => [],
  'registry disable': () => ['prembly', '--reason', 'wrong records'],
  'registry enable': () => ['dojah'],
  'registry test': () => ['prembly', 'NIN', '12345678901', '--timeout', '1', '--reason', 'ticket 17'],
  'privacy export': ({ org }) => [org, '--env', 'live', '--id-type', 'NIN', '--number-file', numberFile],
  'privacy erase': ({ org }) => [org, '--env', 'live', '--id-type', 'NIN', '--number-file', numberFile],
  'privacy impact': ({ org }) => [org, '--env', 'live', '--key', 'backend', '--from', '2026-01-01'],
  approvals: () => [],
  approve: ({ request }) => [request],
  audit: () => [],
  reconcile: ({ org }) => ['--org', org],
};

/** Commands that fail even if they are permitted, because no provider credentials are stored here. */
const FAIL_WITHOUT_CREDENTIALS = ['registry test', 'order settle'];

/** What an erasure prints while it runs. */
const PROGRESS =
  /^(Marked the number as erased\. )?.* Waiting \d+ s for requests in progress\. .* interrupt the command\. $/;

interface Result {
  readonly code: number | null;
  readonly error: string;
}

async function runUnder(role: OperatorRole, args: readonly string[]): Promise<Result> {
  const environment = { ...process.env, ...stage.environmentOf(role) };
  const { code, stderr } = await runInProcess(['--stage', 'prod', '--yes', ...args], { environment });
  return { code, error: stderr.replaceAll(/\s+/g, ' ') };
}

/** Creates an organisation with credits, keys and services. */
async function newOrganisation(role: OperatorRole): Promise<World> {
  const { operator } = stage;
  const { id: org } = await operator.createOrganisation('Kainji Pay');
  const wallet = { env: 'live', organisationId: org } as const;
  await operator.approve(org);
  await operator.enableServices(org, ['tin-basic', 'bvn-basic']);
  for (const label of ['backend', 'till'])
    await operator.createKey({ organisationId: org, env: 'live', label });
  const credit = { amount: 20, reference: `START-${org}`, reason: '', actor: 'root' };
  await operator.topUp(wallet, credit);
  const price = { koboPerCredit: 15_000, from: undefined, reason: 'contract' };
  await operator.setCreditPrice({ ...price, organisationId: org }, 'root');
  const [action, order] = await requestOf(role, org);
  const asked = { ...wallet, action, requestedBy: 'bola' };
  const { id: request } = await operator.requestApproval(asked, order);
  await operator.setBilling(org, BUYER, 'root');
  return { org, request, ...NO_PAYMENTS };
}

/** Returns a change that the role may approve, and its action. */
async function requestOf(role: OperatorRole, org: string): Promise<readonly [ActionName, ApprovedOrder]> {
  if (role === 'privacy') {
    const numberTags = await stage.operator.tagsOf({ env: 'live', organisationId: org }, 'NIN', NUMBER);
    return ['privacy erase', { work: 'erasure', idType: 'NIN', numberTags }];
  }
  if (role === 'operator') return ['key create', { work: 'key', label: 'approved' }];
  const credit = { amount: 3, reference: `TICKET-${org}`, reason: 'x' };
  return ['wallet correct', { work: 'credit', kind: 'CORRECTION', ...credit }];
}

const personOf = (org: string, name: string) => ({
  id: `${name}-${org}`,
  email: `${name}-${org}@kainji.example`.toLowerCase(),
  name,
});
const memberOf = (org: string) => personOf(org, 'Bola');
/** A former member. */
const leaverOf = (org: string) => personOf(org, 'Dayo');

/** Adds a member and a former member. */
async function addMembers({ org }: World): Promise<void> {
  const { client, tables } = stage.deployment;
  const [members, invitations] = [
    memberTable(client, tables.console),
    invitationTable(client, tables.console),
  ];
  for (const person of [memberOf(org), leaverOf(org)]) {
    const { secret } = await stage.operator.invite(org, person.email, 'viewer');
    await acceptInvitation(person, secret, { members, invitations }, Date.now());
  }
  await stage.operator.removeMember(await stage.operator.findMember(org, leaverOf(org).id));
}

const NO_PAYMENTS = { opened: '', order: '', invoice: '', creditNote: '' };

/** Returns the world with the orders and documents that commands about payments need. */
async function withPayments(world: World): Promise<World> {
  const { operator, deployment } = stage;
  const wallet = { env: 'live', organisationId: world.org } as const;
  const transfer = { wallet, credits: 20, reference: `BANK-${world.org}`, reason: '' };
  const { order } = await operator.creditTransfer({ ...transfer, totalKobo: 322_500 }, 'root');
  const { invoice = '' } = order;
  const refund = { wallet, invoice, credits: 10, reference: 'TICKET-1', reason: 'x', actor: 'root' };
  const { creditNote } = await operator.refundCredits(refund, 161_250);
  const orders = orderTable(deployment.client, deployment.tables.payments);
  const { lot: _, receipt: __, invoice: ___, payment: ____, ...rest } = order;
  const [opened, mismatch] = [newReference(), newReference()];
  const paystack = { ...rest, method: 'PAYSTACK' } as const;
  await orders.insertOrder({ ...paystack, reference: opened, state: 'OPENED' });
  await orders.insertOrder({ ...paystack, reference: mismatch, state: 'MISMATCH', problem: 'x' });
  return { ...world, opened, order: mismatch, invoice, creditNote: creditNote.number };
}

const newReference = () => `TOPUP-${newOperationId(Date.now())}`;

/** Writes the log row of a keyed request about the number in the file. An erasure moves this row. */
async function logNumber({ org }: World): Promise<void> {
  const { deployment } = stage;
  const wallet = { env: 'live', organisationId: org } as const;
  const [numberTag = ''] = numberTags(await deployment.pepper(), wallet, 'NIN', NUMBER);
  const operationId = `operation-${org}`;
  const requestedAt = '2026-11-20T12:00:00.000Z';
  const details = { operationId, requestedAt, idempotencyHash: 'a'.repeat(64), outcome: 'FOUND' };
  const Item = { ...logKey(wallet, numberTag, operationId), ...details };
  await deployment.client.send(new PutCommand({ TableName: deployment.tables.verificationLogs, Item }));
}

/** Returns a new world with what each command needs, except for those in `PREPARED`. */
async function newWorld(role: OperatorRole): Promise<World> {
  const world = await withPayments(await newOrganisation(role));
  await logNumber(world);
  await addMembers(world);
  return world;
}

/** Commands that need or leave data in a special state, with the function that prepares it in a separate world. */
const PREPARED: Readonly<Record<string, (org: string) => Promise<unknown>>> = {
  // Approving an approved organisation would write nothing.
  'org approve': (org) => stage.operator.suspend(org),
  'org suspend': async () => undefined,
  'month reopen': (organisationId) =>
    stage.operator.closeMonths({ month: EARLIEST, env: 'live', organisationId }, 'root'),
  // Fails if it finds differences, such as the order with a problem.
  reconcile: async () => undefined,
};

/** Commands that change nothing. Some, such as `privacy export`, record that they have run. */
const READS = [
  ...['org show', 'org profile', 'org list', 'member list', 'key list'],
  ...['wallet balance', 'wallet statement', 'price list', 'billing show'],
  ...['order list', 'order show', 'order review'],
  ...['invoice list', 'invoice show', 'invoice pdf', 'credit-note list', 'month status'],
  ...['report show', 'report providers', 'report export', 'registry status', 'registry test'],
  ...['privacy export', 'privacy impact', 'approvals', 'audit', 'reconcile'],
];

const worlds = new Map<string, Promise<World>>();

/** Returns the world with this name, which is created for the first command that needs it. */
function worldNamed(name: string, create: () => Promise<World>): Promise<World> {
  const world = worlds.get(name) ?? create();
  worlds.set(name, world);
  return world;
}

/** Returns the world of a command that changes nothing: one that is rejected, or only reads. */
function unchangedWorld(name: string): Promise<World> {
  return name in PREPARED
    ? worldNamed(name, () => preparedWorld(name, 'operator'))
    : worldNamed('unchanged', () => newWorld('operator'));
}

/** Returns the world of a permitted command. Most commands of a role share one: their changes do not interfere. */
function permittedWorld(name: string, role: OperatorRole): Promise<World> {
  if (READS.includes(name)) return unchangedWorld(name);
  return name in PREPARED ? preparedWorld(name, role) : worldNamed(role, () => newWorld(role));
}

async function preparedWorld(name: string, role: OperatorRole): Promise<World> {
  const world = await newOrganisation(role);
  await PREPARED[name]?.(world.org);
  return world;
}

function commandNames(command: Command, name = ''): string[] {
  const below = command.commands.flatMap((child) => commandNames(child, `${name} ${child.name()}`.trim()));
  return command.commands.length === 0 ? [name] : below;
}

describe('the roles', () => {
  const commands = commandNames(buildProgram());
  const documented = documentedRoles();

  test('are documented for every command, in the order of the program', () => {
    expect([...documented.keys()]).toEqual(commands);
    expect(Object.keys(ARGUMENTS)).toEqual(commands);
    for (const roles of documented.values()) expect(roles.length).toBeGreaterThan(0);
  });

  const all = commands.flatMap((name) => OPERATOR_ROLES.map((role) => ({ name, role })));
  const chosen = isComplete ? all : randomCases(all, SAMPLE);
  // In the original order, because a later command may find what an earlier one has changed.
  const cases = all.filter((one) => chosen.includes(one));
  const isPermitted = ({ name, role }: (typeof cases)[number]) => documented.get(name)?.includes(role);
  const run = (name: string, role: OperatorRole, world: World) =>
    runUnder(role, [...name.split(' '), ...(ARGUMENTS[name]?.(world) ?? [])]);

  // Rejected commands run before the permitted ones fill the tables, because a digest reads all tables.
  describe('reject', () => {
    let digest: string;
    beforeAll(async () => {
      for (const name of commands) await unchangedWorld(name);
      digest = await stage.digest();
    });

    test.each(cases.filter((one) => !isPermitted(one)))('$role: $name', async ({ name, role }) => {
      const before = digest;
      const { code, error } = await run(name, role, await unchangedWorld(name));
      expect(error).toContain('is not authorized to perform');
      expect(error).toContain('Assume a role that may run this command (docs/admin.md, "Roles").');
      expect(code).toBe(1);
      digest = await stage.digest();
      expect(digest).toBe(before);
    });
  });

  describe('permit', () => {
    test.each(cases.filter(isPermitted))('$role: $name', async ({ name, role }) => {
      const { code, error } = await run(name, role, await permittedWorld(name, role));
      expect(error).not.toContain('not authorized');
      if (FAIL_WITHOUT_CREDENTIALS.includes(name)) return;
      expect(code).toBe(0);
      expect(error.replace(PROGRESS, '')).toBe('');
    });
  });

  describe('permit changes to the profile of a pending organisation', () => {
    const TIN = '12345678-0001';
    /** Returns the ID of an organisation with a draft. */
    async function withDraft(): Promise<string> {
      const { operator, deployment } = stage;
      const { id } = await operator.createOrganisation('Kainji Pay');
      const contact = { name: 'Chidi Invented', email: 'chidi@kainji.example' };
      const after = {
        companyNumber: 'RC1234567',
        taxNumber: TIN,
        address: ['1 Invented Way'],
        billingContact: contact,
        privacyContact: contact,
        version: 1,
        expiresAt: Math.ceil(Date.now() / 1000) + 3_600,
      };
      const save = { before: undefined, after, recorded: {}, isForPending: true };
      await profileTable(deployment.client, deployment.tables).saveProfile(id, save);
      const wallet = { env: 'live', organisationId: id } as const;
      const [numberTag] = numberTags(await deployment.pepper(), wallet, 'TIN', TIN);
      await numberLookUpTable(deployment.client, deployment.tables.console).insertLookUp(
        { organisationId: id, numberTag, requestId: 'req_0123456789ab' },
        {
          idType: 'TIN',
          result: 'FOUND',
          personId: 'ada',
          reason: 'organisation submit',
          requestId: 'req_0123456789ab',
          lookedUpAt: new Date().toISOString(),
          expiresAt: after.expiresAt,
        },
      );
      return id;
    }

    test('operator: org approve keeps it', async () => {
      const id = await withDraft();
      const approved = await runUnder('operator', ['org', 'approve', id, '--profile', '1']);
      expect(approved).toEqual({ code: 0, error: '' });
      expect(await stage.operator.profileOf(id)).not.toHaveProperty('expiresAt');
    });

    test('privacy: the approval of an erasure erases it', async () => {
      const id = await withDraft();
      const wallet = { env: 'live', organisationId: id } as const;
      const tags = await stage.operator.tagsOf(wallet, 'TIN', TIN);
      const { id: request } = await stage.operator.requestApproval(
        { ...wallet, action: 'privacy erase', requestedBy: 'bola' },
        { work: 'erasure', idType: 'TIN', numberTags: tags },
      );
      expect(await runUnder('privacy', ['approve', request])).toMatchObject({ code: 0 });
      expect(await stage.operator.profileOf(id)).toBeUndefined();
      expect((await stage.operator.exportPerson(wallet, 'TIN', TIN)).lookUps).toEqual([]);
    });
  });
});
