import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startDynamoDbLocal } from '../infra/local/aws/dynamodb-local.ts';
import { startLocalService } from '../infra/local/local-service.ts';
import { readCanaries, searchLog } from './security/search-log.ts';

/**
 * `npm test`: format, lint and types; every jest test and the Python client's, against one running local service.
 * `npm test -- <jest arguments>` runs only the jest tests that they select. Prints `N passed, N failed` at the end.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BIN = join(ROOT, 'node_modules/.bin');
const selected = process.argv.slice(2);

interface Count {
  passed: number;
  failed: number;
}
const total: Count = { passed: 0, failed: 0 };

/** Runs a program to its end; its exit code. */
function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  process.stdout.write(`\n> ${[command, ...args].join(' ')}\n`);
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, PATH: `${BIN}:${process.env['PATH']}`, ...env },
    });
    child.on('error', (error) => {
      process.stderr.write(`${command}: ${error.message}\n`);
      resolve(127);
    });
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

function note(name: string, isPassed: boolean): void {
  total[isPassed ? 'passed' : 'failed'] += 1;
  if (!isPassed) process.stderr.write(`FAILED: ${name}\n`);
}

/** Tests that use the running service come one after another: some kill its functions, or count what it asks. */
const TESTS_OF_THE_SERVICE = 'test/(api|openapi|reconcile|rigs/fuzz|security)/';

/** Runs jest with these arguments, and counts what its report says. */
async function jest(selection: readonly string[], env: NodeJS.ProcessEnv, reportFile: string): Promise<void> {
  const program = join(ROOT, 'node_modules/jest/bin/jest.js');
  const args = ['--experimental-vm-modules', '--no-warnings=ExperimentalWarning', program];
  // A test that failed may have left something running: the run ends all the same.
  const options = ['--forceExit', '--json', `--outputFile=${reportFile}`];
  const code = await run('node', [...args, ...options, ...selection], env);
  if (!existsSync(reportFile)) return note(`jest ${selection.join(' ')} wrote a report`, false);
  const report = JSON.parse(readFileSync(reportFile, 'utf8')) as Record<string, number>;
  total.passed += report['numPassedTests'] ?? 0;
  const failed = (report['numFailedTests'] ?? 0) + (report['numRuntimeErrorTestSuites'] ?? 0);
  total.failed += code === 0 ? failed : Math.max(1, failed);
}

/** Nothing that identifies anybody may stand in what the functions wrote in the whole run. */
function searchWhatWasWritten(logFile: string, canaryFile: string): void {
  const canaries = existsSync(canaryFile) ? readCanaries(canaryFile) : [];
  const hits = searchLog(logFile, canaries);
  process.stdout.write(`\n> searched the functions' output for ${canaries.length} identities\n`);
  for (const { line, form, excerpt } of hits.slice(0, 10))
    process.stderr.write(`Line ${line} has an identity (${form}): ${excerpt}\n`);
  note("no identity in the functions' output", hits.length === 0);
}

async function main(): Promise<void> {
  const workDirectory = mkdtempSync(join(tmpdir(), 'identity-test-'));
  mkdirSync(workDirectory, { recursive: true });
  if (selected.length === 0) {
    note('format and lint', (await run('biome', ['check', '.'])) === 0);
    note('types', (await run('tsc', [])) === 0);
  }
  const { control: _, stop, ...description } = await startLocalService({ port: 0, workDirectory });
  const serviceFile = join(workDirectory, 'description.json');
  const canaryFile = join(workDirectory, 'canaries.txt');
  writeFileSync(serviceFile, JSON.stringify(description), { mode: 0o600 });
  // One emulator for all test files: each takes a database of its own in it, by a key of its own.
  const database = await startDynamoDbLocal({ logFile: join(workDirectory, 'test-dynamodb.log') });
  try {
    const env = {
      LOCAL_SERVICE_FILE: serviceFile,
      CANARY_FILE: canaryFile,
      DYNAMODB_ENDPOINT: database.endpoint,
    };
    const report = (name: string) => join(workDirectory, `${name}.json`);
    if (selected.length > 0) await jest(selected, env, report('jest'));
    else
      await Promise.all([
        jest(['--testPathPatterns', TESTS_OF_THE_SERVICE], env, report('service')),
        jest(['--testPathIgnorePatterns', TESTS_OF_THE_SERVICE], env, report('rest')),
      ]);
    if (selected.length === 0) {
      const credentials = join(workDirectory, 'credentials.json');
      const python = await run('python3', ['clients/python/run-tests.py'], {
        NG_IDENTITY_TEST_SERVICE: credentials,
      });
      note('the Python client', python === 0);
    }
  } finally {
    await database.stop();
    await stop();
  }
  searchWhatWasWritten(description.logFile, canaryFile);
  if (total.failed === 0) rmSync(workDirectory, { recursive: true, force: true });
  else process.stderr.write(`What the functions wrote: ${description.logFile}\n`);
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  total.failed += 1;
});
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);
