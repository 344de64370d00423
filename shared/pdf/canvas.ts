import type { PdfFont } from './font.ts';
import {
  type Box,
  colour,
  components,
  type Gradient,
  list,
  type Matrix,
  number,
  rounded,
  x,
  y,
} from './geometry.ts';
import { type ContentMark, type ContentRole, StructureTree } from './structure.ts';
import { usualGlyphs } from './usual-glyphs.ts';

/**
 * Millimetres from the top left corner, font sizes in points. Content outside `tagged` is decoration, which screen
 * readers skip.
 */

interface Paint {
  readonly fill?: string;
  readonly stroke?: string;
  readonly lineWidth?: number;
  readonly dash?: readonly number[];
}

export interface TextStyle {
  readonly font: PdfFont;
  readonly sizePt: number;
  readonly colour: string;
  readonly align?: 'left' | 'centre' | 'right';
  readonly trackingPt?: number;
}

export type FontCodes = Map<PdfFont, Map<number, number>>;

export class Canvas {
  readonly structure = new StructureTree();
  /** The usual glyphs, and others in use. Shared by all pages. */
  readonly fonts: FontCodes;
  /** Gradients by their name in the operators. */
  readonly gradients = new Map<string, Gradient>();
  readonly #operators: string[] = [];
  #mark: ContentMark | 'decoration' | undefined;

  constructor(fonts: FontCodes = new Map()) {
    this.fonts = fonts;
  }

  /** For screen readers. */
  tagged(role: ContentRole, draw: () => void, alt?: string): void {
    this.#open(this.structure.content(role, alt));
    draw();
    this.#open(undefined);
  }

  within(
    setting: { readonly matrix?: Matrix; readonly clip?: Box & { readonly radius: number } },
    draw: () => void,
  ) {
    if (this.#mark === undefined) this.#open('decoration');
    const { matrix, clip } = setting;
    this.#operators.push('q');
    if (matrix !== undefined) this.#operators.push(`${list(...matrix)} cm`);
    if (clip !== undefined) this.#operators.push(rounded(clip, clip.radius), 'W n');
    draw();
    this.#operators.push('Q');
  }

  rectangle(box: Box, paint: Paint, radius = 0): void {
    const shape =
      radius > 0
        ? rounded(box, radius)
        : `${list(x(box.x), y(box.y + box.height), x(box.width), x(box.height))} re`;
    this.path(shape, paint);
  }

  line(x0: number, y0: number, x1: number, y1: number, paint: Paint): void {
    this.path(`${list(x(x0), y(y0))} m ${list(x(x1), y(y1))} l`, paint);
  }

  circle(centreX: number, centreY: number, radius: number, paint: Paint): void {
    const side = 2 * radius;
    this.path(
      rounded({ x: centreX - radius, y: centreY - radius, width: side, height: side }, radius),
      paint,
    );
  }

  /** In points of the page, or of an enclosing `within`. */
  path(shape: string, { fill, stroke, lineWidth = 0.2, dash }: Paint): void {
    const settings = [
      fill === undefined ? '' : `${colour(fill)} rg`,
      stroke === undefined ? '' : `${colour(stroke)} RG ${number(x(lineWidth))} w`,
      dash === undefined ? '' : `[${list(...dash.map(x))}] 0 d`,
    ].filter(Boolean);
    const paintOperator = fill === undefined ? 'S' : stroke === undefined ? 'f' : 'B';
    this.#draw(`q ${settings.join(' ')}\n${shape} ${paintOperator} Q`);
  }

  /** `matrix` maps the unit square to points of the page. */
  image(name: string, matrix: Matrix): void {
    this.#draw(`q ${list(...matrix)} cm /${name} Do Q`);
  }

  /** Between the top left and bottom right corners of a box. */
  gradient(box: Box, from: string, to: string): void {
    const name = `Gradient${this.gradients.size}`;
    const axis = [x(box.x), y(box.y), x(box.x + box.width), y(box.y + box.height)];
    this.gradients.set(name, { from: components(from), to: components(to), axis });
    this.#draw(`/${name} sh`);
  }

  /** `at.y` is the baseline. */
  text(text: string, at: { readonly x: number; readonly y: number }, style: TextStyle): void {
    const { font, sizePt, trackingPt = 0 } = style;
    const share = { left: 0, centre: 0.5, right: 1 }[style.align ?? 'left'];
    const left = x(at.x) - share * font.width(text, sizePt, trackingPt);
    const name = font.data.name.replaceAll('-', '');
    const tracking = trackingPt === 0 ? '' : `${number(trackingPt)} Tc `;
    const shown = this.#encode(text, font);
    const start = list(left, y(at.y));
    this.#draw(
      `q BT ${colour(style.colour)} rg /${name} ${number(sizePt)} Tf ${tracking}${start} Td [${shown}] TJ ET Q`,
    );
  }

  /** Returns the page's content stream. */
  content(): string {
    this.#open(undefined);
    return this.#operators.join('\n');
  }

  /** They leave the graphics state unchanged. */
  operators(operators: string): void {
    this.#draw(operators);
  }

  #encode(text: string, font: PdfFont): string {
    const codes = this.fonts.get(font) ?? new Map(usualGlyphs(font).map((glyph, code) => [glyph, code]));
    this.fonts.set(font, codes);
    let shown = '<';
    let left = -1;
    for (const glyph of font.glyphs(text)) {
      const kern = font.kern(left, glyph);
      const code = codes.get(glyph) ?? codes.size;
      codes.set(glyph, code);
      if (kern !== 0) shown += `>${number((-kern * 1000) / font.data.unitsPerEm)}<`;
      shown += code.toString(16).padStart(4, '0');
      left = glyph;
    }
    return `${shown}>`;
  }

  #draw(operators: string): void {
    if (this.#mark === undefined) this.#open('decoration');
    this.#operators.push(operators);
  }

  #open(mark: ContentMark | 'decoration' | undefined): void {
    if (this.#mark !== undefined) this.#operators.push('EMC');
    if (mark === 'decoration') this.#operators.push('/Artifact BMC');
    else if (mark !== undefined) this.#operators.push(`/${mark.role} <</MCID ${mark.id}>> BDC`);
    this.#mark = mark;
  }
}
