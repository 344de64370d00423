import type { Orientation } from './exif.ts';

/** A picture that has been checked without decoding it, and holds nothing but the picture. */
export interface Picture {
  readonly kind: 'jpeg' | 'png';
  /** A fresh array of its own: pdf-lib 1.17.1 reads the bytes before a view into a shared buffer. */
  readonly bytes: Uint8Array;
  /** Pixels as stored, before the orientation is applied. */
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
}

export const MAX_PICTURE_BYTES = 1_048_576;
export const MAX_PICTURE_SIDE = 2_000;

export function isSmallEnough({
  width,
  height,
}: {
  readonly width: number;
  readonly height: number;
}): boolean {
  return Math.min(width, height) > 0 && Math.max(width, height) <= MAX_PICTURE_SIDE;
}
