import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { Patch } from './mutants.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const ENTRY = fileURLToPath(new URL('../worker.ts', import.meta.url));

/** The history runner with the product's source changed by these patches, as one file that a worker can run. */
export async function bundleRunner(patches: readonly Patch[]): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'ledger-'));
  const outfile = join(directory, 'worker.mjs');
  const applied = new Set<Patch>();
  await build({
    entryPoints: [ENTRY],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    logLevel: 'silent',
    plugins: [packagesWhereTheyAre, patching(patches, applied)],
  });
  const missed = patches.filter((patch) => !applied.has(patch));
  if (missed[0]) throw new Error(`No file was patched: ${missed[0].file} is not in the runner.`);
  return outfile;
}

/** The source files that the runner is made of, from the project's root. */
export async function runnerSources(): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [ENTRY],
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    metafile: true,
    absWorkingDir: ROOT,
    plugins: [packagesWhereTheyAre],
  });
  return Object.keys(metafile.inputs);
}

/** Packages are not bundled: the patched files are few, and all variants share the rest. */
const packagesWhereTheyAre: Plugin = {
  name: 'packages-where-they-are',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^[@a-z]/ }, ({ path, kind }) =>
      kind === 'entry-point' ? undefined : { path: import.meta.resolve(path), external: true },
    );
  },
};

function patching(patches: readonly Patch[], applied: Set<Patch>): Plugin {
  return {
    name: 'patching',
    setup: ({ onLoad }) => {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const file = relative(ROOT, path);
        const mine = patches.filter((patch) => patch.file === file);
        if (mine.length === 0) return undefined;
        let contents = await readFile(path, 'utf8');
        for (const patch of mine) {
          if (contents.split(patch.find).length !== 2)
            throw new Error(`A patch of ${file} does not apply exactly once: ${patch.find}`);
          contents = contents.replace(patch.find, () => patch.replace);
          applied.add(patch);
        }
        return { contents, loader: 'ts' };
      });
    },
  };
}
