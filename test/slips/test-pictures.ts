import { crc32, deflateSync } from 'node:zlib';
import { createCanvas } from '@napi-rs/canvas';

/** Pictures that tests make themselves: good ones, and each kind of bad one. */

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
  /** The image data before packing; absent: zeros of the right length for a picture that is not interlaced. */
  readonly data?: Uint8Array;
  /** Chunks between the header and the data. */
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

/** A text chunk whose content unpacks to this many bytes. */
export function packedTextChunk(length: number): Buffer {
  return chunk(
    'zTXt',
    Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), deflateSync(Buffer.alloc(length))]),
  );
}

/** The quarters of the picture, clockwise from the top left. */
export const QUARTERS = ['#ff0000', '#00ff00', '#0000ff', '#ffff00'] as const;

/** A JPEG of four coloured quarters, with as much noise as asked for. */
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

/** The JPEG with a segment after its start. */
export function withSegment(jpeg: Buffer, marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 0xff]);
  return Buffer.concat([jpeg.subarray(0, 2), head, content, jpeg.subarray(2)]);
}

/** The JPEG with an EXIF block that gives its orientation, in either order of bytes. */
export function withOrientation(jpeg: Buffer, orientation: number, order: 'II' | 'MM' = 'MM'): Buffer {
  const tiff = Buffer.alloc(26);
  const little = order === 'II';
  const word = (value: number, at: number) =>
    little ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at);
  const long = (value: number, at: number) =>
    little ? tiff.writeUInt32LE(value, at) : tiff.writeUInt32BE(value, at);
  tiff.write(order, 0, 'latin1');
  word(42, 2);
  long(8, 4);
  word(1, 8);
  word(0x0112, 10);
  word(3, 12);
  long(1, 14);
  word(orientation, 18);
  return withSegment(jpeg, 0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]));
}

/** Changes the size that a JPEG's frame header claims. */
export function claimingSize(jpeg: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(jpeg);
  const frame = changed.indexOf(Buffer.from([0xff, 0xc0]));
  changed.writeUInt16BE(height, frame + 5);
  changed.writeUInt16BE(width, frame + 7);
  return changed;
}
