import { benchSlip, SLIP_GOALS } from '../slip.ts';
import { exact, type Line, timesOf } from './goal.ts';

/** Measures goal 8: slips compared with pdfkit. */
export async function slipGoals(rounds: number): Promise<Line[]> {
  const slips = await benchSlip(rounds);
  const spread = ([median, min, max]: readonly [number, number, number]) => ({ median, min, max });
  return [
    timesOf('pdfkit with Helvetica', {
      ...{ goal: '8a', what: 'a warm slip, Unicode font', measured: spread(slips.warmRatio) },
      ...{ goalValue: SLIP_GOALS.warmRatio, failsAt: 0.95 },
    }),
    timesOf('pdfkit with Helvetica', {
      ...{ goal: '8b', what: 'import and first slip', measured: spread(slips.coldRatio) },
      ...{ goalValue: SLIP_GOALS.coldRatio, failsAt: 0.65 },
    }),
    {
      ...{ goal: '8c', what: 'a slip without its photo', reference: 'size', unit: 'KB' },
      measured: exact(slips.bytesWithoutPhoto / 1000),
      ...{ goalValue: SLIP_GOALS.bytesWithoutPhoto / 1000, failsAt: SLIP_GOALS.bytesWithoutPhoto / 1000 },
    },
  ];
}
