/** The types of fontkit that the tests use. fontkit reads font files independently of our code. */
declare module 'fontkit' {
  export interface BoundingBox {
    readonly minX: number;
    readonly minY: number;
    readonly maxX: number;
    readonly maxY: number;
  }

  export function create(file: Buffer): {
    readonly numGlyphs: number;
    getGlyph(code: number): { readonly advanceWidth: number; readonly bbox: BoundingBox };
  };
}
