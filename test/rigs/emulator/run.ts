import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mustRun } from '../../support/programs.ts';
import { pythonEnvironment } from '../../support/python-environment.ts';
import { ROOT, synthesise, synthesizeChange } from './assemblies.ts';
import { checkDeployment } from './check-deployment.ts';
import { startEmulator } from './emulator.ts';

/**
 * `npm run deploy:emulator` checks the templates of every stage on AWS with cfn-lint. Then it deploys prod to moto with the
 * CDK CLI, deploys it again, updates, restores and deletes it, and operates it with the operator's CLI.
 * docs/operations.md lists what this covers. Takes some minutes. Needs python3 with venv, and a package index for the
 * first run. Exits with 0 if every step succeeds.
 */

const BIN = join(ROOT, 'node_modules/.bin');
const STAGES = ['dev', 'staging', 'prod'];

/** W3005 warns of a DependsOn that a reference already implies. CDK writes them, and they are harmless. */
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
    say(`cfn-lint accepts ${templates.length} templates of ${stage}`);
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

function say(step: string): void {
  process.stdout.write(`ok  ${step}\n`);
}

try {
  await main();
} finally {
  rmSync(directory, { recursive: true, force: true });
}
