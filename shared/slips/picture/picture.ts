import type { Orientation } from './exif.ts';

/** A picture that has been checked, and from which all other data has been removed. */
export interface Picture {
  readonly kind: 'jpeg' | 'png';
  /** Not a view into a shared buffer: pdf-lib 1.17.1 would read bytes outside the view. */
  readonly bytes: Uint8Array;
  /** In pixels as stored, before the orientation is applied. */
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
  /** Whether the values of four colours are amounts of ink, and not inverted as Adobe writes them. */
  readonly isPlainCmyk?: boolean;
}

export const MAX_PICTURE_BYTES = 1_048_576;
const MAX_PICTURE_SIDE = 2_000;

export function isSmallEnough({ width, height }: { readonly width: number; readonly height: number }) {
  return Math.min(width, height) > 0 && Math.max(width, height) <= MAX_PICTURE_SIDE;
}
