import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { REAL_CLOCK } from '../../shared/core/clock.ts';
import type { IdType } from '../../shared/core/id-types.ts';
import { consolePk, numberLookUpsPk } from '../../shared/core/keys.ts';
import type { SessionView } from '../../shared/members/console/views.ts';
import { operator } from '../../shared/operators/operator.ts';
import { startUnrestrictedOperators } from '../operator/operator-functions.ts';
import { runInProcess } from '../operator/run-in-process.ts';
import { renderPage } from '../slips/open-pdf.ts';
import { readQrCode } from '../slips/read-qr-code.ts';
import { signIn } from '../support/console.ts';
import { rowsOf } from '../support/console-organisation.ts';
import { deploymentFrom } from '../support/deployment-from.ts';
import {
  type ApiResponse,
  get,
  number,
  organisation,
  post,
  type TestOrganisation,
} from '../support/service.ts';
import { exportTables, logRowOf } from './tables.ts';

/** `admin privacy erase` on the running service (docs/privacy/erase.md). */

const directory = mkdtempSync(join(tmpdir(), 'erase-'));
const numberFile = join(directory, 'number.txt');
/** The functions of the operator API run in this process, so that an erasure need not wait. */
let operators: Awaited<ReturnType<typeof startUnrestrictedOperators>>;
beforeAll(async () => {
  operators = await startUnrestrictedOperators({ ...process.env }, 'http://127.0.0.1:3001');
  process.env['LOCAL_SERVICE_FILE'] = join(directory, 'service.json');
  writeFileSync(process.env['LOCAL_SERVICE_FILE'], JSON.stringify(operators.description));
});
afterAll(async () => {
  await operators.close();
  rmSync(directory, { recursive: true });
});

/** Skips an erasure's wait for requests in progress. test/security/erasure.test.ts tests the effect of the wait. */
const pause = jest.spyOn(REAL_CLOCK, 'pause').mockResolvedValue();
const operations = operator(deploymentFrom(process.env));

const verify = (who: TestOrganisation, nin: string) => post('/v1/ng/nin-basic', { nin }, { key: who.live });
const slip = (who: TestOrganisation, nin: string) =>
  post('/v1/ng/nin/slip/download', { nin, slip_type: 'regular' }, { key: who.live });

async function slipOf(who: TestOrganisation, nin: string) {
  await verify(who, nin);
  return slip(who, nin);
}

/** Returns the heading of the page that the code on a slip opens. */
async function pageOf({ bytes }: ApiResponse): Promise<string | undefined> {
  const { pathname } = new URL(readQrCode(await renderPage(bytes, 200), false) ?? '');
  return /<h1>([^<]*)</.exec((await get(pathname)).text)?.[1];
}

/** Runs a command of `admin privacy` about the live rows of one number. */
function privacy(
  command: 'erase' | 'export',
  id: string,
  [idType, text]: [IdType, string],
  ...more: string[]
) {
  writeFileSync(numberFile, `${text}\n`, { mode: 0o600 });
  const options = ['--env', 'live', '--id-type', idType, '--number-file', numberFile, ...more];
  return runInProcess(['--local', 'privacy', command, id, ...options]);
}

const erase = (who: TestOrganisation, nin: string, ...more: string[]) =>
  privacy('erase', who.id, ['NIN', nin], '--json', ...more);

describe('privacy erase', () => {
  test("removes the link between a number and this organisation's log, and changes nothing else", async () => {
    const [who, other] = [await organisation(), await organisation()];
    const [nin, bystander] = [number(), number()];
    const requestId = (await verify(who, nin)).json?.meta.request_id ?? '';
    await verify(who, nin);
    await verify(who, bystander);
    await verify(other, nin);
    const { pk } = await logRowOf(who.id, nin, {});
    const before = await who.balance();
    expect(await exportTables()).toContain(pk);

    const { code, stdout, stderr } = await erase(who, nin, '--yes');
    expect(code).toBe(0);
    expect(Math.max(...pause.mock.calls.flat())).toBeGreaterThan(50_000);
    expect(stderr).toMatch(
      /^(Marked the number as erased\. Anonymising its log rows\.\n)?Anonymised \d+ log rows\. /,
    );
    expect(stderr).not.toContain(nin);
    const erasure = { organisation: who.id, env: 'live', idType: 'NIN', erased: 2, erasedEarlier: null };
    expect(JSON.parse(stdout)).toEqual({ ...erasure, slips: 0, lookUps: 0, profile: null });
    expect(stdout).not.toContain(nin);

    expect(await exportTables()).not.toContain(pk);
    expect((await slip(who, nin)).json?.code).toBe('VERIFICATION_LOG_NOT_FOUND');
    expect((await slip(who, bystander)).status).toBe(200);
    expect((await slip(other, nin)).status).toBe(200);
    // The row still accounts for the charge, but no longer identifies anyone.
    const entry = await get(`/v1/verifications/${requestId}`, { key: who.live });
    expect(entry.json?.data).toMatchObject({ outcome: 'FOUND', credits_charged: 1 });
    expect((await who.balance()).credited).toBe(before.credited);
  });

  test('withdraws only slips of the organisation, finds nothing the second time, and does nothing without --yes', async () => {
    const [who, other] = [await organisation(), await organisation()];
    const nin = number();
    await verify(who, nin);
    const unconfirmed = await erase(who, nin);
    expect([unconfirmed.code, unconfirmed.stdout]).toEqual([2, '']);
    const [own, others] = [await slip(who, nin), await slipOf(other, nin)];
    expect(own.status).toBe(200);
    const wallet = { env: 'live', organisationId: who.id } as const;
    const tags = await operations.tagsOf(wallet, 'NIN', nin);
    const nothingElse = { lookUps: 0, profile: null };
    const first = { erased: 2, slips: 1, erasedEarlier: null, ...nothingElse };
    expect(await operations.eraseTags(wallet, 'NIN', tags)).toEqual(first);
    const again = { erased: 0, slips: 0, erasedEarlier: expect.stringMatching(/Z$/), ...nothingElse };
    expect(await operations.eraseTags(wallet, 'NIN', tags)).toEqual(again);
    expect([await pageOf(own), await pageOf(others)]).toEqual([
      'This slip was withdrawn',
      'The code is valid',
    ]);
    const { differences } = await operations.reconcile(who.id);
    expect(differences).toEqual([]);
  });

  test('reports a file that contains no valid number, without repeating its content', async () => {
    const who = await organisation();
    const { code, stderr } = await erase(who, '1234567890a', '--yes');
    expect(code).toBe(2);
    expect(stderr).toContain('The file does not contain a valid NIN');
    expect(stderr).not.toContain('1234567890a');
  });
});

describe('a number in the profile of an organisation', () => {
  const TIN = '88001777-0002';
  const FIELDS = {
    company_number: 'RC8800178',
    tax_number: TIN,
    address: ['1 Invented Way', 'Lagos'],
    billing_contact: { name: 'Chidi Invented', email: 'chidi@kainji.example' },
    privacy_contact: { name: 'Dayo Invented', email: 'dayo@kainji.example' },
  };

  /** Returns the ID of an organisation whose members have submitted the number. */
  async function submitted(): Promise<string> {
    const client = await signIn(`erase-${randomUUID()}@example.com`);
    const body = { name: 'Kainji Pay' };
    const { json } = await client.send<SessionView>('POST', '/organisations', { body });
    await client.send('PUT', '/organisation', { body: { ...FIELDS, version: 0 } });
    const sent = { terms_version: '2026-11', version: 1 };
    expect((await client.send('POST', '/organisation/submit', { body: sent })).status).toBe(200);
    return json?.data?.organisation?.id ?? '';
  }

  const consoleRows = async (id: string) => [
    ...(await rowsOf('CONSOLE_TABLE', consolePk(id))).filter(({ sk }) => sk === 'PROFILE'),
    ...(await rowsOf('CONSOLE_TABLE', numberLookUpsPk(id))),
  ];

  test('is exported and erased, with its look-up', async () => {
    const id = await submitted();
    const exported = await privacy('export', id, ['TIN', TIN], '--json');
    expect(JSON.parse(exported.stdout)).toMatchObject({
      rows: [],
      profileLookUps: [{ result: 'FOUND', reason: 'organisation submit', person: expect.any(String) }],
      profile: { version: 2, result: 'FOUND', registered_name: null, expires_at: null },
    });
    const { stdout } = await privacy('export', id, ['TIN', TIN]);
    expect(stdout).toMatch(/^LOOK-UP FOR THE PROFILE +RESULT/m);
    expect(stdout).toMatch(/^profile with the number +version 2$/m);
    expect(await consoleRows(id)).toHaveLength(3);

    const erased = await privacy('erase', id, ['TIN', TIN], '--yes');
    expect(erased.stdout.replaceAll(/\s+/g, ' ')).toBe(
      'Anonymised 0 log rows. Deleted 1 look-up for the profile. Erased the profile of the organisation, which contained the number. ',
    );
    expect(JSON.stringify(await consoleRows(id))).not.toMatch(/88001777|8800178|Invented/);
    expect((await operations.profileOf(id)) ?? null).toBeNull();
    const after = await privacy('export', id, ['TIN', TIN], '--json');
    expect(JSON.parse(after.stdout)).toMatchObject({ profileLookUps: [], profile: null });
  });

  test('stays in the profile of an approved organisation, and the look-up is deleted', async () => {
    const id = await submitted();
    await operations.approve(id);
    const { stdout } = await privacy('erase', id, ['CAC', FIELDS.company_number], '--json', '--yes');
    expect(JSON.parse(stdout)).toMatchObject({ lookUps: 1, profile: 'kept' });
    expect(await operations.profileOf(id)).toMatchObject({ companyNumber: FIELDS.company_number });
  });

  test('is not found by a different number, type or environment', async () => {
    const id = await submitted();
    const live = { env: 'live', organisationId: id } as const;
    const nothing = { rows: [], lookUps: [], profile: undefined };
    expect(await operations.exportPerson(live, 'TIN', '88001777-0003')).toMatchObject(nothing);
    expect(await operations.exportPerson({ ...live, env: 'test' }, 'TIN', TIN)).toMatchObject(nothing);
    expect((await operations.exportPerson(live, 'CAC', 'RC8800178')).lookUps).toHaveLength(1);
  });
});
