import { drawArtwork } from '../artwork.ts';
import { type Box, type Canvas, number, PAGE_HEIGHT_MM, PT_PER_MM } from '../canvas.ts';
import type { Sheet } from '../sheet.ts';

/**
 * The premium card's ground: an even change of a pale colour, and on it rows of nested arcs, as resist-dyed cloth
 * has them. A pattern of our own; it copies no official document and stays light enough to print in grey.
 */

const TILE = 10.7;
const RINGS = 4;
const ROUND = 0.5523;

/** Half a ring, open at the bottom, as operators in page points. */
function arc(centreX: number, baseY: number, radius: number): string {
  const point = (dx: number, dy: number): string =>
    `${number((centreX + dx) * PT_PER_MM)} ${number((PAGE_HEIGHT_MM - baseY + dy) * PT_PER_MM)}`;
  const k = radius * ROUND;
  const rise = `${point(-radius, k)} ${point(-k, radius)} ${point(0, radius)} c`;
  const fall = `${point(k, radius)} ${point(radius, k)} ${point(radius, 0)} c`;
  return `${point(-radius, 0)} m ${rise} ${fall}`;
}

function drawArcs(canvas: Canvas, card: Box, colour: string): void {
  const arcs: string[] = [];
  const rowHeight = TILE / 2;
  const rows = Math.ceil(card.height / rowHeight) + 1;
  for (let row = 1; row <= rows; row += 1) {
    const shift = row % 2 === 0 ? 0 : TILE / 2;
    for (let x = -shift; x <= card.width + TILE; x += TILE) {
      for (let ring = 1; ring <= RINGS; ring += 1) {
        arcs.push(arc(card.x + x, card.y + row * rowHeight, (TILE / 2 / RINGS) * ring * 0.94));
      }
    }
  }
  canvas.path(arcs.join('\n'), { stroke: colour, lineWidth: 0.09 });
}

export function drawPremiumGround({ canvas, theme, images }: Sheet, card: Box): void {
  const { artwork, colours } = theme;
  const [from, to, pattern] = colours.ground;
  canvas.wash(card, from, to);
  if (artwork.premiumGround === null) drawArcs(canvas, card, pattern);
  else drawArtwork(canvas, artwork.premiumGround, images.premiumGround, card, 'cover');
}
