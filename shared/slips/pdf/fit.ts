import type { SlipFont } from './font.ts';
import { clusters } from './text.ts';

/** Long values: smaller letters down to a floor, then more lines, then an ellipsis. */

export interface Fit {
  readonly lines: readonly string[];
  readonly sizePt: number;
}

export interface FitRule {
  readonly font: SlipFont;
  readonly widthPt: number;
  readonly sizePt: number;
  /** A single line shrinks no further than this before it is broken; absent: text is broken at its full size. */
  readonly oneLineMinPt?: number;
  /** Letters never get smaller than this. */
  readonly minSizePt: number;
  readonly maxLines: number;
}

type Fits = (part: string) => boolean;

const STEP_PT = 0.25;
const ELLIPSIS = '…';

/** The longest beginning of `text` that fits, in whole letters, at least one. */
function cut(text: string, fits: Fits): string {
  const letters = clusters(text);
  let low = 1;
  let high = letters.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(letters.slice(0, middle).join(''))) low = middle;
    else high = middle - 1;
  }
  return letters.slice(0, low).join('');
}

/** Fills lines word by word; a word longer than a line is broken where the line ends. */
function wrap(text: string, fits: Fits, maxLines: number): string[] {
  if (fits(text)) return [text];
  const lines: string[] = [];
  let line = '';
  const words = text.split(' ');
  while (words.length > 0 && lines.length <= maxLines) {
    const word = words.shift() ?? '';
    const longer = line === '' ? word : `${line} ${word}`;
    if (fits(longer)) {
      line = longer;
    } else if (line !== '') {
      lines.push(line);
      line = '';
      words.unshift(word);
    } else {
      const start = cut(word, fits);
      lines.push(start);
      if (start.length < word.length) words.unshift(word.slice(start.length));
    }
  }
  return line === '' ? lines : [...lines, line];
}

/** Tells what fits at a size. Widths grow with the size, so each part is measured once, at 1 point. */
function fitter({ font, widthPt }: FitRule): (sizePt: number) => Fits {
  const widths = new Map<string, number>();
  const width = (part: string): number => {
    const known = widths.get(part) ?? font.width(part, 1);
    widths.set(part, known);
    return known;
  };
  return (sizePt) => (part) => width(part) * sizePt <= widthPt;
}

/** Arranges clean text into at most `maxLines` lines of `widthPt` points. */
export function fitText(text: string, rule: FitRule): Fit {
  const { sizePt: fullPt, minSizePt, maxLines, oneLineMinPt = fullPt } = rule;
  const fitsAt = fitter(rule);
  /** The largest size at which the text takes at most so many lines, its words whole. */
  const shrink = (fromPt: number, toPt: number, mostLines: number): Fit | undefined => {
    for (let sizePt = fromPt; sizePt >= toPt; sizePt -= STEP_PT) {
      const lines = wrap(text, fitsAt(sizePt), mostLines);
      if (lines.length <= mostLines && lines.join(' ') === text) return { lines, sizePt };
    }
    return undefined;
  };
  const whole = shrink(fullPt, oneLineMinPt, 1) ?? shrink(oneLineMinPt, minSizePt, maxLines);
  if (whole !== undefined) return whole;
  const fits = fitsAt(minSizePt);
  const lines = wrap(text, fits, maxLines);
  if (lines.length <= maxLines) return { lines, sizePt: minSizePt };
  const last = lines.slice(maxLines - 1).join(' ');
  const ending = cut(last, (part) => fits(part + ELLIPSIS)).trimEnd() + ELLIPSIS;
  return { lines: [...lines.slice(0, maxLines - 1), ending], sizePt: minSizePt };
}
