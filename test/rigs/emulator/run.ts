import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PIN } from '../../support/pin-stages.ts';
import { mustRun } from '../../support/programs.ts';
import { pythonEnvironment } from '../../support/python-environment.ts';
import { ROOT, synthesise, synthesizeChange } from './assemblies.ts';
import { checkDeployment } from './check-deployment.ts';
import { type Emulator, startEmulator } from './emulator.ts';
import { startOperatorApi } from './operator-api.ts';

/**
 * `npm run deploy:emulator` checks the templates of every stage on AWS with cfn-lint. Then it deploys prod to moto with
 * the CDK CLI, updates the stacks, restores the tables, deletes the stacks and recovers the stage, and runs the
 * operator's commands between these steps. docs/operate/drills.md says how far it gets. Takes a few minutes. Needs python3
 * with venv, and a package index for the first run. Exits with 0 if every step succeeds.
 */

const BIN = join(ROOT, 'node_modules/.bin');
const STAGES = ['dev', 'staging', 'prod'];

/** W3005 warns of a DependsOn that a reference already implies. The CDK writes such entries, and they are harmless. */
const LINT = [
  '-c',
  'from cfnlint.runner import main; main()',
  '--ignore-checks',
  'W3005',
  '--regions',
  'eu-west-1',
  '--',
];

/**
 * Staging and prod get an account, a region, a console and money, as operators set them. Dev gets the region of the AWS profile. This
 * machine's own profile is not used.
 */
const environment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_'))),
  NODE_OPTIONS: `--import=${join(import.meta.dirname, 'pin-console.ts')}`,
  AWS_REGION: PIN.region,
  AWS_CONFIG_FILE: devNull,
  AWS_SHARED_CREDENTIALS_FILE: devNull,
  AWS_EC2_METADATA_DISABLED: 'true',
  PATH: `${BIN}:${process.env['PATH']}`,
};
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
  await using cleanup = new AsyncDisposableStack();
  const operators = await startOperatorApi(() => emulator);
  cleanup.defer(operators.close);
  const emulator: Emulator = await startEmulator(python, environment, operators.url);
  cleanup.defer(emulator.stop);
  await checkDeployment({
    ...emulator,
    first: assemblies.get('prod') ?? '',
    dev: assemblies.get('dev') ?? '',
    change: (name, change) => synthesizeChange(directory, name, change, environment),
    say,
  });
}

function say(step: string): void {
  process.stdout.write(`ok  ${step}\n`);
}

try {
  await main();
} finally {
  rmSync(directory, { recursive: true, force: true });
}
