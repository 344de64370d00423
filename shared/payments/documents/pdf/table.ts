import { SEMIBOLD } from '../../../pdf/font.ts';
import {
  INSET,
  LEFT,
  lineHeight,
  linesOf,
  PALETTE,
  type PageFlow,
  RIGHT,
  type Style,
  textWidth,
  WIDTH,
  writeLines,
} from './page-flow.ts';

/** Figures are never wrapped or cut off. */

interface Table {
  /** The first column contains text. */
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly totals?: readonly (readonly string[])[];
}

const HEAD: Style = { sizePt: 7.5, font: SEMIBOLD, colour: PALETTE.accent };
const LARGEST_PT = 8.5;
const SMALLEST_PT = 5;
const STEP_PT = 0.25;
const GAP = 3.5;
const PADDING = 1.6;
/** Unless the figures are too wide even at the smallest font size. */
const LEAST_TEXT = 38;
const INNER = WIDTH - 2 * INSET;
const FIGURES_END = RIGHT - INSET;

interface Layout {
  readonly sizePt: number;
  readonly textWidth: number;
  readonly edges: readonly number[];
}

/** The largest font size at which all figures fit. */
function layOut({ head, rows, totals = [] }: Table): Layout {
  const figures = head.map((_, column) => [...rows, ...totals].map((row) => row[column] ?? '')).slice(1);
  const headWidths = head.slice(1).map((text) => textWidth(text, HEAD));
  for (let sizePt = LARGEST_PT; ; sizePt -= STEP_PT) {
    const widths = figures.map((texts, column) =>
      Math.max(headWidths[column] ?? 0, ...texts.map((text) => textWidth(text, { sizePt, font: SEMIBOLD }))),
    );
    const used = widths.reduce((sum, width) => sum + width + GAP, 0);
    if (INNER - used >= LEAST_TEXT || sizePt <= SMALLEST_PT) {
      const edges = widths.map((_, column) => {
        const after = widths.slice(column + 1).reduce((sum, width) => sum + width + GAP, 0);
        return FIGURES_END - after;
      });
      return { sizePt, textWidth: INNER - used, edges };
    }
  }
}

/** On as many pages as needed, each with the headings. */
export function drawTable(flow: PageFlow, table: Table): void {
  const layout = layOut(table);
  const style: Style = { sizePt: layout.sizePt };
  const rows = [
    ...table.rows.map((cells) => measured(cells, layout, style)),
    ...(table.totals ?? []).map((cells) => measured(cells, layout, { ...style, font: SEMIBOLD })),
  ];
  const headHeight = lineHeight(HEAD) + 2 * PADDING;
  for (let at = 0; at < Math.max(rows.length, 1); ) {
    flow.reserve(headHeight + (rows[at]?.height ?? 0));
    let room = flow.room - headHeight;
    let end = at;
    for (let row = rows[end]; row && row.height <= room; row = rows[end]) {
      room -= row.height;
      end += 1;
    }
    // Even if the row is higher than a page.
    const part = rows.slice(at, Math.max(end, at + 1));
    flow.canvas.structure.group('Table', () => {
      drawHead(flow, table.head, layout);
      for (const row of part) drawRow(flow, row, layout);
    });
    at += Math.max(part.length, 1);
    if (at < rows.length) flow.nextPage();
  }
}

interface Row {
  readonly lines: readonly string[];
  readonly figures: readonly string[];
  readonly style: Style;
  readonly height: number;
}

function measured([text = '', ...figures]: readonly string[], layout: Layout, style: Style): Row {
  const lines = linesOf(text, layout.textWidth, style);
  return { lines, figures, style, height: lines.length * lineHeight(style) + 2 * PADDING };
}

function drawHead(flow: PageFlow, [text = '', ...figures]: readonly string[], { edges }: Layout): void {
  const { canvas, y } = flow;
  const height = lineHeight(HEAD) + 2 * PADDING;
  canvas.rectangle({ x: LEFT, y, width: WIDTH, height }, { fill: PALETTE.tint });
  const top = y + PADDING;
  canvas.structure.group('TR', () => {
    canvas.tagged('TH', () => writeLines(canvas, [text], { x: LEFT + INSET, y: top }, HEAD));
    for (const [at, figure] of figures.entries()) {
      const place = { x: edges[at] ?? FIGURES_END, y: top, align: 'right' } as const;
      canvas.tagged('TH', () => writeLines(canvas, [figure], place, HEAD));
    }
  });
  flow.y = y + height;
}

function drawRow(flow: PageFlow, { lines, figures, style, height }: Row, { edges }: Layout): void {
  const { canvas, y } = flow;
  const top = y + PADDING;
  canvas.structure.group('TR', () => {
    canvas.tagged('TD', () => writeLines(canvas, lines, { x: LEFT + INSET, y: top }, style));
    for (const [at, figure] of figures.entries()) {
      const place = { x: edges[at] ?? FIGURES_END, y: top, align: 'right' } as const;
      canvas.tagged('TD', () => writeLines(canvas, [figure], place, style));
    }
  });
  flow.y = y + height;
  canvas.line(LEFT, flow.y, RIGHT, flow.y, { stroke: PALETTE.line, lineWidth: 0.15 });
}
