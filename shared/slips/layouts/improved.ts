import { REGULAR, SEMIBOLD } from '../pdf/font.ts';
import type { Box } from '../pdf/geometry.ts';
import { drawCardSheet } from './card-sheet.ts';
import { drawCheckCode, drawEmblem, drawPhoto } from './figures.ts';
import { CARD_FIELD, drawField, drawParagraph, type Sheet } from './sheet.ts';

/** The improved slip: a white card with photo, names, date of birth, QR code and grouped number. */

const EDGE = 4;
const QR_CENTRE = 70;

function drawHeader(sheet: Sheet, card: Box): void {
  const { wording, colours } = sheet.theme;
  drawEmblem(sheet, { x: card.x + EDGE, y: card.y + 2.9, width: 5.6, height: 5.6 });
  const shared = { x: card.x + EDGE + 7.4, width: card.width - 2 * EDGE - 7.4, maxLines: 1 } as const;
  drawParagraph(sheet, wording.title, { ...shared, y: card.y + 5.5, sizePt: 8.5, font: SEMIBOLD });
  drawParagraph(sheet, wording.subtitle, { ...shared, y: card.y + 8.3, sizePt: 5.2, colour: colours.muted });
}

function drawNumber({ canvas, theme, values }: Sheet, card: Box): void {
  const { wording, colours } = theme;
  const x = card.x + card.width / 2;
  canvas.line(card.x + EDGE, card.y + 40.3, card.x + card.width - EDGE, card.y + 40.3, {
    stroke: colours.line,
    lineWidth: 0.2,
  });
  canvas.structure.group('LI', () => {
    const style = { align: 'centre' } as const;
    canvas.tagged('Lbl', () => {
      const label = { ...style, font: REGULAR, sizePt: 6, colour: colours.muted };
      canvas.text(wording.labels.nin, { x, y: card.y + 43.7 }, label);
    });
    canvas.tagged('LBody', () => {
      const digits = { ...style, font: SEMIBOLD, sizePt: 18, trackingPt: 0.6, colour: colours.ink };
      canvas.text(values.ninGrouped, { x, y: card.y + 50.7 }, digits);
    });
  });
}

function drawFront(sheet: Sheet, card: Box): void {
  const { canvas, theme, values } = sheet;
  const { labels, scanHint } = theme.wording;
  drawHeader(sheet, card);
  drawPhoto(sheet, { x: card.x + EDGE, y: card.y + 12.4, width: 20, height: 25 }, 0.6);
  canvas.structure.group('L', () => {
    const shared = { ...CARD_FIELD, x: card.x + 27, width: 30.5 };
    drawField(sheet, { ...shared, label: labels.surname, value: values.surname, y: card.y + 14.2 });
    drawField(sheet, { ...shared, label: labels.givenNames, value: values.givenNames, y: card.y + 23.2 });
    const oneLine = { ...shared, maxLines: 1 } as const;
    drawField(sheet, { ...oneLine, label: labels.birthDate, value: values.birthDate, y: card.y + 32.2 });
    drawNumber(sheet, card);
  });
  drawCheckCode(sheet, { x: card.x + QR_CENTRE, y: card.y + 23.4, symbol: 20.4 });
  canvas.tagged('P', () => {
    const style = { font: REGULAR, sizePt: 5.5, colour: theme.colours.muted, align: 'centre' } as const;
    canvas.text(scanHint, { x: card.x + QR_CENTRE, y: card.y + 37.3 }, style);
  });
}

/** Draws the slip of type `improved`: a white card. */
export function drawImproved(sheet: Sheet): void {
  drawCardSheet(sheet, {
    radius: 3,
    ground: ({ canvas }, card) => canvas.rectangle(card, { fill: '#ffffff' }),
    front: drawFront,
  });
}
