import { REGULAR, SEMIBOLD } from '../../pdf/font.ts';
import type { Box } from '../../pdf/geometry.ts';
import { drawCardNotice, drawCardSheet, type FrontFields } from './card-sheet.ts';
import { drawCheckCode, drawEmblem, drawPhoto } from './figures.ts';
import { drawStack } from './name-fields.ts';
import { drawPremiumGround } from './premium-ground.ts';
import { CARD_FIELD, drawField, drawParagraph, type Sheet } from './sheet.ts';

/** The premium slip: the improved slip's fields, the sex and the date of generation, on a pattern. */

const EDGE = 4.5;
const QR_CENTRE = 69.4;

function drawHeader(sheet: Sheet, card: Box): void {
  const { wording, colours } = sheet.theme;
  drawEmblem(sheet, { x: card.x + EDGE, y: card.y + 3.6, width: 7, height: 7 });
  const shared = { x: card.x + EDGE + 8.6, width: 42.8, maxLines: 1 } as const;
  drawParagraph(sheet, wording.title, {
    ...shared,
    y: card.y + 6.4,
    sizePt: 9.5,
    font: SEMIBOLD,
    colour: colours.accent,
  });
  drawCardNotice(sheet, { ...shared, y: card.y + 9.4 });
}

function drawNumber({ canvas, theme, values }: Sheet, card: Box): void {
  const { wording, colours } = theme;
  const x = card.x + card.width / 2;
  canvas.structure.group('LI', () => {
    canvas.tagged('Lbl', () => {
      const style = { font: REGULAR, sizePt: 6, colour: colours.muted, align: 'centre' } as const;
      canvas.text(wording.labels.nin, { x, y: card.y + 42.9 }, style);
    });
    canvas.tagged('LBody', () => {
      const style = {
        font: SEMIBOLD,
        sizePt: 23,
        trackingPt: 1.2,
        colour: colours.ink,
        align: 'centre',
      } as const;
      canvas.text(values.ninGrouped, { x, y: card.y + 51 }, style);
    });
  });
}

function drawFields(sheet: Sheet, card: Box, fields: FrontFields): void {
  const { values, theme } = sheet;
  const { labels } = theme.wording;
  drawStack(sheet, fields);
  const shared = { ...CARD_FIELD, x: card.x + 27.4 };
  const row = { valuePt: 8, oneLineMinPt: 5, minPt: 5, maxLines: 1, y: card.y + 34.4 } as const;
  drawField(sheet, { ...shared, ...row, width: 19, label: labels.birthDate, value: values.birthDate });
  drawField(sheet, { ...shared, ...row, x: card.x + 49.4, width: 6, label: labels.sex, value: values.sex });
  const right = { ...row, x: card.x + 58.8, width: 22 };
  drawField(sheet, { ...shared, ...right, label: labels.generatedOn, value: values.date });
  drawNumber(sheet, card);
}

function drawFront(sheet: Sheet, card: Box, fields: FrontFields): void {
  drawHeader(sheet, card);
  drawPhoto(sheet, { x: card.x + EDGE, y: card.y + 13.6, width: 20, height: 25 }, 1.6);
  sheet.canvas.structure.group('L', () => drawFields(sheet, card, fields));
  drawCheckCode(sheet, { x: card.x + QR_CENTRE, y: card.y + 16.2, symbol: 22.9 });
}

/** Draws the slip of type `premium`: a card with a patterned background. */
export function drawPremium(sheet: Sheet): void {
  drawCardSheet(sheet, {
    radius: 3.2,
    ground: drawPremiumGround,
    fields: ({ x, y }) => ({ x: x + 27.4, y: y + 15, width: 27.6, end: y + 31.6 }),
    front: drawFront,
  });
}
