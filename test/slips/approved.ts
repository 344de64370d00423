import { join } from 'node:path';
import { SLIP_TYPES } from '../../shared/core/slip-types.ts';
import { drawSlip } from '../../shared/slips/draw-slip.ts';
import { LONG_RECORD, slipInput, USUAL_RECORD } from './records.ts';

/** The pages that a person has approved: for each slip type the one in docs/slips, and one with long values. */

const ROOT = join(import.meta.dirname, '../..');

export const APPROVED_DOTS_PER_INCH = 110;

export interface ApprovedPage {
  readonly name: string;
  readonly file: string;
  readonly draw: () => Promise<Uint8Array>;
}

export const APPROVED_PAGES: readonly ApprovedPage[] = SLIP_TYPES.flatMap((slipType) => [
  {
    name: `${slipType} slip of a sandbox person`,
    file: join(ROOT, 'docs/slips', `${slipType}.png`),
    draw: () => drawSlip(slipInput(slipType, USUAL_RECORD, true)),
  },
  {
    name: `${slipType} slip with long values and no photo`,
    file: join(ROOT, 'test/slips/approved', `${slipType}-long.png`),
    draw: () => drawSlip(slipInput(slipType, LONG_RECORD, false)),
  },
]);
