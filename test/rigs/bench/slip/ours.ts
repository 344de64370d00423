import { drawSlip } from '../../../../shared/slips/draw-slip.ts';
import { INPUT } from './inputs.ts';

export function draw(): Promise<Uint8Array> {
  return drawSlip(INPUT);
}
