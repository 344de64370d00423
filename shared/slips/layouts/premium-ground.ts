import type { Canvas } from '../../pdf/canvas.ts';
import { type Box, number, PAGE_HEIGHT_MM, PT_PER_MM } from '../../pdf/geometry.ts';
import { drawArtwork } from './artwork.ts';
import type { Sheet } from './sheet.ts';

/**
 * The background of the premium card: a pale gradient with rows of nested arcs, as on resist-dyed cloth. The pattern is
 * original, imitates no official document and is light enough to print in grey.
 */

const TILE = 10.7;
const RINGS = 4;
const ROUND = 0.5523;

/** Returns the operators for the upper half of a ring around the origin, in points. */
function arc(radius: number): string {
  const k = radius * ROUND;
  const point = (x: number, y: number): string => `${number(x * PT_PER_MM)} ${number(y * PT_PER_MM)}`;
  const rise = `${point(-radius, k)} ${point(-k, radius)} ${point(0, radius)} c`;
  const fall = `${point(k, radius)} ${point(radius, k)} ${point(radius, 0)} c`;
  return `${point(-radius, 0)} m ${rise} ${fall}`;
}

/** Repeats the same operators for each tile. Compressed, they take almost no space. */
function drawArcs(canvas: Canvas, card: Box, colour: string): void {
  const rings = Array.from({ length: RINGS }, (_, ring) =>
    arc(((TILE / 2) * (ring + 1) * 0.94) / RINGS),
  ).join('\n');
  const rowHeight = TILE / 2;
  const rows = Math.ceil(card.height / rowHeight);
  for (let row = 1; row <= rows; row += 1) {
    const shift = row % 2 === 0 ? 0 : TILE / 2;
    for (let x = -shift; x <= card.width + TILE / 2; x += TILE) {
      const [left, base] = [card.x + x, PAGE_HEIGHT_MM - card.y - row * rowHeight];
      canvas.within({ matrix: [1, 0, 0, 1, left * PT_PER_MM, base * PT_PER_MM] }, () => {
        canvas.path(rings, { stroke: colour, lineWidth: 0.09 });
      });
    }
  }
}

/** Draws the background of the premium card: a gradient under the theme's artwork or, without artwork, under arcs. */
export function drawPremiumGround({ canvas, theme, images }: Sheet, card: Box): void {
  const { artwork, colours } = theme;
  const [from, to, pattern] = colours.ground;
  canvas.gradient(card, from, to);
  if (artwork.premiumGround === null) drawArcs(canvas, card, pattern);
  else drawArtwork(canvas, artwork.premiumGround, images.premiumGround, card, 'cover');
}
