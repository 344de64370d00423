import { expect, test } from '@jest/globals';
import { Canvas } from '../../../shared/slips/pdf/canvas.ts';
import { PT_PER_MM } from '../../../shared/slips/pdf/geometry.ts';
import { drawQr } from '../../../shared/slips/pdf/qr.ts';

test('a QR code has the given size and a quiet zone of four modules', () => {
  const canvas = new Canvas();
  drawQr(canvas, 'https://api.example.com/v1/slips/check/x', { x: 100, y: 100, symbol: 20 }, '#000000');
  const boxes = [...canvas.content().matchAll(/([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re/g)].map((match) =>
    match.slice(1).map((value) => Number(value) / PT_PER_MM),
  );
  const [[white = 0, , side = 0] = [], ...bars] = boxes;
  const left = Math.min(...bars.map(([x = 0]) => x));
  const right = Math.max(...bars.map(([x = 0, , width = 0]) => x + width));
  // 40 characters at level M need version 3, which has 29 modules.
  expect(right - left).toBeCloseTo(20, 1);
  expect(left - white).toBeCloseTo((4 * 20) / 29, 1);
  expect(white + side - right).toBeCloseTo((4 * 20) / 29, 1);
});
