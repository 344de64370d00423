import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pythonEnvironment } from '../../../support/python-environment.ts';

const HERE = import.meta.dirname;
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const MAX_EXAMPLES = '5';
/** Releases for Python 3.9 and 3.10 treat a missing body as valid, and send headers that no HTTP server accepts. */
const VALID_ONLY = ['--mode', 'positive', '--phases', 'examples,fuzzing'];

export interface ApiFuzz {
  readonly isPassed: boolean;
  readonly output: string;
}

/**
 * Sends requests that Schemathesis generates from docs/openapi.json, and checks the responses against that document.
 * The cases are the same in every run, unless `options` contains `--seed`. Needs Python 3.9 or later with venv, and on
 * the first run a package index.
 */
export async function fuzzApi(
  service: { readonly baseUrl: string; readonly apiKey: string },
  options: readonly string[] = [],
): Promise<ApiFuzz> {
  const { requirements, limits } = findPython();
  const python = join(await pythonEnvironment('schemathesis', requirements), 'python');
  const directory = mkdtempSync(join(tmpdir(), 'identity-fuzz-'));
  const args = [
    ...['-m', 'schemathesis.cli', '--config-file', join(HERE, 'schemathesis.toml')],
    ...['run', join(ROOT, 'docs/openapi.json'), '--url', service.baseUrl],
    ...['--max-examples', MAX_EXAMPLES, '--no-color', ...limits],
    ...(options.some((option) => option.startsWith('--seed')) ? [] : ['--generation-deterministic']),
    ...options,
  ];
  try {
    return await run(python, args, {
      // Schemathesis stores its findings in its working directory.
      cwd: directory,
      env: {
        ...process.env,
        API_KEY: service.apiKey,
        PYTHONPATH: HERE,
        PYTHONDONTWRITEBYTECODE: '1',
        SCHEMATHESIS_HOOKS: 'checks',
      },
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function findPython(): { readonly requirements: string; readonly limits: readonly string[] } {
  const { stdout } = spawnSync('python3', ['-c', 'import sys; print(*sys.version_info[:3], sep=".")']);
  const version = stdout?.toString().trim() ?? '';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major !== 3 || minor < 9)
    throw new Error(`Schemathesis needs python3 3.9 or later. Found: ${version || 'none'}.`);
  const isOld = minor < 11;
  const requirements = join(HERE, isOld ? 'requirements-3.9.txt' : 'requirements.txt');
  return { requirements, limits: isOld ? VALID_ONLY : [] };
}

function run(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<ApiFuzz> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        output += String(text);
      });
    child.on('error', reject);
    child.on('close', (code) => resolve({ isPassed: code === 0, output }));
  });
}
