import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDynamoDbLocal } from '../../../infra/local/aws/dynamodb-local.ts';
import { runConcurrently } from '../../ledger/run-workers.ts';
import { needOf } from '../../needs.ts';
import { MUTANTS, type Mutant, mutate } from './mutants.ts';

/**
 * `npm run rig -- mutants [area or path]` applies each fault of list.json to a copy of the project, alone, and runs the
 * test file that must fail because of it. Exits with 1 if a fault survives, or fails the test other than by an
 * assertion: a fault that does not load shows nothing about the test. A path selects the faults of files below it, and
 * those that its tests detect.
 */

const ROOT = join(import.meta.dirname, '../../..');
const COPIES = 2;
const TIMEOUT_MS = 600_000;
const JEST = [
  '--experimental-vm-modules',
  '--no-warnings=ExperimentalWarning',
  join(ROOT, 'node_modules/jest/bin/jest.js'),
];

type Verdict = 'passed' | 'failed an assertion' | 'failed without an assertion' | 'did not end';

interface JestReport {
  readonly success: boolean;
  readonly numRuntimeErrorTestSuites: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly failureMessages: readonly string[] | null }[];
  }[];
}

const workDirectory = mkdtempSync(join(tmpdir(), 'mutants-'));
const copies = Array.from({ length: COPIES }, (_, index) => copyProject(`copy-${index}`));

function copyProject(name: string): string {
  const copy = join(workDirectory, name);
  const options = { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  const files = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], options).split('\0');
  for (const file of files.filter((one) => one !== '' && existsSync(join(ROOT, one))))
    cpSync(join(ROOT, file), join(copy, file));
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

function verdictOf(reportFile: string): Verdict {
  if (!existsSync(reportFile)) return 'did not end';
  const report = JSON.parse(readFileSync(reportFile, 'utf8')) as JestReport;
  rmSync(reportFile);
  if (report.success) return 'passed';
  const failures = report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .flatMap(({ failureMessages }) => failureMessages ?? []);
  const isAsserted = failures.some((message) => /expect\(|AssertionError/.test(message));
  return report.numRuntimeErrorTestSuites === 0 && isAsserted
    ? 'failed an assertion'
    : 'failed without an assertion';
}

/** Runs a test file in a copy that no other test uses, after `change` and until it is undone. */
async function runTest(test: string, change?: Mutant): Promise<Verdict> {
  const copy = copies.pop();
  if (copy === undefined) throw new Error('More tests run at the same time than there are copies.');
  const reportFile = join(copy, 'report.json');
  const changed = change && join(copy, change.file);
  const original = changed && readFileSync(changed, 'utf8');
  try {
    if (changed) writeFileSync(changed, mutate(original ?? '', change));
    await new Promise((resolve, reject) => {
      const options = ['--runInBand', '--bail', '--json', `--outputFile=${reportFile}`];
      const cache = `--cacheDirectory=${join(workDirectory, 'cache')}`;
      const child = spawn(process.execPath, [...JEST, ...options, cache, '--runTestsByPath', test], {
        cwd: copy,
        stdio: 'ignore',
        timeout: TIMEOUT_MS,
        killSignal: 'SIGKILL',
        env: { ...process.env, FORCE_COLOR: '0', NODE_COMPILE_CACHE: join(workDirectory, 'compiled') },
      });
      child.on('error', reject);
      child.on('exit', resolve);
    });
    return verdictOf(reportFile);
  } finally {
    if (changed) writeFileSync(changed, original ?? '');
    copies.push(copy);
  }
}

function show({ file, find, replace, killedBy }: Mutant): string {
  const cut = (text: string) =>
    (text.length > 100 ? `${text.slice(0, 100)}...` : text).replaceAll('\n', '\n    ');
  return `${file}\n  - ${cut(find)}\n  + ${cut(replace)}\n  ${killedBy}`;
}

const [selection = ''] = process.argv.slice(2);
const chosen = MUTANTS.filter(
  ({ area, file, killedBy }) =>
    area === selection || file.startsWith(selection) || killedBy.startsWith(selection),
).toSorted((a, b) => a.killedBy.localeCompare(b.killedBy));
const tests = [...new Set(chosen.map(({ killedBy }) => killedBy))];
const startedMs = performance.now();

async function run(): Promise<boolean> {
  const before = await runConcurrently(
    tests.map((test) => () => runTest(test)),
    COPIES,
  );
  const broken = tests.filter((_, index) => before[index] !== 'passed');
  for (const test of broken) console.error(`Fails without a fault: ${test}`);
  if (broken.length > 0) return false;
  console.log(`${tests.length} test files pass without a fault.`);

  const verdicts = await runConcurrently(
    chosen.map((mutant) => async () => {
      const verdict = await runTest(mutant.killedBy, mutant);
      if (verdict !== 'failed an assertion') console.log(`SURVIVED (${verdict}) ${show(mutant)}`);
      return verdict;
    }),
    COPIES,
  );
  const isKilled = (mutant: Mutant) => verdicts[chosen.indexOf(mutant)] === 'failed an assertion';
  console.log(`\n${'area'.padEnd(34)}${'killed'.padStart(10)}${'survived'.padStart(10)}`);
  for (const [area, mutants = []] of Object.entries(Object.groupBy(chosen, ({ area }) => area))) {
    const killed = mutants.filter(isKilled).length;
    console.log(
      `${area.padEnd(34)}${String(killed).padStart(10)}${String(mutants.length - killed).padStart(10)}`,
    );
  }
  const killed = chosen.filter(isKilled).length;
  console.log(`\n${((performance.now() - startedMs) / 60_000).toFixed(1)} minutes`);
  console.log(`${killed} passed, ${chosen.length - killed} failed`);
  return killed > 0 && killed === chosen.length;
}

const needsTables = tests.some((test) => needOf(test) === 'tables');
const database = needsTables
  ? await startDynamoDbLocal({ logFile: join(workDirectory, 'dynamodb.log') })
  : undefined;
if (database) process.env['DYNAMODB_ENDPOINT'] = database.endpoint;
try {
  process.exitCode = (await run()) ? 0 : 1;
} finally {
  await database?.stop();
  rmSync(workDirectory, { recursive: true, force: true });
}
