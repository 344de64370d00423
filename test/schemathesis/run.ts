import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startLocalService } from '../../infra/local/local-service.ts';

/**
 * `npm run fuzz:api`: Schemathesis drives a local service of its own by docs/openapi.json, with a test key. The cases
 * are bounded and the same in every run. `npm run fuzz:api -- --max-examples 500` tries more.
 * Needs Python 3.10 or later with venv, and on the first run a package index. Exit code 0 where nothing was found.
 */

const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const REQUIREMENTS = join(HERE, 'requirements.txt');
const MAX_EXAMPLES = 25;

/** Runs a program to its end. Throws where it fails, unless its exit code is what the caller wants. */
function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: HERE,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
    });
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

async function must(command: string, args: readonly string[]): Promise<void> {
  const code = await run(command, args);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}.`);
}

/** The environment with exactly the pinned packages, made once for each list of them. */
async function environment(): Promise<string> {
  const digest = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 12);
  const directory = join(ROOT, '.local', `schemathesis-${digest}`);
  if (existsSync(directory)) return directory;
  // Whatever is interrupted here must not look finished to the next run.
  const unfinished = `${directory}.${process.pid}`;
  try {
    await must('python3', ['-m', 'venv', '--copies', unfinished]);
    const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', REQUIREMENTS];
    await must(join(unfinished, 'bin/python'), install);
    renameSync(unfinished, directory);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return directory;
}

async function fuzz(more: readonly string[]): Promise<number> {
  const python = join(await environment(), 'bin/python');
  const workDirectory = mkdtempSync(join(tmpdir(), 'identity-fuzz-'));
  const service = await startLocalService({ port: 0, workDirectory });
  try {
    const args = ['--config-file', 'schemathesis.toml', 'run', join(ROOT, 'docs/openapi.json')];
    const options = ['--url', service.baseUrl, '--max-examples', String(MAX_EXAMPLES), '--no-color', ...more];
    const key = service.credentials?.test.apiKey ?? '';
    return await run(python, ['-m', 'schemathesis.cli', ...args, ...options], { API_KEY: key });
  } finally {
    await service.stop();
    rmSync(workDirectory, { recursive: true, force: true });
  }
}

process.exitCode = await fuzz(process.argv.slice(2));
