import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startDynamoDbLocal } from '../../infra/local/aws/dynamodb-local.ts';
import { bundleRunner, runnerSources } from './mutation/bundle.ts';
import { SMALL_BULKHEAD } from './mutation/mutants.ts';
import type { Outcome } from './run-histories.ts';
import { inTurn, type Job, merged, runJob } from './run-workers.ts';

/**
 * `npm run prove -- --histories N --seed S`: random histories of the ledger, in memory and (`--dynamodb N`) in
 * DynamoDB Local. Prints commit, seed, and counts; ends with 1 where a rule was broken. One history again:
 * `--histories 1 --seed <its seed>`.
 */
const { values } = parseArgs({
  options: {
    histories: { type: 'string', default: '10000' },
    dynamodb: { type: 'string', default: '0' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    workers: { type: 'string', default: '2' },
    /** Every history with the small bulkhead, to repeat one of them. */
    bulkhead: { type: 'boolean', default: false },
  },
});

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SLICE = 500;
const SMALL = { maxHolds: 2 };
/** Short histories where each call costs a millisecond. */
const MAX_CALLS_DYNAMODB = 2;

/** Slices of the work. Every fourth runs with a bulkhead so small that a few requests fill it. */
function slices(count: number, firstSeed: number, plain: string, small: string): Job[] {
  return Array.from({ length: Math.ceil(count / SLICE) }, (_, place) => {
    const isSmall = values.bulkhead || place % 4 === 3;
    return {
      runner: isSmall ? small : plain,
      order: {
        firstSeed: firstSeed + place * SLICE,
        histories: Math.min(SLICE, count - place * SLICE),
        ...(isSmall && SMALL),
      },
    };
  });
}

function print(title: string, { histories, counts, reached, bad }: Outcome, startedMs: number): void {
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`${title}: ${histories} histories in ${seconds} s, ${bad.length} with violations`);
  console.log(`  faults: ${list(counts)}`);
  console.log(`  reached: ${list(reached)}`);
  for (const { seed, violations, plan } of bad.slice(0, 3))
    console.log(JSON.stringify({ seed, violations: violations.slice(0, 5), plan }, null, 1));
  if (bad.length > 3)
    console.log(
      `  more bad seeds: ${bad
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

/** The commit, and whether any file that takes part in the histories differs from it. */
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

async function proveInMemory(seed: number, workers: number): Promise<Outcome> {
  const startedMs = performance.now();
  const [plain, small] = [await bundleRunner([]), await bundleRunner([SMALL_BULKHEAD])];
  try {
    const jobs = slices(Number(values.histories), seed, plain, small);
    const outcome = merged(
      await inTurn(
        jobs.map((job) => () => runJob(job)),
        workers,
      ),
    );
    print('in memory', outcome, startedMs);
    return outcome;
  } finally {
    for (const runner of [plain, small]) rmSync(dirname(runner), { recursive: true });
  }
}

async function proveInDynamoDb(seed: number, workers: number): Promise<Outcome> {
  const startedMs = performance.now();
  const directory = mkdtempSync(join(tmpdir(), 'ledger-'));
  const { endpoint, accessKeyId, stop } = await startDynamoDbLocal({
    logFile: join(directory, 'dynamodb.log'),
  });
  const runner = await bundleRunner([]);
  try {
    const share = Math.ceil(Number(values.dynamodb) / workers);
    const tasks = Array.from({ length: workers }, (_, place) => {
      const firstSeed = seed + place * share;
      const dynamodb = { endpoint, accessKeyId };
      const order = { firstSeed, histories: share, maxCalls: MAX_CALLS_DYNAMODB, dynamodb };
      return () => runJob({ runner, order });
    });
    const outcome = merged(await inTurn(tasks, workers));
    print('DynamoDB Local', outcome, startedMs);
    return outcome;
  } finally {
    await stop();
    for (const path of [directory, dirname(runner)]) rmSync(path, { recursive: true });
  }
}

const seed = Number(values.seed);
console.log(`commit ${await commit()}, seed ${seed}`);
const outcomes: Outcome[] = [];
if (values.histories !== '0') outcomes.push(await proveInMemory(seed, Number(values.workers)));
if (values.dynamodb !== '0') outcomes.push(await proveInDynamoDb(seed, Number(values.workers)));
const { bad, reached, histories } = merged(outcomes);
// A run in which nothing is charged would break no rule either.
const isIdle =
  histories >= SLICE && ['VERIFIED', 'replay VERIFIED', 'no answer'].some((one) => !reached[one]);
if (isIdle) console.log('The histories reached too little to prove anything.');
if (bad.length > 0 || isIdle) process.exitCode = 1;
