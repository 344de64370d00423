import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { bundle } from '../../../infra/bundle/bundle.ts';

export interface Variants {
  /** As deployed, without the warm-up. */
  readonly deployed: string;
  readonly slip: string;
  /** The same bundles, with their warm-up: what Lambda loads. */
  readonly warmed: string;
  readonly warmedSlip: string;
  /** The default of the CDK construct: not minified, and with the SDK of the runtime. */
  readonly external: string;
  /** The smallest function that uses the SDK, bundled as deployed. */
  readonly bareSdk: string;
  remove(): void;
}

const ROOT = join(import.meta.dirname, '../../..');
/** CommonJS packages in an ES module bundle need `require`. */
const BANNER =
  "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);";

/** Builds an ES module bundle. Returns its path. */
export async function buildModule(entry: string, outfile: string, options: BuildOptions): Promise<string> {
  await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    mainFields: ['module', 'main'],
    banner: { js: BANNER },
    logLevel: 'error',
    ...options,
  });
  return outfile;
}

export async function buildVariants(): Promise<Variants> {
  // Inside the project, so that external packages are found.
  mkdirSync(join(ROOT, '.local'), { recursive: true });
  const directory = mkdtempSync(join(ROOT, '.local/bench-'));
  const { directories } = bundle(
    {
      'nin-basic': 'functions/nin-basic.ts',
      'nin-slip': 'functions/nin-slip.ts',
      'bare-sdk': 'test/rigs/bench/references/bare-sdk.ts',
    },
    directory,
  );
  const deployedAs = (name: string) => join(directories.get(name) ?? '', 'index.cjs');
  const startOf = (name: string) => join(directories.get(name) ?? '', 'start.mjs');
  return {
    deployed: deployedAs('nin-basic'),
    slip: deployedAs('nin-slip'),
    warmed: startOf('nin-basic'),
    warmedSlip: startOf('nin-slip'),
    external: await buildModule('functions/nin-basic.ts', join(directory, 'external.mjs'), {
      external: ['@aws-sdk/*'],
    }),
    bareSdk: deployedAs('bare-sdk'),
    remove: () => rmSync(directory, { recursive: true }),
  };
}
