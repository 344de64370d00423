import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, matchesGlob } from 'node:path';
import { parseArgs } from 'node:util';
import { bundle } from '../../../infra/bundle/bundle.ts';
import { FUNCTION_SOURCES } from '../../../infra/function-sources.ts';
import { ALLOWED_FILE, allowedFigures, DATA, generatedWords, measure } from '../../house/size.ts';
import { DURATIONS_FILE } from '../../support/durations-file.ts';

/**
 * `npm run rig -- size` prints how large the project is, next to the permitted figures, and how long the last `npm test`
 * took. Exits with 1 if a figure is above the permitted one. `--record` makes the current figures the permitted ones: if
 * that raises one, say why in the commit.
 */
const { values } = parseArgs({ options: { record: { type: 'boolean', default: false } } });

const { figures, product } = measure();
const all: Record<string, number> = { ...figures, ...bundleFigures() };
if (values.record) writeFileSync(ALLOWED_FILE, `${JSON.stringify(all, undefined, 2)}\n`);
const allowed = allowedFigures();
const row = (name: string, ...cells: readonly unknown[]) =>
  console.log(name.padEnd(42) + cells.map((cell) => String(cell).padStart(12)).join(''));

row('', 'now', 'permitted');
for (const [name, figure] of Object.entries(all)) row(name, figure, allowed[name] ?? 'none');
row('generated words', generatedWords(), '');
if (existsSync(DURATIONS_FILE)) console.log(`\nThe last npm test:\n${readFileSync(DURATIONS_FILE, 'utf8')}`);
const above = Object.entries(all).filter(([name, figure]) => figure > (allowed[name] ?? 0));
for (const [name] of above) console.error(`Above the permitted figure: ${name}`);
process.exitCode = above.length === 0 ? 0 : 1;

/** Returns the sizes of the bundles. Throws if one contains code of ours that is not counted. */
function bundleFigures(): Record<string, number> {
  const directory = mkdtempSync(join(tmpdir(), 'size-'));
  try {
    const { metafile } = bundle(FUNCTION_SOURCES, directory);
    const own = Object.keys(metafile.inputs).filter((path) => !/node_modules\/|\.json$/.test(path));
    const isData = (path: string) => DATA.some((pattern) => matchesGlob(path, pattern));
    const uncounted = own.filter((path) => !product.has(path) && !isData(path));
    if (uncounted.length > 0) throw new Error(`In a bundle, but not counted: ${uncounted.join(', ')}`);
    const sizes = Object.entries(metafile.outputs).filter(([path]) => path.endsWith('.cjs'));
    const bytes = sizes.map(([, output]) => output.bytes);
    const median = bytes.toSorted((a, b) => a - b)[Math.floor(bytes.length / 2)] ?? 0;
    return {
      'files in bundles': own.length,
      'bytes of the median bundle': median,
      'bytes of the largest bundle': Math.max(...bytes),
      'bytes of all bundles': bytes.reduce((total, one) => total + one, 0),
    };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
