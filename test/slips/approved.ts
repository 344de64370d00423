import { join } from 'node:path';
import { SLIP_TYPES } from '../../shared/core/slip-types.ts';
import { drawSlip } from '../../shared/slips/draw-slip.ts';
import { LONG_RECORD, LONGEST_NAMES, slipInput, USUAL_RECORD } from './records.ts';

/**
 * The pages that a person has approved: for each slip type, one with usual values, one with long values, and one with
 * the longest names.
 */

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
    file: join(ROOT, 'docs/design/slips', `${slipType}.png`),
    draw: () => drawSlip(slipInput(slipType, USUAL_RECORD, true)),
  },
  {
    name: `${slipType} slip with long values and no photo`,
    file: join(ROOT, 'test/slips/approved', `${slipType}-long.png`),
    draw: () => drawSlip(slipInput(slipType, LONG_RECORD, false)),
  },
  {
    name: `${slipType} slip with the longest names and confirmed details`,
    file: join(ROOT, 'docs/design/slips', `${slipType}-longest-names.png`),
    draw: () => drawSlip({ ...slipInput(slipType, LONGEST_NAMES, true), detailsConfirmed: true }),
  },
]);
