import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type jsqrModule from 'jsqr';
import { Canvas } from '../../../shared/pdf/canvas.ts';
import { PT_PER_MM } from '../../../shared/pdf/geometry.ts';
import { drawQr } from '../../../shared/pdf/qr.ts';
import { outsideJest } from '../../support/outside-jest.ts';

/** jsqr is a CommonJS module that exports its function as `default`. */
const jsqr = outsideJest<typeof jsqrModule>('jsqr').default;

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Drawing {
  readonly white: Rectangle;
  readonly bars: readonly Rectangle[];
  readonly module: number;
  readonly left: number;
}

function draw(text: string): Drawing {
  const canvas = new Canvas();
  drawQr(canvas, text, { x: 100, y: 100, symbol: 20 }, '#000000');
  const content = canvas.content();
  const rectangles = [...content.matchAll(/([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re/g)].map((match) => {
    const [x = 0, y = 0, width = 0, height = 0] = match.slice(1).map(Number);
    return { x, y, width, height };
  });
  const [, step, left] = content.match(/([\d.]+) 0 0 [\d.]+ ([\d.]+) [\d.]+ cm/) ?? [];
  const [white = { x: 0, y: 0, width: 0, height: 0 }, ...bars] = rectangles;
  const inMm = ([name, points]: [string, number]) => [name, points / PT_PER_MM];
  return {
    white: Object.fromEntries(Object.entries(white).map(inMm)),
    bars,
    module: Number(step) / PT_PER_MM,
    left: Number(left) / PT_PER_MM,
  };
}

const DOTS = 3;

/** Renders each module as 3 by 3 dots, and reads the code with a different library from the one that drew it. */
function readBack(text: string): string | undefined {
  const { white, bars, module } = draw(text);
  const side = Math.round(white.width / module) * DOTS;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  for (const { x, y, width } of bars) {
    const bottom = side - y * DOTS;
    for (let row = bottom - DOTS; row < bottom; row += 1)
      for (let column = x * DOTS; column < (x + width) * DOTS; column += 1)
        pixels.fill(0, (row * side + column) * 4, (row * side + column) * 4 + 3);
  }
  return jsqr(pixels, side, side)?.data;
}

test('a QR code has the given size and a quiet zone of four modules', () => {
  const { white, bars, module, left } = draw('https://api.example.com/v1/slips/check/x');
  const start = Math.min(...bars.map(({ x }) => x));
  const end = Math.max(...bars.map(({ x, width }) => x + width));
  // 40 characters at level M need version 3, which has 29 modules per side.
  expect([start, end]).toEqual([4, 4 + 29]);
  expect((end - start) * module).toBeCloseTo(20, 1);
  expect(left).toBeCloseTo(white.x, 2);
  expect(white.width).toBeCloseTo(37 * module, 1);
});

test('QR codes of 40 URLs with random tokens of different lengths can be read back', () => {
  const addresses = Array.from({ length: 40 }, (_, index) => {
    const token = randomBytes(20 + index).toString('base64url');
    return `https://api.example.com/v1/slips/check/${token}`;
  });
  expect(addresses.filter((address) => readBack(address) !== address)).toEqual([]);
});
