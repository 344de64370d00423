import { type Fit, fitWhole } from '../../pdf/fit.ts';
import { SEMIBOLD } from '../../pdf/font.ts';
import { PAGE_WIDTH_MM, PT_PER_MM } from '../../pdf/geometry.ts';
import type { Sheet } from './sheet.ts';
import { CARD_FIELD, drawFittedField, drawParagraph, LABEL_TO_VALUE, LEADING, MM_PER_PT } from './sheet.ts';

/** Draws names without cutting them off: a stack of fields takes as many lines as it needs, or does not fit at all. */

export interface StackField {
  readonly label: string;
  readonly value: string;
}

/** `y` is the baseline of the first label, and `end` the lowest baseline that the last value may have. */
export interface StackArea {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly end: number;
}

interface PlacedField extends StackField {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly fit: Fit;
}

/** Fields with their positions. */
export type Stack = readonly PlacedField[];

/** The font sizes of values on more than one line. Smaller print is hard to read on paper. */
const WRAPPED_PT = [7, 6.5, 6] as const;
const MOST_LINES = 40;
/** The distance from the last line of a field to the label of the next. */
const GAP = { usual: 5, least: 2.7 } as const;

/** Returns the distance from the label's baseline to that of the value's last line. */
function heightOf({ lines, sizePt }: Fit): number {
  return (LABEL_TO_VALUE + (lines.length - 1) * LEADING) * sizePt * MM_PER_PT;
}

function isUnbroken({ lines }: Fit, value: string): boolean {
  return lines.join(' ') === value;
}

/** Fits a value on one line, or else on several lines at the size `wrappedPt`. */
function fitValue(value: string, widthPt: number, wrappedPt: number): Fit | undefined {
  const { valuePt, oneLineMinPt } = CARD_FIELD;
  const rule = { font: SEMIBOLD, widthPt };
  const line = fitWhole(value, {
    ...rule,
    sizePt: valuePt,
    oneLineMinPt,
    minSizePt: oneLineMinPt,
    maxLines: 1,
  });
  return line ?? fitWhole(value, { ...rule, sizePt: wrappedPt, minSizePt: wrappedPt, maxLines: MOST_LINES });
}

function fitAll(fields: readonly StackField[], { x, y, width, end }: StackArea, wrappedPt: number) {
  const fits = fields.flatMap(({ value }) => fitValue(value, width * PT_PER_MM, wrappedPt) ?? []);
  if (fits.length < fields.length) return undefined;
  const free = end - y - fits.reduce((sum, fit) => sum + heightOf(fit), 0);
  const gap = Math.min(GAP.usual, fields.length > 1 ? free / (fields.length - 1) : free);
  if (gap < (fields.length > 1 ? GAP.least : 0)) return undefined;
  let next = y;
  return fields.flatMap((field, at): readonly PlacedField[] => {
    const fit = fits[at];
    if (fit === undefined) return [];
    const placed = { ...field, x, y: next, width, fit };
    next += heightOf(fit) + gap;
    return [placed];
  });
}

/** Fits all fields into an area without breaking words. Returns undefined if they are too long. */
export function fitStack(fields: readonly StackField[], area: StackArea): Stack | undefined {
  const stacks = WRAPPED_PT.flatMap((sizePt) => [fitAll(fields, area, sizePt) ?? []]);
  return stacks.find((stack) => stack.length > 0 && stack.every(({ fit, value }) => isUnbroken(fit, value)));
}

/** Draws the fields of a stack. */
export function drawStack(sheet: Sheet, stack: Stack): void {
  for (const field of stack) {
    const first = field.y + LABEL_TO_VALUE * field.fit.sizePt * MM_PER_PT;
    drawFittedField(sheet, { ...field, labelPt: CARD_FIELD.labelPt }, field.fit, first);
  }
}

/** Returns the names on cards: the surname, and the first and middle names. */
export function nameFields({ theme, values }: Sheet): readonly [surname: StackField, givenNames: StackField] {
  const { labels } = theme.wording;
  return [
    { label: labels.surname, value: values.surname },
    { label: labels.givenNames, value: values.givenNames },
  ];
}

const BELOW_TOP_MM = 174;

/** Draws, below the slip, the names that are too long for it. There is room for the longest accepted names. */
export function drawNamesBelow(sheet: Sheet, fields: readonly StackField[], left: number): void {
  const width = PAGE_WIDTH_MM - 2 * left;
  let y = BELOW_TOP_MM;
  for (const { label, value } of fields) {
    const shared = { x: left, width } as const;
    y = drawParagraph(sheet, label, {
      ...shared,
      y,
      sizePt: 8,
      maxLines: 1,
      colour: sheet.theme.colours.muted,
    });
    const text = {
      ...shared,
      y,
      sizePt: 7,
      oneLineMinPt: 7,
      maxLines: MOST_LINES,
      font: SEMIBOLD,
      isValue: true,
    } as const;
    y = drawParagraph(sheet, value, text) + 2;
  }
}
