import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startDynamoDbLocal } from '../infra/local/aws/dynamodb-local.ts';
import { createSuppliedOrganisation } from '../infra/local/demo-organisation.ts';
import { type ServiceDescription, startLocalService } from '../infra/local/local-service.ts';
import { bypassProxy } from '../infra/local/loopback.ts';
import { needOf, suiteOf } from './needs.ts';
import { installReferences } from './rigs/bench/install-references.ts';
import { readCanaries, searchLog } from './security/search-log.ts';
import { findBrowser } from './support/browser.ts';
import { DURATIONS_FILE } from './support/durations-file.ts';
import { sampleSeed } from './support/sample.ts';

/**
 * `npm test` runs the checks and all but the long tests, in stages. `npm test -- <jest arguments>` runs the jest tests
 * that the arguments select, and starts only what these need. `npm run test:long` runs the long tests, and all cases of
 * the sampled ones. Prints the duration of each stage and suite, then `N passed, N failed`. Exits with 1 if something
 * failed or nothing ran. `SAMPLE_SEED=<seed>` repeats the random cases of a run.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BIN = join(ROOT, 'node_modules/.bin');
const JEST = [
  '--experimental-vm-modules',
  '--no-warnings=ExperimentalWarning',
  join(ROOT, 'node_modules/jest/bin/jest.js'),
];
const selected = process.argv.slice(2).filter((argument) => argument !== '--long');
const isLong = process.argv.includes('--long');
const workDirectory = mkdtempSync(join(tmpdir(), 'identity-test-'));
const canaryFile = join(workDirectory, 'canaries.txt');

const total = { passed: 0, failed: 0 };
const stages: { name: string; ms: number }[] = [];
const suites = new Map<string, { tests: number; ms: number }>();
const timedFiles: { name: string; ms: number }[] = [];

/**
 * Runs a program, which shares our output streams. Resolves with its exit code, or with undefined if a signal ended it,
 * for example because it was still running 20 s after it wrote `reportFile`.
 */
function run(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  reportFile?: string,
): Promise<number | undefined> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, PATH: `${BIN}:${process.env['PATH']}`, ...env },
    });
    const timer =
      reportFile === undefined ? undefined : setInterval(() => endAfter(reportFile, child), 1_000);
    child.on('error', (error) => {
      process.stderr.write(`${command}: ${error.message}\n`);
      resolve(127);
    });
    child.on('exit', (code) => {
      clearInterval(timer);
      resolve(code ?? undefined);
    });
  });
}

const GRACE_MS = 20_000;

/** Ends a program that has written its report: a failed test may have left something running. */
function endAfter(reportFile: string, child: ChildProcess): void {
  const writtenMs = statSync(reportFile, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
  if (Date.now() - writtenMs > GRACE_MS) child.kill('SIGKILL');
}

function record(name: string, isPassed: boolean): void {
  total[isPassed ? 'passed' : 'failed'] += 1;
  if (!isPassed) process.stderr.write(`FAILED: ${name}\n`);
}

async function stage(name: string, work: () => Promise<void>): Promise<void> {
  process.stdout.write(`\n> ${name}\n`);
  const startedMs = performance.now();
  try {
    await work();
  } catch (error) {
    record(`${name}: ${error instanceof Error ? error.message : String(error)}`, false);
  }
  stages.push({ name, ms: performance.now() - startedMs });
}

interface JestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numRuntimeErrorTestSuites: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly unknown[];
  }[];
}

async function jest(name: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
  const reportFile = join(workDirectory, `report-${name}.json`);
  const options = ['--json', `--outputFile=${reportFile}`];
  const code = await run('node', [...JEST, ...options, ...args], env, reportFile);
  if (!existsSync(reportFile)) return record(`jest wrote no report of ${name}`, false);
  const report = JSON.parse(readFileSync(reportFile, 'utf8')) as JestReport;
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  total.passed += report.numPassedTests;
  total.failed += code === 0 || code === undefined ? failed : Math.max(1, failed);
  for (const { name: file, startTime, endTime, assertionResults } of report.testResults) {
    const { tests, ms } = suites.get(suiteOf(file)) ?? { tests: 0, ms: 0 };
    suites.set(suiteOf(file), { tests: tests + assertionResults.length, ms: ms + endTime - startTime });
    timedFiles.push({ name: relative(ROOT, file), ms: endTime - startTime });
  }
}

async function listTests(args: readonly string[]): Promise<string[]> {
  const listFile = join(workDirectory, 'tests.json');
  await run('node', [...JEST, '--listTests', '--json', `--outputFile=${listFile}`, ...args]);
  return existsSync(listFile) ? (JSON.parse(readFileSync(listFile, 'utf8')) as string[]) : [];
}

interface Started {
  /** The environment variables by which tests find what was started. */
  readonly environment: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

/** Starts what tests need: the service, and one DynamoDB Local in which each test file creates its own database. */
async function start(needs: { readonly tables: boolean; readonly service: boolean }): Promise<Started> {
  const cleanup = new AsyncDisposableStack();
  const environment: NodeJS.ProcessEnv = {
    CANARY_FILE: canaryFile,
    // Halves the time that programs started by tests need to load their modules.
    NODE_COMPILE_CACHE: join(workDirectory, 'compiled'),
    RUN_DIRECTORY: mkdtempSync(join(workDirectory, 'run-')),
  };
  if (needs.service) {
    await findBrowser();
    environment['LOCAL_SERVICE_FILE'] = await startService('description.json', cleanup);
  }
  if (needs.tables) {
    const database = await startDynamoDbLocal({ logFile: join(workDirectory, 'test-dynamodb.log') });
    cleanup.defer(() => database.stop());
    environment['DYNAMODB_ENDPOINT'] = database.endpoint;
  }
  return { environment, stop: () => cleanup.disposeAsync() };
}

/** Starts a service, writes its description to this file in the work directory, and returns the file's path. */
async function startService(
  file: string,
  cleanup: AsyncDisposableStack,
  options: { readonly assemblyDirectory?: string } = {},
): Promise<string> {
  // These functions read every organisation that tests have created. The tests that need them invoke them.
  const withoutSchedule = ['publish-events', 'reconcile-wallets', 'roll-up-usage'];
  const started = await startLocalService({ port: 0, workDirectory, withoutSchedule, ...options });
  const { control: _, stop, ...description } = started;
  // Runs last, when the functions have stopped and nothing is written any more.
  cleanup.defer(() => searchForIdentities(description.logFile));
  cleanup.defer(stop);
  const serviceFile = join(workDirectory, file);
  writeFileSync(serviceFile, JSON.stringify(description), { mode: 0o600 });
  return serviceFile;
}

function searchForIdentities(logFile: string): void {
  const canaries = existsSync(canaryFile) ? readCanaries(canaryFile) : [];
  const hits = searchLog(logFile, canaries);
  process.stdout.write(`\nSearched the functions' output for ${canaries.length} identities.\n`);
  for (const { line, form, excerpt } of hits.slice(0, 10))
    process.stderr.write(`Line ${line} contains an identity (${form}): ${excerpt}\n`);
  record("no identity in the functions' output", hits.length === 0);
}

async function runSelected(): Promise<void> {
  const needs = (await listTests(selected)).map(needOf);
  const started = await start({
    service: needs.includes('service'),
    tables: needs.includes('service') || needs.includes('tables'),
  });
  try {
    await stage('selected tests', () => jest('selected', selected, started.environment));
  } finally {
    await started.stop();
  }
}

/** Tests that only `npm run test:long` runs: each takes minutes of processor time, or puts load on its own service. */
const LONG = [
  'test/rigs/bench/flow.test.ts',
  'test/rigs/bulkheads/bulkheads.test.ts',
  'test/rigs/fuzz/schemathesis/fuzz.test.ts',
  'test/rigs/production-day/simulation.test.ts',
  'test/rigs/reconciliation/reconciliation.test.ts',
];
/**
 * Tests that run a schedule over all organisations: the reconciliation, or the hourly count of usage. Once other tests
 * have created hundreds of organisations, this takes minutes.
 */
const FIRST = ['test/reconcile/metrics.test.ts', 'test/console/usage.test.ts'];
/** Run at the same time as tests of the shared service: one starts its own, and one sends only a few requests. */
const BESIDE = ['test/api/health.test.ts', 'test/site/site.test.ts'];

/** Runs the long tests, and all cases of the tests of which `npm test` runs a random sample. */
async function runLong(): Promise<void> {
  const files = await listTests(['--testPathIgnorePatterns', '/test/unit/']);
  const others = files.filter((file) => !LONG.some((name) => file.endsWith(name)));
  // Before jest starts, because jest remembers which folders do not exist.
  installReferences();
  const sampled = others.filter((file) => /support\/sample\.ts|'ALL_CASES'/.test(readFileSync(file, 'utf8')));
  const { environment, stop } = await start({ service: true, tables: true });
  try {
    await stage('long tests', () =>
      jest('long', ['--runInBand', '--runTestsByPath', ...LONG, ...sampled], {
        ...environment,
        ALL_CASES: '1',
      }),
    );
  } finally {
    await stop();
  }
}

/** Runs the checks and the unit tests, which need nothing that is started. */
async function runChecks(): Promise<void> {
  await stage('check', async () =>
    record('npm run check', (await run('npm', ['run', '--silent', 'check'])) === 0),
  );
  await stage('unit', () => jest('unit', ['--maxWorkers=2', '--testMatch', '**/test/unit/**/*.test.ts']));
}

/**
 * Creates an organisation for the tests of the Python client, which count its charges, and returns the file of its keys.
 */
async function createPythonAccount(serviceFile: string): Promise<string> {
  const { baseUrl, adminAwsEnvironment: found }: ServiceDescription = JSON.parse(
    readFileSync(serviceFile, 'utf8'),
  );
  const client = new DynamoDBClient({
    region: found['AWS_REGION'] ?? '',
    endpoint: found['AWS_ENDPOINT_URL_DYNAMODB'] ?? '',
    credentials: {
      accessKeyId: found['AWS_ACCESS_KEY_ID'] ?? '',
      secretAccessKey: found['AWS_SECRET_ACCESS_KEY'] ?? '',
    },
  });
  const keys = await createSuppliedOrganisation(client, found, 'Python Client', new Date());
  const file = join(workDirectory, 'python.json');
  writeFileSync(file, JSON.stringify({ baseUrl, ...keys }), { mode: 0o600 });
  return file;
}

async function runClients(environment: NodeJS.ProcessEnv, tests: readonly string[]): Promise<void> {
  await stage('clients', async () => {
    const [code] = await Promise.all([
      run('python3', ['clients/python/run-tests.py'], {
        NG_IDENTITY_TEST_SERVICE: await createPythonAccount(environment['LOCAL_SERVICE_FILE'] ?? ''),
      }),
      jest('clients', ['--runInBand', '--runTestsByPath', ...tests], environment),
    ]);
    record('the Python client', code === 0);
  });
}

/**
 * Runs three sequences at the same time: the checks and the tests without a service, the tests of the console next to
 * those of the clients, and the other tests of the service. The latter run one after another and have a service of their
 * own, since some count its requests. They often wait, so the other sequences then have the processor.
 */
async function runAll(): Promise<void> {
  const files = await listTests(['--testPathIgnorePatterns', '/test/unit/']);
  const laneOf = (file: string) => {
    if (suiteOf(file) === 'clients/typescript') return 'clients';
    if (LONG.some((name) => file.endsWith(name))) return 'long';
    if (FIRST.some((name) => file.endsWith(name))) return 'first';
    if (BESIDE.some((name) => file.endsWith(name))) return 'infra';
    if (needOf(file) !== 'service') return 'infra';
    return suiteOf(file) === 'test/console' ? 'console' : 'service';
  };
  const { clients = [], first = [], infra = [], console = [], service = [] } = Object.groupBy(files, laneOf);
  const checked = runChecks();
  const cleanup = new AsyncDisposableStack();
  try {
    const { environment, stop } = await start({ service: true, tables: true });
    cleanup.defer(stop);
    const runLane = (name: string, tests: readonly string[], ...options: readonly string[]) =>
      stage(name, () => jest(name, [...options, '--runTestsByPath', ...tests], environment));
    await Promise.all([
      checked.then(() => runLane('infra', infra, '--maxWorkers=2')),
      runLane('first', first, '--runInBand').then(() =>
        Promise.all([runClients(environment, clients), runLane('console', console, '--runInBand')]),
      ),
      runWithOwnService(environment, service, cleanup),
    ]);
  } finally {
    await checked;
    await cleanup.disposeAsync();
  }
}

/** Starts a second service from the bundles of the first one, and runs these tests with it. */
async function runWithOwnService(
  environment: NodeJS.ProcessEnv,
  tests: readonly string[],
  cleanup: AsyncDisposableStack,
): Promise<void> {
  await stage('service', async () => {
    const options = { assemblyDirectory: join(workDirectory, 'cdk.out') };
    const serviceFile = await startService('second-description.json', cleanup, options);
    await jest('service', ['--runInBand', '--runTestsByPath', ...tests], {
      ...environment,
      LOCAL_SERVICE_FILE: serviceFile,
    });
  });
}

const LISTED_FILES = 10;

/** Returns the durations of suites, the longest files and stages, some of which run at the same time. */
function durations(): string {
  const row = (name: string, ms: number, more = '') =>
    `${name.padEnd(48)}${(ms / 1000).toFixed(1).padStart(8)} s${more}`;
  const bySuite = [...suites].sort(([, a], [, b]) => b.ms - a.ms);
  const longest = timedFiles.sort((a, b) => b.ms - a.ms).slice(0, LISTED_FILES);
  return [
    ...bySuite.map(([name, { tests, ms }]) => row(name, ms, `${String(tests).padStart(6)} tests`)),
    '',
    ...longest.map(({ name, ms }) => row(name, ms)),
    '',
    ...stages.map(({ name, ms }) => row(name, ms)),
    row('all', performance.now()),
  ].join('\n');
}

bypassProxy();
process.env['SAMPLE_SEED'] = String(sampleSeed);
process.stdout.write(`Random cases: SAMPLE_SEED=${sampleSeed}\n`);
try {
  await (isLong ? runLong() : selected.length > 0 ? runSelected() : runAll());
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  total.failed += 1;
}
if (total.failed === 0) rmSync(workDirectory, { recursive: true, force: true });
else process.stderr.write(`\nReports and logs of the functions: ${workDirectory}\n`);
if (!isLong && selected.length === 0) {
  mkdirSync(dirname(DURATIONS_FILE), { recursive: true });
  writeFileSync(DURATIONS_FILE, `${durations()}\n`);
}
process.stdout.write(`\n${durations()}\n\n${total.passed} passed, ${total.failed} failed\n`);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);
