import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { installReferences } from './install-references.ts';
import { INPUT } from './slip/inputs.ts';

/**
 * Compares our slips with pdfkit, which draws the same page with Helvetica. Each sample is a new process, the two take
 * turns, and the result is the median of the ratios of processor time. Ours is bundled as it is deployed. pdfkit loads
 * its fonts through a run-time require that bundlers do not follow, so it is read from node_modules. To run it
 * alone: `node test/rigs/bench/slip.ts [rounds]`.
 */

interface Sample {
  readonly importMs: number;
  readonly firstMs: number;
  readonly warmMs: number;
  /** Processor time of import and first slip, and of one warm slip. */
  readonly coldCpuMs: number;
  readonly warmCpuMs: number;
  readonly bytes: number;
}

export interface SlipBench {
  readonly rounds: number;
  readonly ours: Sample;
  readonly pdfkit: Sample;
  /** Medians of ours / pdfkit in processor time, with the smallest and largest ratio. */
  readonly coldRatio: readonly [median: number, min: number, max: number];
  readonly warmRatio: readonly [median: number, min: number, max: number];
  /** A slip's size without its photo. */
  readonly bytesWithoutPhoto: number;
  /** Bytes that drawing adds to a function's bundle, including pdf-lib and fonts. */
  readonly bundleBytes: number;
}

/** The goals: the largest ratios to pdfkit's processor time, and the largest sizes in bytes. */
export const SLIP_GOALS = {
  warmRatio: 0.75,
  coldRatio: 0.5,
  bytesWithoutPhoto: 45_000,
  bundleBytes: 560_000,
} as const;

const HERE = import.meta.dirname;

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function spread(values: readonly number[]): readonly [number, number, number] {
  return [median(values), Math.min(...values), Math.max(...values)];
}

function medians(samples: readonly Sample[]): Sample {
  const of = (key: keyof Sample): number => median(samples.map((sample) => sample[key]));
  return {
    importMs: of('importMs'),
    firstMs: of('firstMs'),
    warmMs: of('warmMs'),
    coldCpuMs: of('coldCpuMs'),
    warmCpuMs: of('warmCpuMs'),
    bytes: of('bytes'),
  };
}

function sample(path: string): Sample {
  const text = execFileSync(process.execPath, [join(HERE, 'slip/sample.ts'), pathToFileURL(path).href], {
    encoding: 'utf8',
  });
  return JSON.parse(text) as Sample;
}

const BANNER =
  "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);";

/** Bundles a module as it is deployed, so that neither variant spends time on stripping types. */
async function bundle(entry: string, outfile: string, external: string[] = []): Promise<string> {
  await build({
    entryPoints: [join(HERE, entry)],
    outfile,
    external,
    alias: { '@pdf-lib/standard-fonts': join(HERE, '../../../infra/bundle/replaced/no-standard-fonts.ts') },
    banner: { js: BANNER },
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    mainFields: ['module', 'main'],
  });
  return outfile;
}

/** Measures `rounds` pairs, after one that does not count. */
export async function benchSlip(rounds = 9): Promise<SlipBench> {
  installReferences();
  // Next to node_modules, so that the reference finds pdfkit.
  mkdirSync(join(HERE, '.local'), { recursive: true });
  const folder = mkdtempSync(join(HERE, '.local/slip-'));
  try {
    const ours = await bundle('slip/ours.ts', join(folder, 'ours.mjs'));
    const yardstick = await bundle('slip/yardstick.ts', join(folder, 'yardstick.mjs'), ['pdfkit']);
    const slips = await bundle('../../../shared/slips/draw-slip.ts', join(folder, 'slips.mjs'));
    const pairs = Array.from({ length: rounds + 1 }, () => [sample(ours), sample(yardstick)] as const).slice(
      1,
    );
    const own = medians(pairs.map(([each]) => each));
    return {
      rounds,
      ours: own,
      pdfkit: medians(pairs.map(([, each]) => each)),
      coldRatio: spread(pairs.map(([left, right]) => left.coldCpuMs / right.coldCpuMs)),
      warmRatio: spread(pairs.map(([left, right]) => left.warmCpuMs / right.warmCpuMs)),
      bytesWithoutPhoto: own.bytes - Buffer.from(INPUT.record.photo, 'base64').length,
      bundleBytes: statSync(slips).size,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns a table. The lines with a goal say whether it was met. */
export function slipBenchTable(result: SlipBench): string {
  const { ours, pdfkit, coldRatio, warmRatio } = result;
  const ms = (value: number): string => value.toFixed(1).padStart(8);
  const ratio = ([middle, min, max]: readonly [number, number, number]): string =>
    `${middle.toFixed(2)} [${min.toFixed(2)}-${max.toFixed(2)}]`;
  const met = (value: number, goal: number): string => (value <= goal ? `met (${goal})` : `MISSED (${goal})`);
  const row = (name: string, each: Sample): string =>
    name.padEnd(30) +
    [each.importMs, each.firstMs, each.warmMs, each.coldCpuMs, each.warmCpuMs].map(ms).join('') +
    String(each.bytes).padStart(8);
  return [
    `slip, ms, medians of ${String(result.rounds).padEnd(9)}  import   first    warm cold cpu warm cpu   bytes`,
    row('ours (Inter, tagged)', ours),
    row('pdfkit (Helvetica, untagged)', pdfkit),
    `cold cpu, ratio        ${ratio(coldRatio)}  ${met(coldRatio[0], SLIP_GOALS.coldRatio)}`,
    `warm cpu, ratio        ${ratio(warmRatio)}  ${met(warmRatio[0], SLIP_GOALS.warmRatio)}`,
    `bytes without photo    ${result.bytesWithoutPhoto}  ${met(result.bytesWithoutPhoto, SLIP_GOALS.bytesWithoutPhoto)}`,
    `bundle, bytes          ${result.bundleBytes}  ${met(result.bundleBytes, SLIP_GOALS.bundleBytes)}`,
  ].join('\n');
}

if (import.meta.main) console.log(slipBenchTable(await benchSlip(Number(process.argv[2] ?? 9))));
