import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, buildSync, type Metafile } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Parts of libraries that no function of ours can reach, and what takes their place. Each is tried by
 * test/infra/bundle.test.ts; what each saves is in docs/performance.md.
 */
const REPLACED_MODULES = {
  '@aws-sdk/credential-provider-node': './infra/bundle/replaced/lambda-credentials.ts',
  '@aws-sdk/middleware-endpoint-discovery': './infra/bundle/replaced/endpoint-discovery.ts',
  '@smithy/core/event-streams': './infra/bundle/replaced/event-streams.ts',
  '@pdf-lib/standard-fonts': './infra/bundle/replaced/no-standard-fonts.ts',
  pako: './infra/bundle/replaced/pako.ts',
} as const;

/**
 * How functions are bundled: CommonJS without dynamic imports, and without what Lambda never uses. Measured against a
 * plain ES module bundle in docs/performance.md.
 */
const OPTIONS = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  supported: { 'dynamic-import': false },
  // The SDK's ES modules: its CommonJS builds cannot be tree-shaken.
  mainFields: ['module', 'main'],
  alias: REPLACED_MODULES,
  minify: true,
  legalComments: 'none',
  sourcemap: 'external',
  // Lambda and Node alike take it for CommonJS, whatever package.json stands above it.
  outExtension: { '.js': '.cjs' },
  metafile: true,
  logLevel: 'warning',
} as const satisfies BuildOptions;

export interface Bundles {
  /** From a function's name to the directory with its `index.cjs`, and beside it the map for reading stack traces. */
  readonly directories: ReadonlyMap<string, string>;
  /** What went into each bundle. */
  readonly metafile: Metafile;
}

/**
 * Bundles TypeScript files, each into `<outputDirectory>/<name>/index.cjs`. The same sources give the same bytes, so
 * that a deployment replaces only what changed.
 * `sources` goes from a bundle's name to its file, relative to the project.
 */
export function bundle(sources: Readonly<Record<string, string>>, outputDirectory: string): Bundles {
  const names = Object.keys(sources);
  const { metafile } = buildSync({
    ...OPTIONS,
    entryPoints: names.map((name) => ({ in: sources[name] ?? '', out: join(name, 'index') })),
    outdir: outputDirectory,
  });
  return { directories: new Map(names.map((name) => [name, join(outputDirectory, name)])), metafile };
}
