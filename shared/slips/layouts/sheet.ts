import type { SlipType } from '../../core/slip-types.ts';
import type { Canvas } from '../../pdf/canvas.ts';
import { type Fit, type FitRule, fitText } from '../../pdf/fit.ts';
import { type PdfFont, REGULAR, SEMIBOLD } from '../../pdf/font.ts';
import { PT_PER_MM } from '../../pdf/geometry.ts';
import type { SlipValues } from '../slip.ts';
import type { SlipTheme } from '../theme.ts';
import type { EmbeddedImage } from './artwork.ts';

/** The input of every layout, and how layouts draw fields and paragraphs. */

export interface Sheet {
  readonly canvas: Canvas;
  readonly slipType: SlipType;
  readonly values: SlipValues;
  readonly theme: SlipTheme;
  readonly checkUrl: string;
  readonly photo: EmbeddedImage | undefined;
  /** The images of the theme's artwork. */
  readonly images: Partial<Readonly<Record<keyof SlipTheme['artwork'], EmbeddedImage>>>;
  readonly specimen: boolean;
  /** Whether the details that were sent with the request matched the registry's record. */
  readonly detailsConfirmed: boolean;
}

export interface Field {
  readonly label: string;
  readonly value: string;
  /** The left edge, and the baseline of the label. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly labelPt: number;
  readonly valuePt: number;
  /** The font size that determines the value's baseline, for fields that share a baseline. @default valuePt */
  readonly basePt?: number;
  readonly oneLineMinPt?: number;
  readonly minPt: number;
  readonly maxLines: number;
}

/** The distance between lines, as a multiple of the font size. */
export const LEADING = 1.22;
export const MM_PER_PT = 1 / PT_PER_MM;
/** The distance from the label's baseline to the value's, as a multiple of the value's font size. */
export const LABEL_TO_VALUE = 1.24;

/** Caches the fitted wording of a theme, which is the same on every slip. Values of a record are never cached. */
const WORDING_FITS = new WeakMap<SlipTheme, Map<string, Fit>>();

function fitWording(theme: SlipTheme, text: string, rule: FitRule): Fit {
  const fits = WORDING_FITS.get(theme) ?? new Map<string, Fit>();
  WORDING_FITS.set(theme, fits);
  const { font, widthPt, sizePt, oneLineMinPt, maxLines } = rule;
  const key = [font.data.name, widthPt, sizePt, oneLineMinPt, maxLines, text].join(' ');
  const fit = fits.get(key) ?? fitText(text, rule);
  fits.set(key, fit);
  return fit;
}

/** The type sizes of a field on a card, in points. */
export const CARD_FIELD = { labelPt: 5.5, valuePt: 9, oneLineMinPt: 7, minPt: 6, maxLines: 2 } as const;

/** Draws a label above its value. Screen readers read them as one list item. */
export function drawField(sheet: Sheet, field: Field): void {
  const { valuePt, basePt = valuePt, oneLineMinPt, minPt, maxLines } = field;
  const widthPt = field.width * PT_PER_MM;
  const value = { font: SEMIBOLD, widthPt, sizePt: valuePt, minSizePt: minPt, maxLines };
  const fit = fitText(field.value, oneLineMinPt === undefined ? value : { ...value, oneLineMinPt });
  const first = field.y + (fit.lines.length === 1 ? basePt : fit.sizePt) * LABEL_TO_VALUE * MM_PER_PT;
  drawFittedField(sheet, field, fit, first);
}

/** Draws a label above a value that has already been fitted. `first` is the baseline of its first line. */
export function drawFittedField(
  { canvas, theme }: Sheet,
  field: Pick<Field, 'label' | 'labelPt' | 'x' | 'y' | 'width'>,
  fit: Fit,
  first: number,
): void {
  const widthPt = field.width * PT_PER_MM;
  const label = { font: REGULAR, widthPt, sizePt: field.labelPt, minSizePt: 4, maxLines: 1 };
  const labelFit = fitWording(theme, field.label, label);
  const { muted, ink } = theme.colours;
  canvas.structure.group('LI', () => {
    canvas.tagged('Lbl', () => {
      drawLines(canvas, labelFit.lines, field.x, field.y, {
        ...label,
        sizePt: labelFit.sizePt,
        colour: muted,
      });
    });
    canvas.tagged('LBody', () => {
      drawLines(canvas, fit.lines, field.x, first, { font: SEMIBOLD, sizePt: fit.sizePt, colour: ink });
    });
  });
}

function drawLines(
  canvas: Canvas,
  lines: readonly string[],
  x: number,
  y: number,
  style: { readonly font: PdfFont; readonly sizePt: number; readonly colour: string },
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
  /**
   * Text shrinks to this size before it takes more lines. Without this size, it first takes more lines, then shrinks to
   * 80%.
   */
  readonly oneLineMinPt?: number;
  readonly maxLines: number;
  readonly colour?: string;
  readonly font?: PdfFont;
  readonly role?: 'P' | 'H1';
  /** Whether the text is specific to this slip, rather than wording of the theme. */
  readonly isValue?: boolean;
}

/** Draws a paragraph. Returns the baseline of the line that would follow. */
export function drawParagraph({ canvas, theme }: Sheet, text: string, paragraph: Paragraph): number {
  const { font = REGULAR, colour = theme.colours.ink, sizePt, role = 'P' } = paragraph;
  const { oneLineMinPt = sizePt, maxLines } = paragraph;
  const widthPt = paragraph.width * PT_PER_MM;
  const minSizePt = paragraph.oneLineMinPt ?? sizePt * 0.8;
  const rule = { font, widthPt, sizePt, oneLineMinPt, minSizePt, maxLines };
  const fit = paragraph.isValue ? fitText(text, rule) : fitWording(theme, text, rule);
  let after = paragraph.y;
  canvas.tagged(role, () => {
    after = drawLines(canvas, fit.lines, paragraph.x, paragraph.y, { font, sizePt: fit.sizePt, colour });
  });
  return after;
}
