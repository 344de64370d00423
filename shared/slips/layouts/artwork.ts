import { degrees, drawSvgPath, rgb } from 'pdf-lib';
import type { Canvas } from '../../pdf/canvas.ts';
import { type Box, components, PAGE_HEIGHT_MM, PT_PER_MM } from '../../pdf/geometry.ts';
import type { Orientation } from '../picture/exif.ts';
import type { Artwork } from '../theme.ts';

/** An image embedded in the PDF, with its name in the page's operators. */
export interface EmbeddedImage {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
}

/** Returns the largest box of these proportions inside a frame (`contain`), or the smallest around it (`cover`). */
function scaled(
  frame: Box,
  width: number,
  height: number,
  mode: 'contain' | 'cover',
  upperShare: number,
): Box {
  const [byWidth, byHeight] = [frame.width / width, frame.height / height];
  const scale = mode === 'contain' ? Math.min(byWidth, byHeight) : Math.max(byWidth, byHeight);
  const size = { width: width * scale, height: height * scale };
  return {
    x: frame.x + (frame.width - size.width) / 2,
    y: frame.y + (frame.height - size.height) * upperShare,
    ...size,
  };
}

/** The matrix that turns a picture with this EXIF orientation upright. */
const UPRIGHT: Readonly<Record<Orientation, readonly [number, number, number, number, number, number]>> = {
  1: [1, 0, 0, 1, 0, 0],
  2: [-1, 0, 0, 1, 1, 0],
  3: [-1, 0, 0, -1, 1, 1],
  4: [1, 0, 0, -1, 0, 1],
  5: [0, -1, -1, 0, 1, 1],
  6: [0, -1, 1, 0, 0, 1],
  7: [0, 1, 1, 0, 0, 0],
  8: [0, 1, -1, 0, 1, 0],
};

/** The share of the cropping at the top: less than half, because the face is near the top. */
const PORTRAIT_UPPER_SHARE = 0.35;

/** Draws an image upright. `cover` fills the frame and needs a clip around it. */
export function drawImage(canvas: Canvas, image: EmbeddedImage, frame: Box, mode: 'contain' | 'cover'): void {
  const turned = image.orientation >= 5;
  const [width, height] = turned ? [image.height, image.width] : [image.width, image.height];
  const box = scaled(frame, width, height, mode, mode === 'cover' ? PORTRAIT_UPPER_SHARE : 0.5);
  const [sx, sy] = [box.width * PT_PER_MM, box.height * PT_PER_MM];
  const [left, bottom] = [box.x * PT_PER_MM, (PAGE_HEIGHT_MM - box.y - box.height) * PT_PER_MM];
  const [a, b, c, d, e, f] = UPRIGHT[image.orientation];
  canvas.image(image.name, [a * sx, b * sy, c * sx, d * sy, e * sx + left, f * sy + bottom]);
}

/** Draws a theme's artwork in a frame. `image` is the embedded image, if the artwork is one. */
export function drawArtwork(
  canvas: Canvas,
  artwork: Artwork,
  image: EmbeddedImage | undefined,
  frame: Box,
  mode: 'contain' | 'cover' = 'contain',
): void {
  if (artwork.kind === 'image') {
    if (image !== undefined) drawImage(canvas, image, frame, mode);
    return;
  }
  const box = scaled(frame, artwork.width, artwork.height, mode, 0.5);
  const [x, y] = [box.x * PT_PER_MM, (PAGE_HEIGHT_MM - box.y) * PT_PER_MM];
  const position = { x, y, scale: (box.width * PT_PER_MM) / artwork.width, rotate: degrees(0) };
  for (const { d, fill, stroke, strokeWidth = 1 } of artwork.paths) {
    const [color, borderColor] = [fill, stroke].map((hex) =>
      hex === undefined ? undefined : rgb(...components(hex)),
    );
    const paint = { color, borderColor, borderWidth: stroke === undefined ? 0 : strokeWidth };
    canvas.operators(
      drawSvgPath(d, { ...position, ...paint })
        .map(String)
        .join('\n'),
    );
  }
}
