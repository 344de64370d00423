import { fitWhole } from '../../pdf/fit.ts';
import { SEMIBOLD } from '../../pdf/font.ts';
import { PAGE_WIDTH_MM, PT_PER_MM } from '../../pdf/geometry.ts';
import { drawArtwork } from './artwork.ts';
import { drawCheckCode, drawEmblem, drawPhoto } from './figures.ts';
import { drawNamesBelow, type StackField } from './name-fields.ts';
import { drawConfirmation, drawFooter, drawSteps } from './page-frame.ts';
import { drawField, drawParagraph, type Field, type Sheet } from './sheet.ts';
import { drawSpecimen, drawSpecimenBar } from './specimen.ts';

/** The regular slip: a bordered table in the upper part of an A4 page. */

const LEFT = 8;
const TOP = 14;
const WIDTH = PAGE_WIDTH_MM - 2 * LEFT;
const HEAD = 21;
const ROW = 13;
const ROWS = 4;
const NOTES = 30;
const HEIGHT = HEAD + ROWS * ROW + NOTES;
/** The left edges of the four columns: number, name, address, photo. */
const COLUMNS = [LEFT, 58, 114, 165] as const;
const RIGHT = LEFT + WIDTH;
const PADDING = 2.6;

function drawGrid({ canvas, theme }: Sheet): void {
  const { ink, line, tint } = theme.colours;
  const [, second, third, fourth] = COLUMNS;
  const bodyEnd = TOP + HEAD + ROWS * ROW;
  canvas.rectangle({ x: LEFT, y: TOP, width: WIDTH, height: HEAD }, { fill: tint });
  const thin = { stroke: line, lineWidth: 0.2 };
  const firm = { stroke: ink, lineWidth: 0.3 };
  for (let row = 1; row < ROWS; row += 1) {
    const y = TOP + HEAD + row * ROW;
    canvas.line(LEFT, y, row === 1 ? third : fourth, y, thin);
  }
  for (const x of [second, third]) canvas.line(x, TOP + HEAD, x, bodyEnd, thin);
  canvas.line(fourth, TOP + HEAD, fourth, TOP + HEIGHT, thin);
  canvas.line(LEFT, TOP + HEAD, RIGHT, TOP + HEAD, firm);
  canvas.line(LEFT, bodyEnd, RIGHT, bodyEnd, firm);
  canvas.rectangle({ x: LEFT, y: TOP, width: WIDTH, height: HEIGHT }, { stroke: ink, lineWidth: 0.6 });
}

function drawHeader(sheet: Sheet): void {
  const { canvas, theme } = sheet;
  const { wording, colours, artwork } = theme;
  drawEmblem(sheet, { x: LEFT + 4, y: TOP + 3.5, width: 14, height: 14 });
  if (artwork.logo !== null) {
    drawArtwork(canvas, artwork.logo, sheet.images.logo, {
      x: RIGHT - 32,
      y: TOP + 3.5,
      width: 28,
      height: 14,
    });
  }
  const x = PAGE_WIDTH_MM / 2;
  const style = { align: 'centre', font: SEMIBOLD } as const;
  canvas.tagged('H1', () =>
    canvas.text(wording.title, { x, y: TOP + 8.6 }, { ...style, sizePt: 16, colour: colours.ink }),
  );
  const width = SEMIBOLD.width(wording.subtitle, 8) / PT_PER_MM;
  drawParagraph(sheet, wording.subtitle, {
    x: x - Math.min(width, 140) / 2,
    y: TOP + 13.4,
    width: 140,
    sizePt: 8,
    maxLines: 1,
    colour: colours.muted,
  });
  canvas.tagged('P', () =>
    canvas.text(wording.names.regular, { x, y: TOP + 17.9 }, { ...style, sizePt: 8, colour: colours.accent }),
  );
}

/** The type sizes of a cell, in points. */
const CELL = { labelPt: 6.5, valuePt: 10.5, basePt: 10.5, oneLineMinPt: 8, minPt: 6.5, maxLines: 2 } as const;

function widthOf(column: 0 | 1 | 2): number {
  return (COLUMNS[column + 1] ?? RIGHT) - COLUMNS[column] - 2 * PADDING;
}

/** Returns the fields for the cells of the names, and the names that are too long and are printed below the table. */
function splitNames({ values, theme }: Sheet) {
  const { labels, namesBelow } = theme.wording;
  const names: readonly StackField[] = [
    { label: labels.surname, value: values.surname },
    { label: labels.firstName, value: values.firstName },
    { label: labels.middleName, value: values.middleName },
  ];
  const rule = {
    font: SEMIBOLD,
    widthPt: widthOf(1) * PT_PER_MM,
    sizePt: CELL.valuePt,
    minSizePt: CELL.minPt,
    maxLines: CELL.maxLines,
  };
  const below = names.filter(({ value }) => fitWhole(value, rule) === undefined);
  const inCells = names.map((name) => (below.includes(name) ? { ...name, value: namesBelow } : name));
  return { inCells, below };
}

/** Returns the fields of the table with their positions. */
function fields({ values, theme }: Sheet, names: readonly StackField[]): Field[] {
  const { labels } = theme.wording;
  const cell = (
    column: 0 | 1 | 2,
    row: number,
    label: string,
    value: string,
    more: Partial<Field> = {},
  ): Field => ({
    label,
    value,
    x: COLUMNS[column] + PADDING,
    y: TOP + HEAD + row * ROW + 4,
    width: widthOf(column),
    ...CELL,
    ...more,
  });
  return [
    cell(0, 0, labels.trackingId, values.trackingId),
    cell(0, 1, labels.nin, values.nin),
    cell(0, 2, labels.generatedOn, `${values.date}, ${values.time}`, { valuePt: 9 }),
    cell(0, 3, labels.requestId, values.requestId, { valuePt: 9 }),
    ...names.map(({ label, value }, row) => cell(1, row, label, value)),
    cell(1, 3, labels.gender, values.gender),
    cell(2, 0, labels.address, values.address, { valuePt: 9.5, oneLineMinPt: 9.5, maxLines: 5 }),
    cell(2, 2, labels.lga, values.lga),
    cell(2, 3, labels.state, values.state),
  ];
}

function drawNotes(sheet: Sheet): void {
  const { wording, colours } = sheet.theme;
  const top = TOP + HEAD + ROWS * ROW;
  const x = LEFT + PADDING;
  const width = COLUMNS[3] - LEFT - 2 * PADDING;
  drawParagraph(sheet, wording.notesHeading, {
    x,
    y: top + 6,
    width,
    sizePt: 8.5,
    maxLines: 1,
    font: SEMIBOLD,
  });
  const gap = 6;
  const column = (width - gap * (wording.notes.length - 1)) / wording.notes.length;
  for (const [at, note] of wording.notes.entries()) {
    drawParagraph(sheet, note, {
      x: x + at * (column + gap),
      y: top + 11,
      width: column,
      sizePt: 7.5,
      maxLines: 6,
      colour: colours.ink,
    });
  }
  drawConfirmation(sheet, { x, y: top + 27.4, width, sizePt: 7.5 });
}

/** Draws the slip of type `regular`: a table with a photo on an A4 page. */
export function drawRegular(sheet: Sheet): void {
  const { canvas } = sheet;
  const names = splitNames(sheet);
  drawSpecimenBar(sheet, RIGHT, TOP - 6.4);
  drawGrid(sheet);
  drawSpecimen(sheet, { x: LEFT, y: TOP + HEAD, width: COLUMNS[3] - LEFT, height: HEIGHT - HEAD });
  canvas.structure.group('Sect', () => {
    drawHeader(sheet);
    canvas.structure.group('L', () => {
      for (const field of fields(sheet, names.inCells)) drawField(sheet, field);
    });
    const column = RIGHT - COLUMNS[3];
    drawPhoto(sheet, { x: COLUMNS[3] + (column - 32) / 2, y: TOP + HEAD + 6, width: 32, height: 40 }, 0.8);
    drawNotes(sheet);
    const symbol = 23;
    drawCheckCode(sheet, { x: COLUMNS[3] + column / 2, y: TOP + HEAD + ROWS * ROW + NOTES / 2, symbol });
  });
  drawSteps(sheet, TOP + HEIGHT + 14, LEFT);
  if (names.below.length > 0) drawNamesBelow(sheet, names.below, LEFT);
  drawFooter(sheet, LEFT);
}
