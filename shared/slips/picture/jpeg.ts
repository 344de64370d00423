import { type Orientation, readOrientation } from './exif.ts';
import type { Picture } from './picture.ts';

/**
 * Reads the segments of a JPEG (ITU T.81 annex B) without decoding it, and keeps only those that the picture needs.
 * Everything else is removed: EXIF data such as a GPS position, comments, profiles and appended data.
 */

const START = 0xd8;
const END = 0xd9;
const SCAN = 0xda;
const ADOBE = 0xee;
const EXIF = 0xe1;
/** The encodings that PDF readers can decode: baseline, extended and progressive Huffman. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2]);
/** Huffman and quantisation tables, restart interval, and Adobe's colour transform. */
const KEPT = new Set([0xc4, 0xdb, 0xdd, 0xee]);
const isStandalone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);

interface Segments {
  readonly kept: Uint8Array[];
  size: { width: number; height: number } | undefined;
  orientation: Orientation;
  hasScan: boolean;
  hasFourColours: boolean;
  hasAdobeMarker: boolean;
}

/** Returns the end of a scan's data: the next marker other than stuffing, fill and restart. -1 if there is none. */
function scanEnd(bytes: Uint8Array, from: number): number {
  let at = bytes.indexOf(0xff, from);
  while (at >= 0 && at + 1 < bytes.length) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && !isStandalone(next)) return at;
    at = bytes.indexOf(0xff, at + 1);
  }
  return -1;
}

/** Reads the size from a frame header. Returns false if a slip cannot embed the picture. */
function readFrame(segment: Uint8Array, segments: Segments): boolean {
  const [, , , , precision, h1 = 0, h0 = 0, w1 = 0, w0 = 0, components = 0] = segment;
  if (segments.size !== undefined || precision !== 8 || ![1, 3, 4].includes(components)) return false;
  segments.size = { width: w1 * 256 + w0, height: h1 * 256 + h0 };
  segments.hasFourColours = components === 4;
  return true;
}

/** Processes one segment. Returns false if a slip cannot embed the picture. */
function takeSegment(marker: number, segment: Uint8Array, segments: Segments): boolean {
  if (marker === EXIF && Buffer.from(segment.subarray(4, 10)).toString('latin1') === 'Exif\0\0') {
    segments.orientation = readOrientation(segment.subarray(10));
  }
  if (marker === ADOBE && Buffer.from(segment.subarray(4, 9)).toString('latin1') === 'Adobe')
    segments.hasAdobeMarker = true;
  const isFrame = FRAMES.has(marker);
  if (isFrame && !readFrame(segment, segments)) return false;
  const otherFrame = marker >= 0xc0 && marker <= 0xcf && !isFrame && !KEPT.has(marker);
  if (isFrame || KEPT.has(marker) || marker === SCAN) segments.kept.push(segment);
  return !otherFrame;
}

/** Returns the picture without other data, or undefined if the file is not a complete JPEG that a slip can embed. */
export function readJpeg(bytes: Uint8Array): Picture | undefined {
  const segments: Segments = {
    kept: [bytes.subarray(0, 2)],
    size: undefined,
    orientation: 1,
    hasScan: false,
    hasFourColours: false,
    hasAdobeMarker: false,
  };
  let at = 2;
  while (at + 4 <= bytes.length || bytes[at + 1] === END) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff || marker === START) return undefined;
    if (marker === END) {
      if (segments.size === undefined || !segments.hasScan) return undefined;
      segments.kept.push(bytes.subarray(at, at + 2));
      const { size, orientation, hasFourColours, hasAdobeMarker } = segments;
      // Four colours are CMYK without inversion (ITU-T T.872, 6.1). Only Adobe, which adds its marker, inverts them.
      const isPlainCmyk = hasFourColours && !hasAdobeMarker;
      const kept = new Uint8Array(Buffer.concat(segments.kept));
      return { kind: 'jpeg', bytes: kept, ...size, orientation, isPlainCmyk };
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
      segments.hasScan = true;
      if (end < 0 || segments.size === undefined) return undefined;
    }
    if (!takeSegment(marker, bytes.subarray(at, end), segments)) return undefined;
    at = end;
  }
  return undefined;
}
