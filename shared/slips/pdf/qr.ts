import qrcode from 'qrcode-generator';
import type { Canvas } from './canvas.ts';
import { number, PAGE_HEIGHT_MM, PT_PER_MM } from './geometry.ts';

/** QR codes as vector graphics, with error correction level M and the quiet zone that ISO/IEC 18004 requires. */

const QUIET_ZONE_MODULES = 4;
/** The overlap of rows in modules. It prevents hairlines between rows. */
const OVERLAP = 0.03;

export interface QrPosition {
  /** The centre of the code. */
  readonly x: number;
  readonly y: number;
  /** The side of the code without its quiet zone. */
  readonly symbol: number;
}

/** Draws the code as one shape of dark bars on a white square that includes the quiet zone. */
export function drawQr(canvas: Canvas, text: string, { x, y, symbol }: QrPosition, colour: string): void {
  const code = qrcode(0, 'M');
  code.addData(text, 'Byte');
  code.make();
  const modules = code.getModuleCount();
  const side = (symbol * (modules + 2 * QUIET_ZONE_MODULES)) / modules;
  const step = (symbol * PT_PER_MM) / modules;
  const left = (x - symbol / 2) * PT_PER_MM;
  const top = (PAGE_HEIGHT_MM - y + symbol / 2) * PT_PER_MM;
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
  canvas.rectangle({ x: x - side / 2, y: y - side / 2, width: side, height: side }, { fill: '#ffffff' });
  canvas.path(bars.join('\n'), { fill: colour });
}
