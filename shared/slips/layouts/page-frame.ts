import { REGULAR, SEMIBOLD } from '../../pdf/font.ts';
import { PAGE_WIDTH_MM } from '../../pdf/geometry.ts';
import { drawEmblem } from './figures.ts';
import { drawParagraph, type Paragraph, type Sheet } from './sheet.ts';
import { drawSpecimenBar } from './specimen.ts';

/** The rest of the A4 page around a slip: the header of card sheets, the steps and the footer. */

export const MARGIN_MM = 19.4;
const FOOTER_Y_MM = 283;

/** Draws the emblem, title and subtitle at the top of a card sheet. */
export function drawPageHeader(sheet: Sheet): void {
  const { canvas, theme, slipType } = sheet;
  const { wording, colours } = theme;
  drawEmblem(sheet, { x: MARGIN_MM, y: 17, width: 13, height: 13 });
  const shared = { x: MARGIN_MM + 17, width: 120, maxLines: 1 } as const;
  drawParagraph(sheet, wording.title, { ...shared, y: 22.6, sizePt: 17, font: SEMIBOLD, role: 'H1' });
  drawParagraph(sheet, wording.subtitle, { ...shared, y: 28.2, sizePt: 8.5, colour: colours.muted });
  const right = PAGE_WIDTH_MM - MARGIN_MM;
  canvas.tagged('P', () => {
    const style = { font: SEMIBOLD, sizePt: 8.5, colour: colours.accent, align: 'right' } as const;
    canvas.text(wording.names[slipType], { x: right, y: 22.6 }, style);
  });
  drawSpecimenBar(sheet, right, 25.2);
  canvas.line(MARGIN_MM, 35, right, 35, { stroke: colours.line, lineWidth: 0.2 });
}

/** Draws the numbered steps in columns. */
export function drawSteps(sheet: Sheet, y: number, left: number): void {
  const { canvas, theme } = sheet;
  const { steps, stepsHeading } = theme.wording;
  if (steps.length === 0) return;
  const width = PAGE_WIDTH_MM - 2 * left;
  const gap = 8;
  const column = (width - 2 * gap) / 3;
  drawParagraph(sheet, stepsHeading, { x: left, y, width, sizePt: 10, maxLines: 1, font: SEMIBOLD });
  for (const [at, step] of steps.entries()) {
    const x = left + at * (column + gap);
    canvas.line(x, y + 4, x + column, y + 4, { stroke: theme.colours.accent, lineWidth: 0.4 });
    const heading = `${at + 1}  ${step.heading}`;
    drawParagraph(sheet, heading, { x, y: y + 9, width: column, sizePt: 8.5, maxLines: 1, font: SEMIBOLD });
    drawParagraph(sheet, step.text, {
      x,
      y: y + 13.4,
      width: column,
      sizePt: 8,
      maxLines: 7,
      colour: theme.colours.muted,
    });
  }
}

/** If the details sent with the request matched the record, draws a note that states this, with the time. */
export function drawConfirmation(sheet: Sheet, place: Pick<Paragraph, 'x' | 'y' | 'width' | 'sizePt'>): void {
  if (!sheet.detailsConfirmed) return;
  const { theme, values } = sheet;
  const { heading, text } = theme.wording.detailsConfirmed;
  const sentence = `${heading}. ${text} ${values.date}, ${values.time}.`;
  const style = { maxLines: 2, font: SEMIBOLD, colour: theme.colours.accent, isValue: true } as const;
  drawParagraph(sheet, sentence, { ...place, ...style });
}

/** Draws the time, the request ID and the theme's authorisation. */
export function drawFooter(sheet: Sheet, left: number): void {
  const { canvas, theme, values } = sheet;
  const { labels } = theme.wording;
  const right = PAGE_WIDTH_MM - left;
  canvas.line(left, FOOTER_Y_MM - 4.5, right, FOOTER_Y_MM - 4.5, {
    stroke: theme.colours.line,
    lineWidth: 0.2,
  });
  const style = { font: REGULAR, sizePt: 7, colour: theme.colours.muted } as const;
  canvas.tagged('P', () => {
    const when = `${labels.generatedOn} ${values.date}, ${values.time}`;
    canvas.text(when, { x: left, y: FOOTER_Y_MM }, style);
  });
  canvas.tagged('P', () => {
    const request = `${labels.requestId} ${values.requestId}`;
    canvas.text(request, { x: right, y: FOOTER_Y_MM }, { ...style, align: 'right' });
  });
  if (theme.authorisation === null) return;
  const { authority, reference } = theme.authorisation;
  drawParagraph(sheet, `Produced under written authorisation of ${authority}, reference ${reference}`, {
    x: left,
    y: FOOTER_Y_MM + 3.6,
    width: right - left,
    sizePt: 7,
    maxLines: 1,
    colour: theme.colours.muted,
  });
}
