import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startDynamoDbLocal } from '../../infra/local/aws/dynamodb-local.ts';
import { PAYMENTS } from '../payments/proof.ts';
import { prove } from '../support/histories/prove.ts';
import { WEBHOOKS } from '../webhooks/proof.ts';
import { branchTable, coverageProblems, LEDGER_FILES } from './branches/ledger-branches.ts';
import { locateBranches } from './branches/locate-branches.ts';
import { bundleRunner, runnerSources } from './mutation/bundle.ts';
import { TWO_HOLDS } from './mutation/mutants.ts';
import type { RunResult } from './run-histories.ts';
import { type Job, mergeResults, runConcurrently, runJob } from './run-workers.ts';

/**
 * `npm run prove -- --histories N --seed S` runs N random histories of the ledger in memory. `--dynamodb N` runs N in
 * DynamoDB Local too. Prints the commit, the seed, counts and, for 500 histories or more in memory, how often each
 * branch of the ledger was reached. Exits with 1 if a rule was violated, or if a branch was reached too rarely.
 * `--histories 1 --seed <seed>` runs the plan of one history again. `--payments N` runs N histories of payments, and
 * `--deliveries N` runs N histories of webhooks. With either, histories of the ledger run only if they are requested
 * too.
 */
const { values } = parseArgs({
  options: {
    histories: { type: 'string' },
    payments: { type: 'string', default: '0' },
    deliveries: { type: 'string', default: '0' },
    dynamodb: { type: 'string', default: '0' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    workers: { type: 'string', default: '2' },
    /** Limits the shards of every history to 2 holds. Needed to repeat a history from a slice with this limit. */
    bulkhead: { type: 'boolean', default: false },
  },
});

const hasOthers = values.payments !== '0' || values.deliveries !== '0';
const histories = Number(values.histories ?? (hasOthers ? 0 : 10_000));

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAX_SLICE = 500;
const SMALL = { maxHolds: 2 };
/** Histories in DynamoDB Local are short, because each call takes a millisecond. */
const MAX_CALLS_DYNAMODB = 2;

/** Splits the histories into four or more slices. Every fourth limits a shard to 2 holds, so that a few requests fill it. */
function slices(count: number, firstSeed: number, plain: string, small: string): Job[] {
  const size = Math.min(MAX_SLICE, Math.ceil(count / 4));
  return Array.from({ length: Math.ceil(count / size) }, (_, index) => {
    const isSmall = values.bulkhead || index % 4 === 3;
    return {
      runner: isSmall ? small : plain,
      options: {
        firstSeed: firstSeed + index * size,
        histories: Math.min(size, count - index * size),
        ...(isSmall && SMALL),
      },
    };
  });
}

function print(title: string, { histories, counts, reached, failed }: RunResult, startedMs: number): void {
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`${title}: ${histories} histories in ${seconds} s, ${failed.length} with violations`);
  console.log(`  faults: ${list(counts)}`);
  console.log(`  reached: ${list(reached)}`);
  for (const { seed, violations, plan } of failed.slice(0, 3))
    console.log(JSON.stringify({ seed, violations: violations.slice(0, 5), plan }, null, 1));
  if (failed.length > 3)
    console.log(
      `  more failing seeds: ${failed
        .slice(3, 50)
        .map(({ seed }) => seed)
        .join(' ')}`,
    );
}

function list(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}

async function commit(): Promise<string> {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    const changed = git('status', '--porcelain', '--', 'test/ledger/prove.ts', ...(await runnerSources()));
    const head = git('rev-parse', '--short', 'HEAD');
    return changed ? `${head} with local changes` : head;
  } catch {
    return 'unknown';
  }
}

async function proveInMemory(seed: number, workers: number): Promise<RunResult> {
  const startedMs = performance.now();
  const [plain, small] = [await bundleRunner([]), await bundleRunner([TWO_HOLDS])];
  try {
    const located = new Map(
      await Promise.all(
        [plain, small].map(async (path) => [path, await locateBranches(path, LEDGER_FILES)] as const),
      ),
    );
    const jobs = slices(histories, seed, plain, small).map(({ runner, options }) => ({
      runner,
      options: { ...options, branches: located.get(runner) ?? [] },
    }));
    const result = mergeResults(
      await runConcurrently(
        jobs.map((job) => () => runJob(job)),
        workers,
      ),
    );
    print('in memory', result, startedMs);
    if (result.histories >= MAX_SLICE) console.log(branchTable(result.branches));
    // A run that charges nothing violates no rule, so the coverage is checked too.
    const problems = coverageProblems(result.branches, result.histories);
    for (const problem of problems) console.log(problem);
    if (problems.length > 0) process.exitCode = 1;
    return result;
  } finally {
    for (const runner of [plain, small]) rmSync(dirname(runner), { recursive: true });
  }
}

async function proveInDynamoDb(seed: number, workers: number): Promise<RunResult> {
  const startedMs = performance.now();
  const directory = mkdtempSync(join(tmpdir(), 'ledger-'));
  const { endpoint, accessKeyId, stop } = await startDynamoDbLocal({
    logFile: join(directory, 'dynamodb.log'),
  });
  const runner = await bundleRunner([]);
  try {
    const share = Math.ceil(Number(values.dynamodb) / workers);
    const tasks = Array.from({ length: workers }, (_, index) => {
      const firstSeed = seed + index * share;
      const dynamodb = { endpoint, accessKeyId };
      const options = { firstSeed, histories: share, maxCalls: MAX_CALLS_DYNAMODB, dynamodb };
      return () => runJob({ runner, options });
    });
    const result = mergeResults(await runConcurrently(tasks, workers));
    print('DynamoDB Local', result, startedMs);
    return result;
  } finally {
    await stop();
    for (const path of [directory, dirname(runner)]) rmSync(path, { recursive: true });
  }
}

const seed = Number(values.seed);
console.log(`commit ${await commit()}, seed ${seed}`);
const results: RunResult[] = [];
if (histories > 0) results.push(await proveInMemory(seed, Number(values.workers)));
if (values.dynamodb !== '0') results.push(await proveInDynamoDb(seed, Number(values.workers)));
const { failed } = mergeResults(results);
if (failed.length > 0) process.exitCode = 1;
for (const [proof, count] of [
  [PAYMENTS, Number(values.payments)],
  [WEBHOOKS, Number(values.deliveries)],
] as const)
  if (count > 0 && !(await prove(proof, count, seed, Number(values.workers)))) process.exitCode = 1;
