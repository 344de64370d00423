import { drawArtwork, drawImage, type PlacedImage } from './artwork.ts';
import { type Box, type Canvas, PAGE_HEIGHT_MM, PT_PER_MM } from './canvas.ts';
import { type FitRule, fitText } from './fit.ts';
import { REGULAR, SEMIBOLD, type SlipFont } from './font.ts';
import { drawQr, qrSide } from './qr.ts';
import type { SlipType, SlipValues } from './slip.ts';
import type { SlipTheme } from './theme.ts';

/** What every layout draws with, and the parts that more than one layout has. */

export interface Sheet {
  readonly canvas: Canvas;
  readonly slipType: SlipType;
  readonly values: SlipValues;
  readonly theme: SlipTheme;
  readonly checkUrl: string;
  readonly photo: PlacedImage | undefined;
  /** The theme's artwork that is a picture. */
  readonly images: Partial<Readonly<Record<keyof SlipTheme['artwork'], PlacedImage>>>;
  readonly specimen: boolean;
}

export interface Field {
  readonly label: string;
  readonly value: string;
  /** Left edge and the label's base line. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly valuePt: number;
  readonly labelPt?: number;
  readonly minPt?: number;
  readonly maxLines?: number;
  readonly prefer?: FitRule['prefer'];
}

/** Lines stand this many times their letters' size apart. */
const LEADING = 1.22;
const MM_PER_PT = 1 / PT_PER_MM;
const SPECIMEN = 'SPECIMEN';
const SPECIMEN_TRACKING = 0.06;
const SPECIMEN_PALE = '#f0c9c9';
const SPECIMEN_STRONG = '#a32929';
/** From the label's base line to the value's, in sizes of the value. */
const LABEL_TO_VALUE = 1.24;

/** A label above its value, read out as one item of a list. */
export function drawField({ canvas, theme }: Sheet, field: Field): void {
  const { labelPt = 6, minPt = 6.5, maxLines = 2, prefer = 'one-line' } = field;
  const widthPt = field.width * PT_PER_MM;
  const { muted, ink } = theme.colours;
  const label = fitText(field.label, {
    font: REGULAR,
    widthPt,
    sizePt: labelPt,
    minSizePt: 4,
    maxLines: 1,
    prefer,
  });
  const value = fitText(field.value, {
    font: SEMIBOLD,
    widthPt,
    sizePt: field.valuePt,
    minSizePt: minPt,
    maxLines,
    prefer,
  });
  canvas.structure.group('LI', () => {
    canvas.tagged('Lbl', () => {
      const style = { font: REGULAR, sizePt: label.sizePt, colour: muted };
      for (const line of label.lines) canvas.text(line, field, style);
    });
    canvas.tagged('LBody', () => {
      const first = field.y + value.sizePt * LABEL_TO_VALUE * MM_PER_PT;
      drawLines(canvas, value.lines, field.x, first, { font: SEMIBOLD, sizePt: value.sizePt, colour: ink });
    });
  });
}

function drawLines(
  canvas: Canvas,
  lines: readonly string[],
  x: number,
  y: number,
  style: { readonly font: SlipFont; readonly sizePt: number; readonly colour: string },
): number {
  const step = style.sizePt * LEADING * MM_PER_PT;
  for (const [at, line] of lines.entries()) canvas.text(line, { x, y: y + at * step }, style);
  return y + lines.length * step;
}

export interface Paragraph {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly sizePt: number;
  readonly maxLines: number;
  readonly colour?: string;
  readonly font?: SlipFont;
  readonly role?: 'P' | 'H1';
}

/** A paragraph; returns the base line that would follow it. */
export function drawParagraph({ canvas, theme }: Sheet, text: string, place: Paragraph): number {
  const { font = REGULAR, colour = theme.colours.ink, sizePt, role = 'P' } = place;
  const widthPt = place.width * PT_PER_MM;
  const fit = fitText(text, {
    font,
    widthPt,
    sizePt,
    minSizePt: sizePt * 0.8,
    maxLines: place.maxLines,
    prefer: 'full-size',
  });
  let after = place.y;
  canvas.tagged(role, () => {
    after = drawLines(canvas, fit.lines, place.x, place.y, { font, sizePt: fit.sizePt, colour });
  });
  return after;
}

/** The photo, cropped to its frame, or a neutral silhouette. */
export function drawPhoto({ canvas, theme, photo, specimen }: Sheet, frame: Box, radius: number): void {
  const { tint, line, muted } = theme.colours;
  const alt = photo === undefined ? theme.wording.noPhotoAlt : theme.wording.photoAlt;
  const draw = (): void => {
    canvas.within({ clip: { ...frame, radius } }, () => {
      canvas.rectangle(frame, { fill: tint });
      if (photo !== undefined) drawImage(canvas, photo, frame, 'cover');
      else drawSilhouette(canvas, frame, line);
      if (specimen) drawPhotoBand(canvas, frame);
    });
  };
  canvas.tagged('Figure', draw, alt);
  canvas.rectangle(frame, { stroke: photo === undefined ? line : muted, lineWidth: 0.15 }, radius);
}

/** A card that is cut out of its page keeps the mark where nobody can overlook it. */
function drawPhotoBand(canvas: Canvas, frame: Box): void {
  const height = frame.width * 0.17;
  const [x, bottom] = [frame.x + frame.width / 2, frame.y + frame.height];
  canvas.rectangle({ ...frame, y: bottom - height, height }, { fill: SPECIMEN_STRONG });
  const sizePt = frame.width * 0.3;
  const style = { font: SEMIBOLD, sizePt, trackingPt: sizePt * 0.1, align: 'centre', colour: '#ffffff' } as const;
  canvas.text(SPECIMEN, { x, y: bottom - height * 0.31 }, style);
}

function drawSilhouette(canvas: Canvas, frame: Box, colour: string): void {
  const centre = frame.x + frame.width / 2;
  const unit = Math.min(frame.width, frame.height * 0.8);
  canvas.circle(centre, frame.y + frame.height * 0.4, unit * 0.2, { fill: colour });
  const shoulders = {
    x: centre - unit * 0.36,
    y: frame.y + frame.height * 0.68,
    width: unit * 0.72,
    height: unit,
  };
  canvas.rectangle(shoulders, { fill: colour }, unit * 0.3);
}

/** The code that opens the check page, around a centre; `symbol` is its side without the quiet zone. */
export function drawCheckCode(
  sheet: Sheet,
  place: { readonly centre: number; readonly y: number; readonly symbol: number },
): void {
  const side = qrSide(sheet.checkUrl, place.symbol);
  const square = { x: place.centre - side / 2, y: place.y - side / 2, side };
  sheet.canvas.tagged(
    'Figure',
    () => drawQr(sheet.canvas, sheet.checkUrl, square, sheet.theme.colours.ink),
    `${sheet.theme.wording.qrAlt}: ${sheet.checkUrl}`,
  );
}

export function drawEmblem({ canvas, theme, images }: Sheet, frame: Box): void {
  drawArtwork(canvas, theme.artwork.emblem, images.emblem, frame);
}

/** The mark of test keys, under the content so that everything stays legible and the code can be read. */
export function drawSpecimen({ canvas, specimen }: Sheet, box: Box): void {
  if (!specimen) return;
  const angle = Math.atan2(box.height, box.width) * 0.75;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const width = SEMIBOLD.width(SPECIMEN, 1, SPECIMEN_TRACKING);
  const sizePt = (box.width * 0.84 * PT_PER_MM) / width;
  const x = (box.x + box.width / 2) * PT_PER_MM;
  const y = (PAGE_HEIGHT_MM - box.y - box.height / 2) * PT_PER_MM;
  const trackingPt = sizePt * SPECIMEN_TRACKING;
  const style = { font: SEMIBOLD, sizePt, align: 'centre', trackingPt, colour: SPECIMEN_PALE } as const;
  canvas.within({ matrix: [cos, sin, -sin, cos, x, y] }, () => {
    canvas.text(SPECIMEN, { x: 0, y: PAGE_HEIGHT_MM + sizePt * 0.36 * MM_PER_PT }, style);
  });
}

/** The same mark as a word in a bar, read out by screen readers; `right` and `y` are its top right corner. */
export function drawSpecimenBar({ canvas, specimen }: Sheet, right: number, y: number): void {
  if (!specimen) return;
  const style = { font: SEMIBOLD, sizePt: 8, trackingPt: 1, colour: '#ffffff' } as const;
  const width = SEMIBOLD.width(SPECIMEN, style.sizePt, style.trackingPt) * MM_PER_PT + 5;
  canvas.rectangle({ x: right - width, y, width, height: 4.8 }, { fill: SPECIMEN_STRONG }, 1);
  canvas.tagged('P', () => canvas.text(SPECIMEN, { x: right - width + 2.5, y: y + 3.4 }, style));
}
