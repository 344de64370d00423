import { Canvas, type FontCodes, type TextStyle } from '../../../pdf/canvas.ts';
import { fitText } from '../../../pdf/fit.ts';
import { type PdfFont, REGULAR, SEMIBOLD } from '../../../pdf/font.ts';
import { PAGE_HEIGHT_MM, PAGE_WIDTH_MM, PT_PER_MM } from '../../../pdf/geometry.ts';
import { cleanText } from '../../../pdf/text.ts';

/** Content that flows over A4 pages. Lengths are in millimetres, font sizes in points. */

export const LEFT = 18;
export const RIGHT = PAGE_WIDTH_MM - LEFT;
export const WIDTH = RIGHT - LEFT;
export const INSET = 2;
const TOP = 30;
const BOTTOM = PAGE_HEIGHT_MM - 25;
const LINE_HEIGHT = 1.32;
const MOST_LINES = 200;
/** `cleanText` truncates long strings, so words are cleaned one by one. */
const WORD_PART = /\S{1,200}/gu;

export const PALETTE = {
  ink: '#15202b',
  muted: '#55636f',
  line: '#b4c0c8',
  accent: '#14506b',
  tint: '#edf3f5',
  warning: '#a32929',
  /** A mark under the content. */
  pale: '#f8e4e4',
} as const;

export interface Style {
  readonly sizePt: number;
  readonly font?: PdfFont;
  readonly colour?: string;
}

export const BODY: Style = { sizePt: 9 };
export const STRONG: Style = { sizePt: 9, font: SEMIBOLD };
export const SMALL: Style = { sizePt: 7.5, colour: PALETTE.muted };

/** In millimetres. */
export function lineHeight({ sizePt }: Style): number {
  return (sizePt * LINE_HEIGHT) / PT_PER_MM;
}

export function textWidth(text: string, { sizePt, font = REGULAR }: Style): number {
  return font.width(text, sizePt) / PT_PER_MM;
}

/** Nothing is cut off: an invoice must show full names. Screen readers and copies get the letters that it shows. */
export function linesOf(text: string, width: number, { sizePt, font = REGULAR }: Style): readonly string[] {
  const rule = { font, widthPt: width * PT_PER_MM, sizePt, minSizePt: sizePt, maxLines: MOST_LINES };
  const words = text.match(WORD_PART) ?? [];
  const clean = font.legible(words.map(cleanText).filter(Boolean).join(' '));
  let rest = clean;
  return fitText(clean, rule).lines.map((line) => {
    rest = rest.slice(line.length);
    // A line that ends between two words keeps its space, which separates them for screen readers.
    const isBetweenWords = rest.startsWith(' ');
    rest = rest.trimStart();
    return isBetweenWords ? `${line} ` : line;
  });
}

interface Place {
  readonly x: number;
  /** The top edge of the first line. */
  readonly y: number;
  readonly align?: TextStyle['align'];
}

/** Returns the bottom edge of the last line. */
export function writeLines(canvas: Canvas, lines: readonly string[], place: Place, style: Style): number {
  const { font = REGULAR, colour = PALETTE.ink, sizePt } = style;
  const step = lineHeight(style);
  const align = place.align ?? 'left';
  for (const [at, line] of lines.entries()) {
    // The baseline is at three quarters of the line.
    canvas.text(line, { x: place.x, y: place.y + (at + 0.75) * step }, { font, sizePt, colour, align });
  }
  return place.y + lines.length * step;
}

export class PageFlow {
  readonly canvases: Canvas[] = [];
  y = TOP;
  readonly #fonts: FontCodes = new Map();
  readonly #onPage: (canvas: Canvas) => void;
  #canvas: Canvas;

  /** `onPage` draws what is under each page. */
  constructor(onPage: (canvas: Canvas) => void) {
    this.#onPage = onPage;
    this.#canvas = this.#newPage();
  }

  /** The last page. */
  get canvas(): Canvas {
    return this.#canvas;
  }

  get room(): number {
    return BOTTOM - this.y;
  }

  reserve(height: number): void {
    if (height > this.room) this.nextPage();
  }

  nextPage(): void {
    this.#canvas = this.#newPage();
    this.y = TOP;
  }

  /** On several pages if necessary. */
  paragraph(text: string, style: Style, role: 'P' | 'H2' = 'P'): void {
    let lines = linesOf(text, WIDTH, style);
    while (lines.length > 0) {
      this.reserve(lineHeight(style));
      const fitting = Math.max(1, Math.floor(this.room / lineHeight(style)));
      const part = lines.slice(0, fitting);
      this.canvas.tagged(role, () => {
        this.y = writeLines(this.canvas, part, { x: LEFT, y: this.y }, style);
      });
      lines = lines.slice(fitting);
    }
  }

  #newPage(): Canvas {
    const canvas = new Canvas(this.#fonts);
    this.#onPage(canvas);
    this.canvases.push(canvas);
    return canvas;
  }
}
