import { type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startLocalService } from '../../../../infra/local/local-service.ts';
import { pythonEnvironment } from '../../../support/python-environment.ts';

/**
 * `npm run fuzz:api`: Schemathesis drives a local service of its own by docs/openapi.json, with a test key. The cases
 * are bounded and the same in every run; `npm run fuzz:api -- --max-examples 500` tries more, `-- --seed 7` others.
 * Needs Python 3.9 or later with venv, and on the first run a package index. Exit code 0 where nothing was found.
 */

const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const MAX_EXAMPLES = 25;
/** Older releases call a missing body valid, and send headers that no HTTP server reads. */
const VALID_ONLY = ['--mode', 'positive', '--phases', 'examples,fuzzing'];
const SAME_CASES = '--generation-deterministic';

/** Runs a program to its end; its exit code. */
function run(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/** What `python3` is, and the newest packages that run on it. */
interface Python {
  readonly requirements: string;
  readonly options: readonly string[];
}

function findPython(): Python {
  const { stdout } = spawnSync('python3', ['-c', 'import sys; print(*sys.version_info[:3], sep=".")']);
  const version = stdout?.toString().trim() ?? '';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major !== 3 || minor < 9)
    throw new Error(`Schemathesis needs python3 from 3.9 on; here it is ${version || 'missing'}.`);
  const isOld = minor < 11;
  const requirements = join(HERE, isOld ? 'requirements-3.9.txt' : 'requirements.txt');
  return { requirements, options: isOld ? VALID_ONLY : [] };
}

async function fuzz(more: readonly string[]): Promise<number> {
  const found = findPython();
  const python = join(await pythonEnvironment('schemathesis', found.requirements), 'python');
  const workDirectory = mkdtempSync(join(tmpdir(), 'identity-fuzz-'));
  const service = await startLocalService({ port: 0, workDirectory });
  const isSeeded = more.some((option) => option.startsWith('--seed'));
  const options = [
    '--url',
    service.baseUrl,
    '--max-examples',
    String(MAX_EXAMPLES),
    '--no-color',
    ...found.options,
  ];
  const args = ['--config-file', join(HERE, 'schemathesis.toml'), 'run', join(ROOT, 'docs/openapi.json')];
  try {
    return await run(
      python,
      ['-m', 'schemathesis.cli', ...args, ...options, ...(isSeeded ? [] : [SAME_CASES]), ...more],
      {
        // It keeps what it found in the folder where it runs.
        cwd: workDirectory,
        env: {
          ...process.env,
          API_KEY: service.credentials?.test.apiKey ?? '',
          PYTHONPATH: HERE,
          PYTHONDONTWRITEBYTECODE: '1',
          SCHEMATHESIS_HOOKS: 'checks',
        },
      },
    );
  } finally {
    await service.stop();
    rmSync(workDirectory, { recursive: true, force: true });
  }
}

process.exitCode = await fuzz(process.argv.slice(2));
