import { REGULAR, SEMIBOLD } from '../pdf/font.ts';
import type { Box } from '../pdf/geometry.ts';
import { drawCardSheet } from './card-sheet.ts';
import { drawCheckCode, drawEmblem, drawPhoto } from './figures.ts';
import { drawPremiumGround } from './premium-ground.ts';
import { CARD_FIELD, drawField, drawParagraph, type Sheet } from './sheet.ts';

/** The premium slip: the fields of the improved slip plus sex and date, a large number and a patterned background. */

const EDGE = 4.5;
const QR_CENTRE = 68.4;

function drawHeader(sheet: Sheet, card: Box): void {
  const { wording, colours } = sheet.theme;
  drawEmblem(sheet, { x: card.x + EDGE, y: card.y + 3.6, width: 7, height: 7 });
  const shared = { x: card.x + EDGE + 9, width: 41, maxLines: 1 } as const;
  drawParagraph(sheet, wording.title, {
    ...shared,
    y: card.y + 6.4,
    sizePt: 9.5,
    font: SEMIBOLD,
    colour: colours.accent,
  });
  drawParagraph(sheet, wording.subtitle, {
    ...shared,
    y: card.y + 9,
    sizePt: 4.8,
    maxLines: 2,
    colour: colours.muted,
  });
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

function drawFields(sheet: Sheet, card: Box): void {
  const { values, theme } = sheet;
  const { labels } = theme.wording;
  const shared = { ...CARD_FIELD, x: card.x + 27.4 };
  const wide = { ...shared, width: 27 };
  drawField(sheet, { ...wide, label: labels.surname, value: values.surname, y: card.y + 15.6 });
  drawField(sheet, { ...wide, label: labels.givenNames, value: values.givenNames, y: card.y + 24.4 });
  const row = { valuePt: 8, oneLineMinPt: 5, minPt: 5, maxLines: 1, y: card.y + 33.2 } as const;
  drawField(sheet, { ...shared, ...row, width: 19, label: labels.birthDate, value: values.birthDate });
  drawField(sheet, { ...shared, ...row, x: card.x + 49.4, width: 6, label: labels.sex, value: values.sex });
  const right = { ...row, x: card.x + 58.8, width: 22 };
  drawField(sheet, { ...shared, ...right, label: labels.generatedOn, value: values.date });
  drawNumber(sheet, card);
}

function drawFront(sheet: Sheet, card: Box): void {
  drawHeader(sheet, card);
  drawPhoto(sheet, { x: card.x + EDGE, y: card.y + 13.6, width: 20, height: 25 }, 1.6);
  sheet.canvas.structure.group('L', () => drawFields(sheet, card));
  drawCheckCode(sheet, { x: card.x + QR_CENTRE, y: card.y + 16, symbol: 21 });
}

export function drawPremium(sheet: Sheet): void {
  drawCardSheet(sheet, { radius: 3.2, ground: drawPremiumGround, front: drawFront });
}
