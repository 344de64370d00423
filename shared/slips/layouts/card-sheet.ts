import { SEMIBOLD } from '../../pdf/font.ts';
import type { Box } from '../../pdf/geometry.ts';
import { drawEmblem } from './figures.ts';
import {
  drawNamesBelow,
  drawStack,
  fitStack,
  nameFields,
  type Stack,
  type StackArea,
  type StackField,
} from './name-fields.ts';
import { drawConfirmation, drawFooter, drawPageHeader, drawSteps, MARGIN_MM } from './page-frame.ts';
import { drawParagraph, type Paragraph, type Sheet } from './sheet.ts';
import { drawSpecimen } from './specimen.ts';

/** An A4 page with the front and back of one card (ID-1 size) next to each other. The shared edge is the fold. */

const CARD_WIDTH = 85.6;
const CARD_HEIGHT = 54;
const CARD_TOP = 45;
const STEPS_TOP = CARD_TOP + CARD_HEIGHT + 17;
const CUT_MARK = 3.5;

/** The names on the front, with the fields that follow them. */
export type FrontFields = Stack;

/** The design of a card: `ground` draws the background of both sides, and `front` draws the content of the front. */
interface CardDesign {
  readonly radius: number;
  readonly ground: (sheet: Sheet, card: Box) => void;
  /** The position of the names on the front, and of the fields after them. */
  readonly fields: (card: Box) => StackArea;
  /** The fields after the names. @default none */
  readonly after?: (sheet: Sheet) => readonly StackField[];
  readonly front: (sheet: Sheet, card: Box, fields: FrontFields) => void;
}

/** Where the names are printed: on the front, on the back or below the card. */
interface Names {
  readonly front: Stack;
  readonly back?: Stack | undefined;
  readonly isBelow: boolean;
}

/** The notice must not be smaller or grey, because it must be legible on a printed card. */
const NOTICE = { sizePt: 6.5, oneLineMinPt: 6, maxLines: 2, font: SEMIBOLD } as const;

/** Draws the notice about what the card is not, such as "Not issued by NIMC". */
export function drawCardNotice(sheet: Sheet, place: Pick<Paragraph, 'x' | 'y' | 'width'>): void {
  const { cardNotice, subtitle } = sheet.theme.wording;
  drawParagraph(sheet, cardNotice ?? subtitle, { ...place, ...NOTICE });
}

function drawCutMarks({ canvas, theme }: Sheet, front: Box): void {
  const paint = { stroke: theme.colours.muted, lineWidth: 0.15 };
  const bottom = front.y + front.height;
  for (const x of [front.x, front.x + 2 * front.width]) {
    canvas.line(x, front.y - 1.5 - CUT_MARK, x, front.y - 1.5, paint);
    canvas.line(x, bottom + 1.5, x, bottom + 1.5 + CUT_MARK, paint);
  }
  const fold = { ...paint, dash: [0.8, 0.6] };
  const middle = front.x + front.width;
  canvas.line(middle, front.y - 1.5 - CUT_MARK, middle, front.y - 1.5, fold);
  canvas.line(middle, bottom + 1.5, middle, bottom + 1.5 + CUT_MARK, fold);
}

/** Returns the area on the back for names that are too long for the front. They replace the points. */
function backArea(card: Box): StackArea {
  return { x: card.x + 5.5, y: card.y + 18, width: card.width - 11, end: card.y + 38 };
}

/** Finds room for all names on the front, or else on the back, or else below the card. No name is cut off. */
function placeNames(sheet: Sheet, design: CardDesign, front: Box, back: Box): Names {
  const { namesOnBack, namesBelow } = sheet.theme.wording;
  const [surname, givenNames] = nameFields(sheet);
  const after = design.after?.(sheet) ?? [];
  const area = design.fields(front);
  const all = fitStack([surname, givenNames, ...after], area);
  if (all !== undefined) return { front: all, isBelow: false };
  const onBack = fitStack([surname, givenNames], backArea(back));
  const value = onBack === undefined ? namesBelow : namesOnBack;
  const stack =
    fitStack([surname, { ...givenNames, value }, ...after], area) ??
    fitStack([{ ...surname, value }, { ...givenNames, value }, ...after], area);
  return { front: stack ?? [], back: onBack, isBelow: onBack === undefined };
}

function drawPoints(sheet: Sheet, x: number, top: number, width: number): void {
  const { wording, colours } = sheet.theme;
  let y = top;
  for (const point of wording.backPoints) {
    sheet.canvas.circle(x + 1, y - 0.85, 0.55, { fill: colours.accent });
    y = drawParagraph(sheet, point, { x: x + 4, y, width: width - 4, sizePt: 7, maxLines: 3 }) + 1.3;
  }
}

function drawBack(sheet: Sheet, card: Box, names: Stack | undefined): void {
  const { wording, colours } = sheet.theme;
  const x = card.x + 5.5;
  const width = card.width - 11;
  drawEmblem(sheet, { x, y: card.y + 5, width: 5, height: 5 });
  drawParagraph(sheet, wording.backHeading, {
    x: x + 7,
    y: card.y + 8.5,
    width: width - 7,
    sizePt: 9,
    maxLines: 1,
    font: SEMIBOLD,
    colour: colours.ink,
  });
  if (wording.cardNotice !== undefined)
    drawCardNotice(sheet, { x: x + 7, y: card.y + 12.1, width: width - 7 });
  if (names === undefined) drawPoints(sheet, x, card.y + 18, width);
  else sheet.canvas.structure.group('L', () => drawStack(sheet, names));
  drawConfirmation(sheet, { x, y: card.y + 41.8, width, sizePt: 6.5 });
  const { labels } = wording;
  const { values } = sheet;
  sheet.canvas.line(x, card.y + 46.6, x + width, card.y + 46.6, { stroke: colours.line, lineWidth: 0.15 });
  drawParagraph(sheet, `${labels.requestId} ${values.requestId}  ·  ${values.date}, ${values.time}`, {
    x,
    width,
    y: card.y + 50,
    sizePt: 6,
    maxLines: 1,
    colour: colours.muted,
    isValue: true,
  });
}

/** Draws the front and back of a card side by side, with cut marks, on an A4 page. */
export function drawCardSheet(sheet: Sheet, design: CardDesign): void {
  const { canvas } = sheet;
  const front = { x: MARGIN_MM, y: CARD_TOP, width: CARD_WIDTH, height: CARD_HEIGHT };
  const back = { ...front, x: MARGIN_MM + CARD_WIDTH };
  drawPageHeader(sheet);
  drawCutMarks(sheet, front);
  const names = placeNames(sheet, design, front, back);
  for (const [card, draw] of [
    [front, () => design.front(sheet, front, names.front)],
    [back, () => drawBack(sheet, back, names.back)],
  ] as const) {
    canvas.within({ clip: { ...card, radius: design.radius } }, () => design.ground(sheet, card));
    canvas.rectangle(card, { stroke: sheet.theme.colours.line, lineWidth: 0.2 }, design.radius);
    drawSpecimen(sheet, card);
    canvas.structure.group('Sect', draw);
  }
  drawSteps(sheet, STEPS_TOP, MARGIN_MM);
  if (names.isBelow) drawNamesBelow(sheet, nameFields(sheet), MARGIN_MM);
  drawFooter(sheet, MARGIN_MM);
}
