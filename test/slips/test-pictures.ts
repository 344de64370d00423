import { crc32, deflateSync } from 'node:zlib';
import { createCanvas } from '@napi-rs/canvas';

/** Generates valid and invalid pictures for tests. */

function chunk(type: string, content: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(content.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

export interface PngOptions {
  readonly width: number;
  readonly height: number;
  readonly depth?: number;
  readonly colourType?: number;
  readonly interlace?: number;
  /** The image data before compression. @default the right number of zeros for a picture without interlacing */
  readonly data?: Uint8Array;
  readonly extra?: readonly Buffer[];
}

const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

export function makePng(options: PngOptions): Buffer {
  const { width, height, depth = 8, colourType = 2, interlace = 0, extra = [] } = options;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colourType, 0, 0, interlace], 8);
  const row = 1 + Math.ceil((width * depth * (SAMPLES[colourType] ?? 1)) / 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...extra,
    chunk('IDAT', deflateSync(options.data ?? Buffer.alloc(row * height))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Returns a text chunk that decompresses to this many bytes. */
export function packedTextChunk(length: number): Buffer {
  return chunk(
    'zTXt',
    Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), deflateSync(Buffer.alloc(length))]),
  );
}

export const QUARTERS = ['#ff0000', '#00ff00', '#0000ff', '#ffff00'] as const;

/** Returns a JPEG of four coloured quarters. `noise` is its share of noise, from 0 to 1. */
export function makeJpeg(width: number, height: number, noise = 0): Buffer {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  for (const [at, colour] of QUARTERS.entries()) {
    context.fillStyle = colour;
    context.fillRect(at === 1 || at === 2 ? width / 2 : 0, at >= 2 ? height / 2 : 0, width / 2, height / 2);
  }
  const pixels = context.getImageData(0, 0, width, height);
  let seed = width * 7919 + height;
  for (let at = 0; at < pixels.data.length; at += 1) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    if (at % 4 !== 3)
      pixels.data[at] = (pixels.data[at] ?? 0) * (1 - noise) + (seed / 2_147_483_648) * 255 * noise;
  }
  context.putImageData(pixels, 0, 0);
  return canvas.toBuffer('image/jpeg', 92);
}

/** Returns the JPEG with a segment added after its start marker. */
export function withSegment(jpeg: Buffer, marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 0xff]);
  return Buffer.concat([jpeg.subarray(0, 2), head, content, jpeg.subarray(2)]);
}

/** Returns the JPEG with an EXIF orientation, in either byte order. */
export function withOrientation(jpeg: Buffer, orientation: number, order: 'II' | 'MM' = 'MM'): Buffer {
  const tiff = Buffer.alloc(26);
  const little = order === 'II';
  const short = (value: number, at: number) =>
    little ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at);
  const long = (value: number, at: number) =>
    little ? tiff.writeUInt32LE(value, at) : tiff.writeUInt32BE(value, at);
  tiff.write(order, 0, 'latin1');
  short(42, 2);
  long(8, 4);
  short(1, 8);
  short(0x0112, 10);
  short(3, 12);
  long(1, 14);
  short(orientation, 18);
  return withSegment(jpeg, 0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]));
}

export function claimingSize(jpeg: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(jpeg);
  const frame = changed.indexOf(Buffer.from([0xff, 0xc0]));
  changed.writeUInt16BE(height, frame + 5);
  changed.writeUInt16BE(width, frame + 7);
  return changed;
}
