import type { Pixels } from './open-pdf.ts';

/** Compares a rendered page with its approved picture. */

/** How much a colour channel may differ: platforms render edges slightly differently. */
const CHANNEL_TOLERANCE = 40;
const TILE = 24;
/** The share of pixels in a tile that may differ by more than CHANNEL_TOLERANCE. */
export const TILE_TOLERANCE = 0.025;

/** Returns the share of differing pixels in the tile that differs most. One changed letter covers much of a tile. */
export function worstTile(left: Pixels, right: Pixels): number {
  const [a, b] = [left.data, right.data];
  // Jest makes each use of a global slow, and this loop runs for a million pixels.
  const { abs, floor } = Math;
  const differs = (at: number) => abs((a[at] ?? 0) - (b[at] ?? 0)) > CHANNEL_TOLERANCE;
  const columns = Math.ceil(left.width / TILE);
  const differing = new Map<number, number>();
  for (let pixel = 0; pixel * 4 < a.length; pixel += 1) {
    const at = pixel * 4;
    if (!differs(at) && !differs(at + 1) && !differs(at + 2)) continue;
    const [column, row] = [pixel % left.width, floor(pixel / left.width)];
    const tile = floor(row / TILE) * columns + floor(column / TILE);
    differing.set(tile, (differing.get(tile) ?? 0) + 1);
  }
  return Math.max(0, ...differing.values()) / (TILE * TILE);
}
