import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { FUNCTION_NAMES, FUNCTION_SOURCES } from '../function-sources.ts';
import { billOfMaterials, checksum } from './bill-of-materials.ts';
import { bundle } from './bundle.ts';

/** `npm run sbom` writes the bill of materials of the bundles. docs/operate/delivery.md describes it. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Options {
  readonly output: string;
  readonly app: readonly string[];
}

/** Bundles all functions and returns their bill of materials. Throws unless all `apps` contain these bundles. */
function readBillOfMaterials(apps: readonly string[]): string {
  for (const app of apps) checkComplete(app);
  const directory = mkdtempSync(join(tmpdir(), 'sbom-'));
  try {
    const bundles = bundle(FUNCTION_SOURCES, directory);
    for (const app of apps) checkBundles(app, bundles.directories);
    const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
    return billOfMaterials(bundles, lock, ROOT);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** The files with the code of a deployed function. The second file is the same for all functions. */
const DEPLOYED_FILES = ['index.cjs', 'start.mjs'];

/** Throws if a directory is not a synthesised app. This check runs first, because bundling takes seconds. */
function checkComplete(app: string): void {
  for (const name of FUNCTION_NAMES)
    if (!DEPLOYED_FILES.every((file) => existsSync(join(app, 'bundles', name, file))))
      throw new Error(`${app} has no bundle of ${name}. Specify a directory that cdk synth has written.`);
}

/** Throws if the bundles of a synthesised app differ from those in `directories`. */
export function checkBundles(app: string, directories: ReadonlyMap<string, string>): void {
  const others = [...directories].filter(([name, directory]) =>
    DEPLOYED_FILES.some(
      (file) => checksum(join(app, 'bundles', name, file)) !== checksum(join(directory, file)),
    ),
  );
  if (others.length === 0) return;
  throw new Error(
    `Some bundles in ${app} differ: ${others.map(([name]) => name).join(', ')}. ` +
      'Run cdk synth and this command with the same sources and packages.',
  );
}

const program = new Command('sbom')
  .description('Write the bill of materials of the bundles: a CycloneDX 1.6 document in JSON.')
  .option('--output <file>', 'write to this file', 'cdk.out/sbom.cdx.json')
  .option(
    '--app <directories...>',
    'check that these directories, written by cdk synth, contain the same bundles',
    [],
  )
  .action(({ output, app }: Options) => {
    const text = readBillOfMaterials(app);
    mkdirSync(dirname(output), { recursive: true });
    writeFileSync(output, text);
    process.stdout.write(`Wrote ${output}\n`);
  });

if (import.meta.main) {
  try {
    program.parse();
  } catch (error) {
    process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
