import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startLocalService } from '../../../infra/local/local-service.ts';
import { operator } from '../../../shared/operators/operator.ts';
import { deploymentFrom } from '../../support/deployment-from.ts';
import { rankTest } from './rank-test.ts';

/**
 * `npm run rig -- timing --samples N` compares, by rank, how long the local service takes to reject a slip request for
 * a NIN that another organisation verified and for one that nobody verified. Exits with 1 if the times differ at p <
 * 0.01. Uses test keys, because the rate limiter counts the misses of live keys.
 */
const SLIP = '/v1/ng/nin/slip/download';
const { values } = parseArgs({ options: { samples: { type: 'string', default: '1000' } } });
const samples = Number(values.samples);
const DIFFERENT = 0.01;

const workDirectory = mkdtempSync(join(tmpdir(), 'identity-timing-'));
const service = await startLocalService({ port: 0, workDirectory });
const admin = operator(deploymentFrom(service.adminAwsEnvironment));

async function testKey(name: string, credits: number): Promise<string> {
  const { id } = await admin.createOrganisation(name);
  await admin.setRate(id, { perSecond: 10_000, burst: 10_000 });
  const order = { reference: `bench-${id}`, amount: credits, actor: 'bench', reason: '' };
  await admin.topUp({ env: 'test', organisationId: id }, order);
  return (await admin.createKey({ organisationId: id, env: 'test', label: 'bench' })).text;
}

async function send(key: string, path: string, body: object): Promise<{ code: string; elapsedMs: number }> {
  const startedMs = performance.now();
  const response = await fetch(`${service.baseUrl}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { code } = (await response.json()) as { code: string };
  return { code, elapsedMs: performance.now() - startedMs };
}

async function measure(): Promise<boolean> {
  const [attacker, other] = [await testKey('Attacker', 10), await testKey('Other', samples + 10)];
  const reject = async (nin: string) => {
    const { code, elapsedMs } = await send(attacker, SLIP, { nin, slip_type: 'regular' });
    if (code !== 'VERIFICATION_LOG_NOT_FOUND')
      throw new Error(`The response to a slip request was ${code}, not VERIFICATION_LOG_NOT_FOUND.`);
    return elapsedMs;
  };
  for (let call = 0; call < 200; call += 1) await reject(`8${String(call).padStart(6, '0')}0001`);
  const [verifiedMs, unknownMs]: [number[], number[]] = [[], []];
  for (let call = 0; call < samples; call += 1) {
    const [verified, unknown] = [6, 7].map((first) => `${first}${String(call).padStart(6, '0')}0001`);
    const { code } = await send(other, '/v1/ng/nin-basic', { nin: verified });
    if (code !== 'NIN_VERIFIED')
      throw new Error(`The response to a verification was ${code}, not NIN_VERIFIED.`);
    // An unmeasured request comes first, so that the verification affects neither of the measured ones.
    await reject(`9${String(call).padStart(6, '0')}0001`);
    const requests = [
      async () => verifiedMs.push(await reject(verified ?? '')),
      async () => unknownMs.push(await reject(unknown ?? '')),
    ];
    for (const request of call % 2 === 0 ? requests : requests.reverse()) await request();
  }
  const { p, larger } = rankTest(verifiedMs, unknownMs);
  const median = (list: readonly number[]) => [...list].sort((a, b) => a - b)[list.length >> 1]?.toFixed(2);
  console.log(
    `${samples} samples each; median ${median(verifiedMs)} ms if another organisation verified it,`,
  );
  console.log(
    `${median(unknownMs)} ms if no one did; the first is larger in ${(100 * larger).toFixed(1)}% of pairs`,
  );
  console.log(`p = ${p.toFixed(3)}: ${p < DIFFERENT ? 'they differ' : 'no difference'} at p < ${DIFFERENT}`);
  return p >= DIFFERENT;
}

try {
  process.exitCode = (await measure()) ? 0 : 1;
} finally {
  await service.stop();
  rmSync(workDirectory, { recursive: true, force: true });
}
process.exit();
