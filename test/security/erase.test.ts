import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { deploymentFrom } from '../../clients/operator/deployment.ts';
import { operator } from '../../clients/operator/operator.ts';
import { REAL_TOOLS } from '../../shared/ledger/dependencies.ts';
import { runInProcess } from '../operator/run-in-process.ts';
import { get, number, organisation, post, type TestOrganisation } from '../support/service.ts';
import { exportTables, logRowOf } from './tables.ts';

/** `admin privacy erase` on the running service (docs/data-protection.md). */

const directory = mkdtempSync(join(tmpdir(), 'erase-'));
const numberFile = join(directory, 'number.txt');
process.env['LOCAL_SERVICE_FILE'] = join(directory, 'service.json');
writeFileSync(process.env['LOCAL_SERVICE_FILE'], JSON.stringify({ adminAwsEnvironment: process.env }));
afterAll(() => rmSync(directory, { recursive: true }));

/** Skips an erasure's wait for requests in progress. test/security/erasure.test.ts tests the effect of the wait. */
const pause = jest.spyOn(REAL_TOOLS, 'pause').mockResolvedValue();
const operations = operator(deploymentFrom(process.env));

const verify = (who: TestOrganisation, nin: string) => post('/v1/ng/nin-basic', { nin }, { key: who.live });
const slip = (who: TestOrganisation, nin: string) =>
  post('/v1/ng/nin/slip/download', { nin, slip_type: 'regular' }, { key: who.live });

function erase(who: TestOrganisation, nin: string, ...more: string[]) {
  writeFileSync(numberFile, `${nin}\n`, { mode: 0o600 });
  const options = ['--env', 'live', '--id-type', 'NIN', '--number-file', numberFile, ...more];
  return runInProcess(['--local', '--json', 'privacy', 'erase', who.id, ...options]);
}

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
    expect(stderr).toMatch(/^Marked the number as erased\. Anonymising its log rows\.\n/);
    expect(stderr).not.toContain(nin);
    const erasure = { organisation: who.id, env: 'live', idType: 'NIN', erased: 2, erasedEarlier: null };
    expect(JSON.parse(stdout)).toEqual(erasure);
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

  test('finds nothing the second time, and does nothing without --yes', async () => {
    const who = await organisation();
    const nin = number();
    await verify(who, nin);
    const unconfirmed = await erase(who, nin);
    expect([unconfirmed.code, unconfirmed.stdout]).toEqual([2, '']);
    expect((await slip(who, nin)).status).toBe(200);
    const wallet = { env: 'live', organisationId: who.id } as const;
    const tags = await operations.tagsOf(wallet, 'NIN', nin);
    expect(await operations.eraseTags(wallet, 'NIN', tags)).toEqual({ erased: 2, erasedEarlier: null });
    const again = { erased: 0, erasedEarlier: expect.stringMatching(/Z$/) };
    expect(await operations.eraseTags(wallet, 'NIN', tags)).toEqual(again);
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
