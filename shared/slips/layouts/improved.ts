import { REGULAR, SEMIBOLD } from '../../pdf/font.ts';
import type { Box } from '../../pdf/geometry.ts';
import { drawCardNotice, drawCardSheet, type FrontFields } from './card-sheet.ts';
import { drawCheckCode, drawEmblem, drawPhoto } from './figures.ts';
import { drawStack } from './name-fields.ts';
import { drawParagraph, type Sheet } from './sheet.ts';

/** The improved slip: a white card with photo, names, date of birth, QR code and grouped number. */

const EDGE = 4;
const QR_CENTRE = 70.6;

function drawHeader(sheet: Sheet, card: Box): void {
  const { wording } = sheet.theme;
  drawEmblem(sheet, { x: card.x + EDGE, y: card.y + 2.9, width: 5.6, height: 5.6 });
  const shared = { x: card.x + EDGE + 7.4, width: card.width - 2 * EDGE - 7.4, maxLines: 1 } as const;
  drawParagraph(sheet, wording.title, { ...shared, y: card.y + 5.5, sizePt: 8.5, font: SEMIBOLD });
  drawCardNotice(sheet, { ...shared, y: card.y + 8.9 });
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

function drawFront(sheet: Sheet, card: Box, fields: FrontFields): void {
  const { canvas, theme } = sheet;
  const { scanHint } = theme.wording;
  drawHeader(sheet, card);
  drawPhoto(sheet, { x: card.x + EDGE, y: card.y + 12.4, width: 20, height: 25 }, 0.6);
  canvas.structure.group('L', () => {
    drawStack(sheet, fields);
    drawNumber(sheet, card);
  });
  drawCheckCode(sheet, { x: card.x + QR_CENTRE, y: card.y + 24.2, symbol: 22.2 });
  canvas.tagged('P', () => {
    const style = { font: REGULAR, sizePt: 5.5, colour: theme.colours.muted, align: 'centre' } as const;
    canvas.text(scanHint, { x: card.x + QR_CENTRE, y: card.y + 38.6 }, style);
  });
}

/** Draws the slip of type `improved`: a white card. */
export function drawImproved(sheet: Sheet): void {
  drawCardSheet(sheet, {
    radius: 3,
    ground: ({ canvas }, card) => canvas.rectangle(card, { fill: '#ffffff' }),
    fields: ({ x, y }) => ({ x: x + 27, y: y + 14.2, width: 30, end: y + 38.4 }),
    after: ({ theme, values }) => [{ label: theme.wording.labels.birthDate, value: values.birthDate }],
    front: drawFront,
  });
}
