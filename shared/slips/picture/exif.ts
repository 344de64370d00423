/** How to rotate or mirror a picture (EXIF 2.3, tag 0x0112). 1 means upright, and is the default. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

const ORIENTATION_TAG = 0x0112;
const ENTRY_LENGTH = 12;

function isOrientation(value: number): value is Orientation {
  return Number.isInteger(value) && value >= 1 && value <= 8;
}

/** Reads the orientation from the content of an EXIF block after its `Exif` header. Never throws. */
export function readOrientation(tiff: Uint8Array): Orientation {
  if (tiff.length < 14) return 1;
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.length);
  const little = view.getUint16(0) === 0x4949;
  const start = view.getUint32(4, little);
  if (start + 2 > tiff.length) return 1;
  const entries = view.getUint16(start, little);
  for (let entry = 0; entry < entries; entry += 1) {
    const at = start + 2 + entry * ENTRY_LENGTH;
    if (at + ENTRY_LENGTH > tiff.length) return 1;
    if (view.getUint16(at, little) === ORIENTATION_TAG) {
      const value = view.getUint16(at + 8, little);
      return isOrientation(value) ? value : 1;
    }
  }
  return 1;
}
