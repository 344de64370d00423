import { degrees, drawSvgPath, rgb } from 'pdf-lib';
import type { Canvas } from '../pdf/canvas.ts';
import { type Box, components, PAGE_HEIGHT_MM, PT_PER_MM } from '../pdf/geometry.ts';
import type { Orientation } from '../picture/exif.ts';
import type { Artwork } from '../theme.ts';

/** A picture that the document holds, by the name that the page calls it. */
export interface PlacedImage {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
}

/** The largest box of these proportions inside (`contain`) or around (`cover`) a frame. */
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

/** Turns the unit square so that a picture stored with this EXIF orientation stands upright. */
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

/** A portrait that is cut at top and bottom loses less above, where the face is. */
const PORTRAIT_UPPER_SHARE = 0.35;

/** Draws an image upright; `cover` fills the frame and needs a clip around it. */
export function drawImage(canvas: Canvas, image: PlacedImage, frame: Box, mode: 'contain' | 'cover'): void {
  const turned = image.orientation >= 5;
  const [width, height] = turned ? [image.height, image.width] : [image.width, image.height];
  const box = scaled(frame, width, height, mode, mode === 'cover' ? PORTRAIT_UPPER_SHARE : 0.5);
  const [sx, sy] = [box.width * PT_PER_MM, box.height * PT_PER_MM];
  const [left, bottom] = [box.x * PT_PER_MM, (PAGE_HEIGHT_MM - box.y - box.height) * PT_PER_MM];
  const [a, b, c, d, e, f] = UPRIGHT[image.orientation];
  canvas.image(image.name, [a * sx, b * sy, c * sx, d * sy, e * sx + left, f * sy + bottom]);
}

/** Draws a theme's artwork inside a frame. `images` holds those that are pictures. */
export function drawArtwork(
  canvas: Canvas,
  artwork: Artwork,
  image: PlacedImage | undefined,
  frame: Box,
  mode: 'contain' | 'cover' = 'contain',
): void {
  if (artwork.kind === 'image') {
    if (image !== undefined) drawImage(canvas, image, frame, mode);
    return;
  }
  const box = scaled(frame, artwork.width, artwork.height, mode, 0.5);
  const [x, y] = [box.x * PT_PER_MM, (PAGE_HEIGHT_MM - box.y) * PT_PER_MM];
  const place = { x, y, scale: (box.width * PT_PER_MM) / artwork.width, rotate: degrees(0) };
  for (const { d, fill, stroke, strokeWidth = 1 } of artwork.paths) {
    const [color, borderColor] = [fill, stroke].map((hex) =>
      hex === undefined ? undefined : rgb(...components(hex)),
    );
    const paint = { color, borderColor, borderWidth: stroke === undefined ? 0 : strokeWidth };
    canvas.operators(
      drawSvgPath(d, { ...place, ...paint })
        .map(String)
        .join('\n'),
    );
  }
}
