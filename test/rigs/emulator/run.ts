import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mustRun } from '../../support/programs.ts';
import { pythonEnvironment } from '../../support/python-environment.ts';
import { ROOT, synthesise, synthesizeChange } from './assemblies.ts';
import { checkDeployment } from './check-deployment.ts';
import { startEmulator } from './emulator.ts';

/**
 * `npm run deploy:emulator`: the templates of every stage on AWS pass cfn-lint; the CDK command line deploys those of
 * prod on moto, changes nothing the second time, updates and deletes them; the operator's command line works there, and
 * so does the restore. docs/operations.md says what that shows and what it cannot. Some minutes. Needs python3 with venv,
 * and the first time a package index. Exit code 0 where all held.
 */

const BIN = join(ROOT, 'node_modules/.bin');
const STAGES = ['dev', 'staging', 'prod'];

/** W3005 is about DependsOn that a reference makes superfluous: CDK writes them, and they do no harm. */
const LINT = [
  '-c',
  'from cfnlint.runner import main; main()',
  '--ignore-checks',
  'W3005',
  '--regions',
  'eu-west-1',
  '--',
];

const environment = { ...process.env, PATH: `${BIN}:${process.env['PATH']}` };
const directory = mkdtempSync(join(tmpdir(), 'identity-emulator-'));

async function main(): Promise<void> {
  const python = await pythonEnvironment('emulator', join(import.meta.dirname, 'requirements.txt'));
  const assemblies = new Map<string, string>();
  for (const stage of STAGES) {
    const assembly = await synthesise(directory, stage, environment);
    assemblies.set(stage, assembly);
    const templates = readdirSync(assembly).filter((file) => file.endsWith('.template.json'));
    await mustRun(join(python, 'python'), [...LINT, ...templates.map((file) => join(assembly, file))]);
    say(`cfn-lint has nothing to say about ${templates.length} templates of ${stage}`);
  }
  const emulator = await startEmulator(python, environment);
  try {
    await checkDeployment({
      ...emulator,
      first: assemblies.get('prod') ?? '',
      change: (name, change) => synthesizeChange(directory, name, change, environment),
      say,
    });
  } finally {
    await emulator.stop();
  }
}

function say(words: string): void {
  process.stdout.write(`ok  ${words}\n`);
}

try {
  await main();
} finally {
  rmSync(directory, { recursive: true, force: true });
}
