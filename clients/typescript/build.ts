import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BuildOptions, build } from 'esbuild';

const FOLDER = import.meta.dirname;
const TSC = join(FOLDER, '../../node_modules/.bin/tsc');
const FORMATS = { esm: 'module', cjs: 'commonjs' } as const;

/** Builds the ES module and the CommonJS module, with types for both, in a folder. Returns the folder. */
export async function buildClient(target: string): Promise<string> {
  rmSync(target, { recursive: true, force: true });
  for (const [format, type] of Object.entries(FORMATS)) {
    mkdirSync(join(target, format), { recursive: true });
    // For Node.js and compilers, the nearest package.json determines the module format of a folder.
    writeFileSync(join(target, format, 'package.json'), `${JSON.stringify({ type })}\n`);
    const to = (name: string) => ({
      format: format as keyof typeof FORMATS,
      outfile: join(target, format, name),
    });
    await bundle('src/index.ts', { ...to('index.js'), platform: 'neutral' });
    // It contains the service's own checks, which use Node.js's crypto.
    await bundle('testing/main.ts', { ...to('testing.js'), platform: 'node' });
  }
  await promisify(execFile)(TSC, ['--project', FOLDER, '--outDir', join(target, 'esm')]);
  for (const name of globSync('*.d.ts', { cwd: join(target, 'esm') })) {
    const file = join(target, 'esm', name);
    // Declarations import each other by the names of the source files, which end in .ts.
    writeFileSync(file, readFileSync(file, 'utf8').replace(/(from '\.\/[^']+)\.ts'/g, "$1.js'"));
    cpSync(file, join(target, 'cjs', name));
  }
  return target;
}

async function bundle(
  entryPoint: string,
  options: Pick<BuildOptions, 'format' | 'outfile' | 'platform'>,
): Promise<void> {
  await build({
    ...options,
    entryPoints: [join(FOLDER, entryPoint)],
    bundle: true,
    // Names stay readable in stack traces and reviews.
    minifyWhitespace: true,
    minifySyntax: true,
    // Node.js prints the line that threw an uncaught error.
    lineLimit: 120,
    target: 'es2022',
  });
}
