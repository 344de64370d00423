import { SEMIBOLD } from '../pdf/font.ts';
import type { Box } from '../pdf/geometry.ts';
import { drawEmblem } from './figures.ts';
import { drawFooter, drawPageHeader, drawSteps, MARGIN_MM } from './page-frame.ts';
import { drawParagraph, type Sheet } from './sheet.ts';
import { drawSpecimen } from './specimen.ts';

/** An A4 page with the front and back of one card (ID-1 size) next to each other. The shared edge is the fold. */

export const CARD_WIDTH = 85.6;
export const CARD_HEIGHT = 54;
const CARD_TOP = 45;
const STEPS_TOP = CARD_TOP + CARD_HEIGHT + 17;
const CUT_MARK = 3.5;

/** The design of a card: `ground` draws the background of both sides, `front` the content of the front. */
export interface CardDesign {
  readonly radius: number;
  readonly ground: (sheet: Sheet, card: Box) => void;
  readonly front: (sheet: Sheet, card: Box) => void;
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

function drawBack(sheet: Sheet, card: Box): void {
  const { wording, colours } = sheet.theme;
  const x = card.x + 5.5;
  const width = card.width - 11;
  drawEmblem(sheet, { x, y: card.y + 5, width: 5, height: 5 });
  drawParagraph(sheet, wording.backHeading, {
    x: x + 7,
    y: card.y + 8.7,
    width: width - 7,
    sizePt: 9,
    maxLines: 1,
    font: SEMIBOLD,
    colour: colours.ink,
  });
  let y = card.y + 15.2;
  for (const point of wording.backPoints) {
    sheet.canvas.circle(x + 1, y - 0.85, 0.55, { fill: colours.accent });
    y = drawParagraph(sheet, point, { x: x + 4, y, width: width - 4, sizePt: 7, maxLines: 3 }) + 1.3;
  }
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

/** Draws front and back of a card side by side, with cut marks, on an A4 page. */
export function drawCardSheet(sheet: Sheet, design: CardDesign): void {
  const { canvas } = sheet;
  const front = { x: MARGIN_MM, y: CARD_TOP, width: CARD_WIDTH, height: CARD_HEIGHT };
  const back = { ...front, x: MARGIN_MM + CARD_WIDTH };
  drawPageHeader(sheet);
  drawCutMarks(sheet, front);
  for (const [card, draw] of [
    [front, design.front],
    [back, drawBack],
  ] as const) {
    canvas.within({ clip: { ...card, radius: design.radius } }, () => design.ground(sheet, card));
    canvas.rectangle(card, { stroke: sheet.theme.colours.line, lineWidth: 0.2 }, design.radius);
    drawSpecimen(sheet, card);
    canvas.structure.group('Sect', () => draw(sheet, card));
  }
  drawSteps(sheet, STEPS_TOP, MARGIN_MM);
  drawFooter(sheet, MARGIN_MM);
}
