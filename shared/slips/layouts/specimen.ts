import type { Canvas } from '../../pdf/canvas.ts';
import { SEMIBOLD } from '../../pdf/font.ts';
import { type Box, PAGE_HEIGHT_MM, PT_PER_MM } from '../../pdf/geometry.ts';
import type { Sheet } from './sheet.ts';

/**
 * The marks on slips of test keys. They remain visible when printed in grey, and when the slip is cut out of its page.
 */

const SPECIMEN = 'SPECIMEN';
const TRACKING = 0.06;
const PALE = '#f0c9c9';
const STRONG = '#a32929';

/** Draws the large mark under the content, so that text stays legible and the QR code can be scanned. */
export function drawSpecimen({ canvas, specimen }: Sheet, box: Box): void {
  if (!specimen) return;
  const angle = Math.atan2(box.height, box.width) * 0.75;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const width = SEMIBOLD.width(SPECIMEN, 1, TRACKING);
  const sizePt = (box.width * 0.84 * PT_PER_MM) / width;
  const x = (box.x + box.width / 2) * PT_PER_MM;
  const y = (PAGE_HEIGHT_MM - box.y - box.height / 2) * PT_PER_MM;
  const trackingPt = sizePt * TRACKING;
  const style = { font: SEMIBOLD, sizePt, align: 'centre', trackingPt, colour: PALE } as const;
  canvas.within({ matrix: [cos, sin, -sin, cos, x, y] }, () => {
    canvas.text(SPECIMEN, { x: 0, y: PAGE_HEIGHT_MM + (sizePt * 0.36) / PT_PER_MM }, style);
  });
}

/** Draws the mark in a bar, which screen readers read. `right` and `y` are its top right corner. */
export function drawSpecimenBar({ canvas, specimen }: Sheet, right: number, y: number): void {
  if (!specimen) return;
  const style = { font: SEMIBOLD, sizePt: 8, trackingPt: 1, colour: '#ffffff' } as const;
  const width = SEMIBOLD.width(SPECIMEN, style.sizePt, style.trackingPt) / PT_PER_MM + 5;
  canvas.rectangle({ x: right - width, y, width, height: 4.8 }, { fill: STRONG }, 1);
  canvas.tagged('P', () => canvas.text(SPECIMEN, { x: right - width + 2.5, y: y + 3.4 }, style));
}

/** Draws the mark in a band at the bottom of the photo, so that a card that was cut out also has a strong mark. */
export function drawPhotoBand(canvas: Canvas, frame: Box): void {
  const height = frame.width * 0.17;
  const [x, bottom] = [frame.x + frame.width / 2, frame.y + frame.height];
  canvas.rectangle({ ...frame, y: bottom - height, height }, { fill: STRONG });
  const sizePt = frame.width * 0.3;
  const style = {
    font: SEMIBOLD,
    sizePt,
    trackingPt: sizePt * 0.1,
    align: 'centre',
    colour: '#ffffff',
  } as const;
  canvas.text(SPECIMEN, { x, y: bottom - height * 0.31 }, style);
}
