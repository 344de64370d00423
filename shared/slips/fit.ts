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
  /** Letters never get smaller than this. */
  readonly minSizePt: number;
  readonly maxLines: number;
  /** Names rather shrink than break; addresses rather break than shrink. */
  readonly prefer: 'one-line' | 'full-size';
}

const STEP_PT = 0.25;
const ELLIPSIS = '…';

/** The longest beginning of `text` that fits, in whole letters, at least one. */
function cut(text: string, fits: (part: string) => boolean): string {
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
function wrap(text: string, fits: (part: string) => boolean, maxLines: number): string[] {
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

/** Arranges clean text into at most `maxLines` lines of `widthPt` points. */
export function fitText(text: string, rule: FitRule): Fit {
  const fitsAt = (sizePt: number) => (part: string) => rule.font.width(part, sizePt) <= rule.widthPt;
  const tryLines = rule.prefer === 'one-line' ? 1 : rule.maxLines;
  for (let sizePt = rule.sizePt; sizePt >= rule.minSizePt; sizePt -= STEP_PT) {
    const lines = wrap(text, fitsAt(sizePt), tryLines);
    const brokenWord = lines.length > 1 && lines.join(' ') !== text;
    if (lines.length <= tryLines && !brokenWord) return { lines, sizePt };
  }
  const fits = fitsAt(rule.minSizePt);
  const lines = wrap(text, fits, rule.maxLines);
  if (lines.length <= rule.maxLines) return { lines, sizePt: rule.minSizePt };
  const last = lines.slice(rule.maxLines - 1).join(' ');
  const ending = cut(last, (part) => fits(part + ELLIPSIS)).trimEnd() + ELLIPSIS;
  return { lines: [...lines.slice(0, rule.maxLines - 1), ending], sizePt: rule.minSizePt };
}
