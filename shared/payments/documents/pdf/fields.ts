import type { Canvas } from '../../../pdf/canvas.ts';
import { SEMIBOLD } from '../../../pdf/font.ts';
import { lineHeight, linesOf, PALETTE, type Style, writeLines } from './page-flow.ts';

/** Screen readers read both as one item of a list. */

export type Field = readonly [label: string, value: string];

const LABEL: Style = { sizePt: 7.5, colour: PALETTE.muted };
const VALUE: Style = { sizePt: 9, font: SEMIBOLD };
const GAP = 2.2;

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export function fieldHeight([, value]: Field, width: number): number {
  return lineHeight(LABEL) + linesOf(value, width, VALUE).length * lineHeight(VALUE) + GAP;
}

/** Draws a label above its value. */
export function drawField(canvas: Canvas, [label, value]: Field, { x, y, width }: Area): void {
  canvas.structure.group('LI', () => {
    const top = y + lineHeight(LABEL);
    canvas.tagged('Lbl', () => writeLines(canvas, [label], { x, y }, LABEL));
    canvas.tagged('LBody', () => writeLines(canvas, linesOf(value, width, VALUE), { x, y: top }, VALUE));
  });
}

/** Returns the bottom edge of the last one. */
export function drawFields(canvas: Canvas, fields: readonly Field[], area: Area): number {
  let { y } = area;
  canvas.structure.group('L', () => {
    for (const field of fields) {
      drawField(canvas, field, { ...area, y });
      y += fieldHeight(field, area.width);
    }
  });
  return y;
}
