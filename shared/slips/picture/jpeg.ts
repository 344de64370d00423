import { type Orientation, readOrientation } from './exif.ts';
import type { Picture } from './picture.ts';

/**
 * Reads a JPEG's segments (ITU T.81 annex B) without decoding it, and puts it together again from those that make
 * the picture: whatever else the file carried (EXIF with its place, comments, profiles, appended data) stays out.
 */

const START = 0xd8;
const END = 0xd9;
const SCAN = 0xda;
const EXIF = 0xe1;
/** Baseline, extended and progressive Huffman: what PDF readers decode. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2]);
/** Huffman and quantisation tables, restart interval, and Adobe's colour transform. */
const KEPT = new Set([0xc4, 0xdb, 0xdd, 0xee]);
const isStandalone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);

interface Parts {
  readonly kept: Uint8Array[];
  size: { width: number; height: number } | undefined;
  orientation: Orientation;
  hasScan: boolean;
}

/** The end of a scan's coded data: the next marker that is neither stuffing, fill nor restart. */
function scanEnd(bytes: Uint8Array, from: number): number {
  let at = bytes.indexOf(0xff, from);
  while (at >= 0 && at + 1 < bytes.length) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && !isStandalone(next)) return at;
    at = bytes.indexOf(0xff, at + 1);
  }
  return -1;
}

/** Height, width and components of a frame; false for what a slip does not embed. */
function readFrame(segment: Uint8Array, parts: Parts): boolean {
  const [, , , , precision, h1 = 0, h0 = 0, w1 = 0, w0 = 0, components = 0] = segment;
  if (parts.size !== undefined || precision !== 8 || ![1, 3, 4].includes(components)) return false;
  parts.size = { width: w1 * 256 + w0, height: h1 * 256 + h0 };
  return true;
}

/** Takes one segment in; false if the file is not a picture that a slip embeds. */
function takeSegment(marker: number, segment: Uint8Array, parts: Parts): boolean {
  if (marker === EXIF && Buffer.from(segment.subarray(4, 10)).toString('latin1') === 'Exif\0\0') {
    parts.orientation = readOrientation(segment.subarray(10));
  }
  const isFrame = FRAMES.has(marker);
  if (isFrame && !readFrame(segment, parts)) return false;
  const otherFrame = marker >= 0xc0 && marker <= 0xcf && !isFrame && !KEPT.has(marker);
  if (isFrame || KEPT.has(marker) || marker === SCAN) parts.kept.push(segment);
  return !otherFrame;
}

/** The picture and nothing else; undefined for what is no whole JPEG. */
export function readJpeg(bytes: Uint8Array): Picture | undefined {
  const parts: Parts = { kept: [bytes.subarray(0, 2)], size: undefined, orientation: 1, hasScan: false };
  let at = 2;
  while (at + 4 <= bytes.length || bytes[at + 1] === END) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff || marker === START) return undefined;
    if (marker === END) {
      if (parts.size === undefined || !parts.hasScan) return undefined;
      parts.kept.push(bytes.subarray(at, at + 2));
      const { size, orientation } = parts;
      return { kind: 'jpeg', bytes: new Uint8Array(Buffer.concat(parts.kept)), ...size, orientation };
    }
    if (marker === 0xff || isStandalone(marker)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    const length = (bytes[at + 2] ?? 0) * 256 + (bytes[at + 3] ?? 0);
    let end = at + 2 + length;
    if (length < 2 || end > bytes.length) return undefined;
    if (marker === SCAN) {
      end = scanEnd(bytes, end);
      parts.hasScan = true;
      if (end < 0 || parts.size === undefined) return undefined;
    }
    if (!takeSegment(marker, bytes.subarray(at, end), parts)) return undefined;
    at = end;
  }
  return undefined;
}
