import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, buildSync, type Metafile } from 'esbuild';
import { writeSourceLines } from './source-lines.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const START_FILE = fileURLToPath(new URL('start.mjs', import.meta.url));

/**
 * Replaced by small modules. test/infra/bundle.test.ts tests each, and docs/design/performance.md lists what it saves.
 */
const REPLACED_MODULES = {
  '@aws-sdk/credential-provider-node': './infra/bundle/replaced/lambda-credentials.ts',
  '@aws-sdk/middleware-endpoint-discovery': './infra/bundle/replaced/endpoint-discovery.ts',
  '@smithy/core/event-streams': './infra/bundle/replaced/event-streams.ts',
  '@pdf-lib/standard-fonts': './infra/bundle/replaced/no-standard-fonts.ts',
  pako: './infra/bundle/replaced/pako.ts',
} as const;

/** CommonJS without dynamic imports and code that Lambda never runs (docs/design/performance.md). */
const OPTIONS = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  supported: { 'dynamic-import': false },
  // The SDK's CommonJS builds cannot be tree-shaken.
  mainFields: ['module', 'main'],
  alias: REPLACED_MODULES,
  minify: true,
  legalComments: 'none',
  sourcemap: 'external',
  sourcesContent: false,
  // Lambda and Node load it as CommonJS whatever a package.json says.
  outExtension: { '.js': '.cjs' },
  metafile: true,
  logLevel: 'warning',
} as const satisfies BuildOptions;

export interface Bundles {
  /** By name, with `start.mjs`, `index.cjs`, its source map and `lines.json`. */
  readonly directories: ReadonlyMap<string, string>;
  /** The sources and size of each bundle. */
  readonly metafile: Metafile;
}

/**
 * Bundles each file into `<outputDirectory>/<name>/index.cjs`, next to `start.mjs`, which Lambda loads. The same
 * sources produce the same bytes, so that a deployment replaces only functions that changed. Also writes
 * `metafile.json`.
 */
export function bundle(sources: Readonly<Record<string, string>>, outputDirectory: string): Bundles {
  const names = Object.keys(sources);
  const { metafile } = buildSync({
    ...OPTIONS,
    entryPoints: names.map((name) => ({ in: sources[name] ?? '', out: join(name, 'index') })),
    outdir: outputDirectory,
  });
  const directories = new Map(names.map((name) => [name, join(outputDirectory, name)]));
  for (const directory of directories.values()) {
    copyFileSync(START_FILE, join(directory, 'start.mjs'));
    writeSourceLines(directory, ROOT);
  }
  writeFileSync(join(outputDirectory, 'metafile.json'), JSON.stringify(metafile));
  return { directories, metafile };
}
