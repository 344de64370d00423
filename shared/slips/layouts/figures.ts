import type { Canvas } from '../../pdf/canvas.ts';
import type { Box } from '../../pdf/geometry.ts';
import { drawQr, type QrPosition } from '../../pdf/qr.ts';
import { drawArtwork, drawImage } from './artwork.ts';
import type { Sheet } from './sheet.ts';
import { drawPhotoBand } from './specimen.ts';

/** The figures on a slip: photo, QR code and emblem. */

/** Draws the photo, cropped to its frame, or a silhouette if there is none. */
export function drawPhoto({ canvas, theme, photo, specimen }: Sheet, frame: Box, radius: number): void {
  const { tint, line, muted } = theme.colours;
  const alt = photo === undefined ? theme.wording.noPhotoAlt : theme.wording.photoAlt;
  const draw = (): void => {
    canvas.within({ clip: { ...frame, radius } }, () => {
      canvas.rectangle(frame, { fill: tint });
      if (photo !== undefined) drawImage(canvas, photo, frame, 'cover');
      else drawSilhouette(canvas, frame, line);
      if (specimen) drawPhotoBand(canvas, frame);
    });
  };
  canvas.tagged('Figure', draw, alt);
  canvas.rectangle(frame, { stroke: photo === undefined ? line : muted, lineWidth: 0.15 }, radius);
}

function drawSilhouette(canvas: Canvas, frame: Box, colour: string): void {
  const centre = frame.x + frame.width / 2;
  const unit = Math.min(frame.width, frame.height * 0.8);
  canvas.circle(centre, frame.y + frame.height * 0.4, unit * 0.2, { fill: colour });
  const shoulders = {
    x: centre - unit * 0.36,
    y: frame.y + frame.height * 0.68,
    width: unit * 0.72,
    height: unit,
  };
  canvas.rectangle(shoulders, { fill: colour }, unit * 0.3);
}

/** Draws the QR code that opens the check page. */
export function drawCheckCode({ canvas, theme, checkUrl }: Sheet, position: QrPosition): void {
  const alt = `${theme.wording.qrAlt}: ${checkUrl}`;
  canvas.tagged('Figure', () => drawQr(canvas, checkUrl, position, theme.colours.ink), alt);
}

export function drawEmblem({ canvas, theme, images }: Sheet, frame: Box): void {
  drawArtwork(canvas, theme.artwork.emblem, images.emblem, frame);
}
