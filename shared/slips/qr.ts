import qrcode from 'qrcode-generator';
import type { Canvas } from './canvas.ts';
import { number, PAGE_HEIGHT_MM, PT_PER_MM } from './geometry.ts';

/** QR codes as vectors, at error correction level M with the quiet zone that ISO/IEC 18004 asks for. */

export const QUIET_ZONE_MODULES = 4;
/** Rows overlap by this much, so that no renderer leaves hairlines between them. */
const OVERLAP = 0.03;

export interface QrPlace {
  /** The top left corner of the white square that includes the quiet zone. */
  readonly x: number;
  readonly y: number;
  /** The side of that white square. */
  readonly side: number;
}

/** How many modules a code for this text has in a row, without the quiet zone. */
export function qrModules(text: string): number {
  return encode(text).getModuleCount();
}

/** The side of the white square for a symbol of `symbolMm` without its quiet zone. */
export function qrSide(text: string, symbolMm: number): number {
  const modules = qrModules(text);
  return (symbolMm * (modules + 2 * QUIET_ZONE_MODULES)) / modules;
}

function encode(text: string) {
  const code = qrcode(0, 'M');
  code.addData(text, 'Byte');
  code.make();
  return code;
}

/** Draws dark modules as one shape of horizontal bars. */
export function drawQr(canvas: Canvas, text: string, { x, y, side }: QrPlace, colour: string): void {
  const code = encode(text);
  const modules = code.getModuleCount();
  const step = (side * PT_PER_MM) / (modules + 2 * QUIET_ZONE_MODULES);
  const left = x * PT_PER_MM + QUIET_ZONE_MODULES * step;
  const top = (PAGE_HEIGHT_MM - y) * PT_PER_MM - QUIET_ZONE_MODULES * step;
  const bars: string[] = [];
  for (let row = 0; row < modules; row += 1) {
    for (let start = 0; start < modules; start += 1) {
      if (!code.isDark(row, start)) continue;
      let end = start + 1;
      while (end < modules && code.isDark(row, end)) end += 1;
      const bottom = top - (row + 1 + OVERLAP) * step;
      bars.push(
        `${number(left + start * step)} ${number(bottom)} ${number((end - start) * step)} ${number((1 + OVERLAP) * step)} re`,
      );
      start = end;
    }
  }
  canvas.rectangle({ x, y, width: side, height: side }, { fill: '#ffffff' });
  canvas.path(bars.join('\n'), { fill: colour });
}
