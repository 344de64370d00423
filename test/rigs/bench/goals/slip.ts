import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installReferences } from '../install-references.ts';
import { inTurn, ratioOf, sample } from '../measure.ts';
import type { SlipSample } from '../samples/slip.ts';
import { INPUT } from '../slip/inputs.ts';
import { buildModule } from '../variants.ts';
import { exact, type Line, timesOf } from './goal.ts';

const BENCH = join(import.meta.dirname, '..');
const NO_STANDARD_FONTS = join(BENCH, '../../../infra/bundle/replaced/no-standard-fonts.ts');

/** Measures goal 8: slips compared with pdfkit, which draws the same page with Helvetica. */
export async function slipGoals(rounds: number): Promise<Line[]> {
  installReferences();
  // Next to node_modules, so that the reference finds pdfkit, which loads its fonts in a way that bundlers do not follow.
  mkdirSync(join(BENCH, '.local'), { recursive: true });
  const folder = mkdtempSync(join(BENCH, '.local/slip-'));
  const built = (name: string, external: string[]) =>
    buildModule(join(BENCH, `slip/${name}.ts`), join(folder, `${name}.mjs`), {
      minify: true,
      external,
      alias: { '@pdf-lib/standard-fonts': NO_STANDARD_FONTS },
    });
  try {
    const files = { ours: await built('ours', []), yardstick: await built('yardstick', ['pdfkit']) };
    const taken = await inTurn(['ours', 'yardstick'], rounds, (name) =>
      sample<SlipSample>('slip', [files[name]]),
    );
    const ratio = (part: 'coldMs' | 'warmMs') =>
      ratioOf(
        taken.ours.map((one) => one[part]),
        taken.yardstick.map((one) => one[part]),
      );
    const photoBytes = Buffer.from(INPUT.record.photo, 'base64').length;
    return [
      timesOf('pdfkit with Helvetica', {
        ...{ goal: '8a', what: 'a warm slip, Unicode font', goalValue: 0.75, failsAt: 0.95 },
        measured: ratio('warmMs'),
      }),
      timesOf('pdfkit with Helvetica', {
        ...{ goal: '8b', what: 'import and first slip', goalValue: 0.5, failsAt: 0.65 },
        measured: ratio('coldMs'),
      }),
      {
        ...{ goal: '8c', what: 'a slip without its photo', reference: 'size', unit: 'KB' },
        measured: exact(((taken.ours[0]?.bytes ?? Number.NaN) - photoBytes) / 1000),
        ...{ goalValue: 45, failsAt: 45 },
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
