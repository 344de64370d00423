import { outsideJest } from '../support/outside-jest.ts';
import type { Pixels } from './open-pdf.ts';

/** Loaded outside Jest, which makes each use of a global slow: jsqr reads a million pixels several times. */
const jsqr = outsideJest<typeof import('jsqr')>('jsqr').default;

/** Reads the QR code in the upper half of a page, in colour or as a black-and-white copy. */
export function readQrCode(page: Pixels, inBlackAndWhite: boolean): string | undefined {
  const height = Math.round(page.height / 2);
  const pixels = new Uint8ClampedArray(page.data.subarray(0, page.width * height * 4));
  if (inBlackAndWhite) {
    for (let at = 0; at < pixels.length; at += 1) pixels[at] = (pixels[at] ?? 0) > 140 ? 255 : 0;
  }
  return jsqr(pixels, page.width, height, { inversionAttempts: 'dontInvert' })?.data;
}
