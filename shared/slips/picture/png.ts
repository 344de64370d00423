import { crc32, inflateSync } from 'node:zlib';
import { type Orientation, readOrientation } from './exif.ts';
import { isSmallEnough, type Picture } from './picture.ts';

/**
 * Reads the chunks of a PNG (PNG specification, 3rd edition) and keeps only those that the picture needs. The image
 * data is first decompressed here, into a buffer of limited size, because image data or text can decompress to a
 * thousand times its size.
 */

const SIGNATURE_LENGTH = 8;
const KEPT = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
/** Samples per pixel and allowed bit depths by colour type. */
const COLOUR_TYPES: Readonly<Record<number, readonly [samples: number, depths: readonly number[]]>> = {
  0: [1, [1, 2, 4, 8, 16]],
  2: [3, [8, 16]],
  3: [1, [1, 2, 4, 8]],
  4: [2, [8, 16]],
  6: [4, [8, 16]],
};
/** The first column, the first row, and the steps between columns and rows. `PASSES` are the passes of Adam7. */
const WHOLE = [[0, 0, 1, 1]] as const;
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

interface Header {
  readonly width: number;
  readonly height: number;
  readonly bitsPerPixel: number;
  readonly interlaced: boolean;
}

function readHeader(chunk: Buffer): Header | undefined {
  const [samples, depths] = COLOUR_TYPES[chunk[9] ?? -1] ?? [0, []];
  const depth = chunk[8] ?? 0;
  const interlace = chunk[12] ?? 2;
  if (chunk.length !== 13 || !depths.includes(depth) || interlace > 1) return undefined;
  return {
    width: chunk.readUInt32BE(0),
    height: chunk.readUInt32BE(4),
    bitsPerPixel: samples * depth,
    interlaced: interlace === 1,
  };
}

/** Returns the exact number of bytes that the image data must decompress to. */
function decompressedLength({ width, height, bitsPerPixel, interlaced }: Header): number {
  let length = 0;
  for (const [left, top, stepX, stepY] of interlaced ? PASSES : WHOLE) {
    const columns = Math.ceil((width - left) / stepX);
    const rows = Math.ceil((height - top) / stepY);
    if (columns > 0 && rows > 0) length += rows * (1 + Math.ceil((columns * bitsPerPixel) / 8));
  }
  return length;
}

function isComplete(data: Uint8Array, header: Header): boolean {
  const expected = decompressedLength(header);
  try {
    return inflateSync(data, { maxOutputLength: expected }).length === expected;
  } catch {
    return false;
  }
}

/** Returns the picture without other data, or undefined if the file is not a complete PNG within the limits. */
export function readPng(bytes: Uint8Array): Picture | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const kept: Buffer[] = [file.subarray(0, SIGNATURE_LENGTH)];
  const data: Buffer[] = [];
  let header: Header | undefined;
  let orientation: Orientation = 1;
  for (let at = SIGNATURE_LENGTH; at + 12 <= file.length; ) {
    const length = file.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > file.length || crc32(file.subarray(at + 4, end - 4)) !== file.readUInt32BE(end - 4))
      return undefined;
    const type = file.toString('latin1', at + 4, at + 8);
    const content = file.subarray(at + 8, end - 4);
    if ((at === SIGNATURE_LENGTH) !== (type === 'IHDR')) return undefined;
    if (type === 'IHDR') header = readHeader(content);
    if (header === undefined || !isSmallEnough(header)) return undefined;
    if (type === 'eXIf') orientation = readOrientation(content);
    if (type === 'IDAT') data.push(content);
    if (KEPT.has(type)) kept.push(file.subarray(at, end));
    if (type === 'IEND') {
      const { width, height } = header;
      const picture = new Uint8Array(Buffer.concat(kept));
      return isComplete(Buffer.concat(data), header)
        ? { kind: 'png', bytes: picture, width, height, orientation }
        : undefined;
    }
    at = end;
  }
  return undefined;
}
