import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import autocannon, { type Request, type Result } from 'autocannon';
import { startLocalService } from '../../../infra/local/local-service.ts';
import { type MemorySample, memoryOfFunctions } from './load/memory.ts';
import { mixedRequests } from './load/traffic.ts';
import { topUp } from './stage/stage.ts';

/**
 * `npm run rig -- load` sends mixed traffic to the local service, and prints throughput, latencies, statuses, and the
 * memory of the functions. `--requests N` (20,000), `--connections N` (16). Exits with 1 if a request has no response or
 * an unexpected 5xx, or if memory still grows in the second half.
 */
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    connections: { type: 'string', default: '16' },
  },
});
const PARTS = 10;
/** Of the median process, from the middle of the run to its end. */
const MAX_GROWTH = 1.15;

function partRow(
  part: number,
  { requests, latency, errors, timeouts }: Result,
  memory: MemorySample,
): string {
  const times = [latency.p50, latency.p90, latency.p99, latency.max].map((ms) => ms.toFixed(0));
  const megabytes = [memory.medianMb, memory.largestMb].map((mb) => mb.toFixed(0));
  const cells = [
    part,
    requests.average.toFixed(0),
    ...times,
    errors + timeouts,
    memory.processes,
    ...megabytes,
  ];
  return `| ${cells.join(' | ')} |`;
}

const workDirectory = mkdtempSync(join(tmpdir(), 'load-'));
const service = await startLocalService({ workDirectory });
let isGood = true;
try {
  if (!service.credentials) throw new Error('The local service has no demo organisation.');
  Object.assign(process.env, service.adminAwsEnvironment);
  const { organisation, live, test } = service.credentials;
  for (const env of ['live', 'test'] as const) await topUp({ env, organisationId: organisation });
  const requests: readonly Request[] = mixedRequests(live.apiKey, test.apiKey);
  const amount = Math.round(Number(values.requests) / PARTS);
  const statuses = new Map<string, number>();
  const medians: number[] = [];
  console.log(
    '| part | requests/s | p50 ms | p90 ms | p99 ms | max ms | no response | processes | median MB | largest MB |',
  );
  console.log('|---|---|---|---|---|---|---|---|---|---|');
  for (let part = 1; part <= PARTS; part += 1) {
    const connections = Number(values.connections);
    const result = await autocannon({ url: service.baseUrl, connections, amount, requests, timeout: 60 });
    const memory = memoryOfFunctions();
    medians.push(memory.medianMb);
    console.log(partRow(part, result, memory));
    isGood &&= result.errors + result.timeouts === 0;
    for (const [status, { count }] of Object.entries(result.statusCodeStats))
      statuses.set(status, (statuses.get(status) ?? 0) + count);
  }
  const growth = (medians.at(-1) ?? 0) / (medians[PARTS / 2 - 1] ?? Number.NaN);
  const responses = [...statuses].sort().map(([status, count]) => `${count} × ${status}`);
  console.log(`Responses: ${responses.join(', ')}. Memory at the end / in the middle: ${growth.toFixed(3)}.`);
  isGood &&= growth <= MAX_GROWTH && ![...statuses.keys()].some((status) => /^50[024]/.test(status));
} finally {
  await service.stop();
  rmSync(workDirectory, { recursive: true, force: true });
}
process.exit(isGood ? 0 : 1);
