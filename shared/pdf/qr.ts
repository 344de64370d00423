import encodeQr from 'qr';
import type { Canvas } from './canvas.ts';
import { PAGE_HEIGHT_MM, PT_PER_MM } from './geometry.ts';

/** Error correction level M, with the quiet zone of ISO/IEC 18004. */

const QUIET_ZONE_MODULES = 4;
/** In modules. Prevents hairlines between rows. */
const OVERLAP = 0.03;

export interface QrPosition {
  /** The centre of the code. */
  readonly x: number;
  readonly y: number;
  /** Without its quiet zone. */
  readonly symbol: number;
}

/** One shape of dark bars on a white square. */
export function drawQr(canvas: Canvas, text: string, { x, y, symbol }: QrPosition, colour: string): void {
  const rows = encodeQr(text, 'raw', { ecc: 'medium', encoding: 'byte', border: QUIET_ZONE_MODULES });
  const sideModules = rows.length;
  const side = (symbol * sideModules) / (sideModules - 2 * QUIET_ZONE_MODULES);
  canvas.rectangle({ x: x - side / 2, y: y - side / 2, width: side, height: side }, { fill: '#ffffff' });
  const step = (side * PT_PER_MM) / sideModules;
  const left = (x - side / 2) * PT_PER_MM;
  const bottom = (PAGE_HEIGHT_MM - y - side / 2) * PT_PER_MM;
  // In modules, so that nearly all operands are short integers.
  const bars = rows.flatMap((row, index) =>
    barsOf(row).map(([start, end]) => `${start} ${sideModules - index - 1} ${end - start} ${1 + OVERLAP} re`),
  );
  canvas.within({ matrix: [step, 0, 0, step, left, bottom] }, () =>
    canvas.path(bars.join('\n'), { fill: colour }),
  );
}

/** The first module of each bar, and the first light one after it. */
function barsOf(row: readonly boolean[]): [start: number, end: number][] {
  const bars: [number, number][] = [];
  for (let start = row.indexOf(true); start >= 0; ) {
    const end = row.indexOf(false, start);
    bars.push([start, end]);
    start = row.indexOf(true, end);
  }
  return bars;
}
