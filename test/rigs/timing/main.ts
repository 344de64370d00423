import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { deploymentFrom } from '../../../clients/operator/deployment.ts';
import { operator } from '../../../clients/operator/operator.ts';
import { startLocalService } from '../../../infra/local/local-service.ts';
import { rankTest } from './rank-test.ts';

/**
 * `npm run bench:timing -- --samples N`: how long the running service takes to refuse a slip for a NIN that another
 * organisation has verified, and for one that nobody has; in turn, compared by rank. Ends with 1 where they can be
 * told apart at p < 0.01. Test keys, since misses of live keys are counted.
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
  const order = { reference: 'bench', amount: credits, actor: 'bench', reason: '' };
  await admin.topUp({ env: 'test', organisationId: id }, order);
  return (await admin.createKey({ organisationId: id, env: 'test', label: 'bench' })).text;
}

async function ask(key: string, path: string, body: object): Promise<{ code: string; elapsedMs: number }> {
  const startedMs = performance.now();
  const answer = await fetch(`${service.baseUrl}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { code } = (await answer.json()) as { code: string };
  return { code, elapsedMs: performance.now() - startedMs };
}

async function measure(): Promise<boolean> {
  const [curious, other] = [await testKey('Curious', 10), await testKey('Other', samples + 10)];
  const refuse = async (nin: string) => {
    const { code, elapsedMs } = await ask(curious, SLIP, { nin, slip_type: 'regular' });
    if (code !== 'VERIFICATION_LOG_NOT_FOUND') throw new Error(`A slip was answered with ${code}.`);
    return elapsedMs;
  };
  for (let call = 0; call < 200; call += 1) await refuse(`8${String(call).padStart(6, '0')}0001`);
  const [theirs, unverified]: [number[], number[]] = [[], []];
  for (let call = 0; call < samples; call += 1) {
    const [verified, unknown] = [6, 7].map((first) => `${first}${String(call).padStart(6, '0')}0001`);
    const { code } = await ask(other, '/v1/ng/nin-basic', { nin: verified });
    if (code !== 'NIN_VERIFIED') throw new Error(`A verification was answered with ${code}.`);
    // One unmeasured request after the verification, so that both are asked of the same quiet service; then in
    // either order by turns.
    await refuse(`9${String(call).padStart(6, '0')}0001`);
    const asks = [
      async () => theirs.push(await refuse(verified ?? '')),
      async () => unverified.push(await refuse(unknown ?? '')),
    ];
    for (const one of call % 2 === 0 ? asks : asks.reverse()) await one();
  }
  const { p, larger } = rankTest(theirs, unverified);
  const median = (list: readonly number[]) => [...list].sort((a, b) => a - b)[list.length >> 1]?.toFixed(2);
  console.log(`${samples} samples each; median ${median(theirs)} ms where another organisation verified it,`);
  console.log(
    `${median(unverified)} ms where nobody did; one is larger in ${(100 * larger).toFixed(1)} % of pairs`,
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
