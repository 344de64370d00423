import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { buildProgram } from '../../clients/operator/program.ts';
import { REAL_CLOCK } from '../../shared/core/clock.ts';
import { OPERATOR_ROLES, type OperatorRole } from '../../shared/operators/actions.ts';
import { automaticTable } from '../../shared/payments/automatic/automatic-table.ts';
import { numberLookUpTable } from '../../shared/profiles/number-look-up-table.ts';
import { profileTable } from '../../shared/profiles/profile-table.ts';
import { numberTags } from '../../shared/verifications/number-tag.ts';
import { isComplete, randomCases } from '../support/sample.ts';
import { COMMANDS, commandNames, type World, worldFor } from './command-list.ts';
import { runInProcess } from './run-in-process.ts';
import { type StageOnEndpoint, startStageOnEndpoint } from './stage-on-endpoint.ts';

/**
 * Runs `admin` commands under the policies of each role, and compares the results with docs/operate/admin/roles.md.
 * `npm test` runs a random sample.
 */

const directory = mkdtempSync(join(tmpdir(), 'roles-'));
/** The size of the sample. There are about 350 combinations of a command and a role. */
const SAMPLE = 90;

let stage: StageOnEndpoint;
beforeAll(async () => {
  stage = await startStageOnEndpoint();
  // An erasure waits for requests in progress; here there are none.
  jest.spyOn(REAL_CLOCK, 'pause').mockResolvedValue();
});
afterAll(async () => {
  await stage?.close();
  rmSync(directory, { recursive: true });
});

/** Returns the rows of the table in docs/operate/admin/roles.md: for each command, the roles that may run it. */
function documentedRoles(): Map<string, readonly OperatorRole[]> {
  const page = readFileSync(new URL('../../docs/operate/admin/roles.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('\n## Which role may run each command\n');
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

const worlds = new Map<string, Promise<World>>();

/** Returns the world with this name, which is created for the first command that needs it. */
function worldNamed(name: string, create: () => Promise<World>): Promise<World> {
  const world = worlds.get(name) ?? create();
  worlds.set(name, world);
  return world;
}

/** Returns the world of a command that changes nothing: one that is rejected, or only reads. */
function unchangedWorld(name: string): Promise<World> {
  return COMMANDS[name]?.prepare
    ? worldNamed(name, () => newWorld('operator', name))
    : worldNamed('unchanged', () => newWorld('operator'));
}

/** Returns the world of a permitted command. Most commands of a role share one: their changes do not interfere. */
function permittedWorld(name: string, role: OperatorRole): Promise<World> {
  const command = COMMANDS[name];
  if (command?.kind === 'read' || command?.kind === 'report') return unchangedWorld(name);
  return command?.prepare ? newWorld(role, name) : worldNamed(role, () => newWorld(role));
}

const newWorld = (role: OperatorRole, name?: string) =>
  worldFor({ ...stage.deployment, operator: stage.operator, directory }, role, name);

describe('the roles', () => {
  const commands = commandNames(buildProgram());
  const documented = documentedRoles();

  test('are documented for every command, in the order of the program', () => {
    expect([...documented.keys()]).toEqual(commands);
    expect(Object.keys(COMMANDS)).toEqual(commands);
    for (const roles of documented.values()) expect(roles.length).toBeGreaterThan(0);
  });

  const all = commands.flatMap((name) => OPERATOR_ROLES.map((role) => ({ name, role })));
  const chosen = isComplete ? all : randomCases(all, SAMPLE);
  // In the original order, because a later command may find what an earlier one has changed.
  const cases = all.filter((one) => chosen.includes(one));
  const isPermitted = ({ name, role }: (typeof cases)[number]) => documented.get(name)?.includes(role);
  const run = (name: string, role: OperatorRole, world: World) =>
    runUnder(role, [...name.split(' '), ...(COMMANDS[name]?.args(world) ?? [])]);

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
      expect(error).toContain('Assume a role that may run this command (docs/operate/admin/roles.md).');
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

  describe('permit refunds to an organisation with automatic top-ups', () => {
    const takenBack = ['10', '--reference', 'TICKET-2', '--reason', 'x'];
    async function world() {
      const { operator, deployment } = stage;
      const { org, invoice } = await newWorld('operator');
      const automatic = automaticTable(deployment.client, deployment.tables.payments);
      const saved = { changedAt: new Date().toISOString(), changedBy: 'ada', version: 1 };
      const settings = { thresholdCredits: 1, credits: 1, monthlyCapKobo: 1, ...saved };
      await automatic.saveAutomatic(undefined, { organisationId: org, state: 'ON', ...settings });
      const isStopped = async () => (await automatic.getAutomatic(org))?.paidBackAt !== undefined;
      return { operator, org, invoice, isStopped };
    }

    test('finance: credit-note create', async () => {
      const { org, invoice, isStopped } = await world();
      const created = await runUnder('finance', ['credit-note', 'create', org, invoice, ...takenBack]);
      expect(created).toEqual({ code: 0, error: '' });
      expect(await isStopped()).toBe(true);
    });

    test('finance: the approval of a credit note', async () => {
      const { operator, org, invoice, isStopped } = await world();
      const wallet = { env: 'live', organisationId: org } as const;
      const { id: request } = await operator.requestApproval(
        { ...wallet, action: 'credit-note create', requestedBy: 'bola' },
        {
          ...{ work: 'credit-note', invoice, credits: 10, reference: 'TICKET-2', reason: 'x' },
          ...{ isPaidBack: false, totalKobo: 161_250 },
        },
      );
      expect(await runUnder('finance', ['approve', request])).toMatchObject({ code: 0 });
      expect(await isStopped()).toBe(true);
    });
  });

  test('permit operator: the approval of the price of a service', async () => {
    const { org } = await newWorld('operator');
    const { id: request } = await stage.operator.requestApproval(
      { organisationId: org, action: 'service set-price', requestedBy: 'bola' },
      { work: 'service-price', service: 'tin-basic', credits: 3 },
    );
    expect(await runUnder('operator', ['approve', request])).toEqual({ code: 0, error: '' });
    expect((await stage.operator.getOrganisation(org)).prices).toEqual({ 'tin-basic': 3 });
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
