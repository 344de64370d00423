import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { Patch } from './mutant.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const ENTRY = fileURLToPath(new URL('../worker.ts', import.meta.url));

/**
 * Bundles the history runner, by default that of the ledger, with a patched copy of the service's source. Returns the
 * path of the bundle.
 */
export async function bundleRunner(patches: readonly Patch[], entry = ENTRY): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'ledger-'));
  const outfile = join(directory, 'worker.mjs');
  const applied = new Set<Patch>();
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    logLevel: 'silent',
    sourcemap: 'external',
    sourcesContent: false,
    plugins: [externalPackages, applyPatches(patches, applied)],
  });
  const missed = patches.filter((patch) => !applied.has(patch));
  if (missed[0]) throw new Error(`A patch was not applied: ${missed[0].file} is not part of the runner.`);
  return outfile;
}

export async function runnerSources(): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [ENTRY],
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    metafile: true,
    absWorkingDir: ROOT,
    plugins: [externalPackages],
  });
  return Object.keys(metafile.inputs);
}

/** Leaves packages out of the bundle, because patches never change them. */
const externalPackages: Plugin = {
  name: 'external-packages',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^[@a-z]/ }, ({ path, kind }) =>
      kind === 'entry-point' ? undefined : { path: import.meta.resolve(path), external: true },
    );
  },
};

function applyPatches(patches: readonly Patch[], applied: Set<Patch>): Plugin {
  return {
    name: 'apply-patches',
    setup: ({ onLoad }) => {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const file = relative(ROOT, path);
        const filePatches = patches.filter((patch) => patch.file === file);
        if (filePatches.length === 0) return undefined;
        let contents = await readFile(path, 'utf8');
        for (const patch of filePatches) {
          if (contents.split(patch.find).length !== 2)
            throw new Error(`A patch of ${file} must match exactly once: ${patch.find}`);
          contents = contents.replace(patch.find, () => patch.replace);
          applied.add(patch);
        }
        return { contents, loader: 'ts' };
      });
    },
  };
}
