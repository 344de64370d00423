import { type PDFDocument, PDFName, type PDFRef, PDFStream } from 'pdf-lib';
import { readJpeg } from './jpeg.ts';
import { isSmallEnough, MAX_PICTURE_BYTES, type Picture } from './picture.ts';
import { readPng } from './png.ts';

/** Checks and embeds photos. Without a usable photo, a slip shows a silhouette. */

const JPEG_START = 'ffd8ff';
const PNG_START = '89504e470d0a1a0a';

/** Reads a picture and checks its format and size. Returns undefined if a slip cannot show it. Never throws. */
export function readPicture(base64: string): Picture | undefined {
  if (base64.length > Math.ceil(MAX_PICTURE_BYTES / 3) * 4) return undefined;
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > MAX_PICTURE_BYTES) return undefined;
  const start = bytes.toString('hex', 0, 8);
  const picture = start.startsWith(JPEG_START)
    ? readJpeg(bytes)
    : start === PNG_START
      ? readPng(bytes)
      : undefined;
  return picture !== undefined && isSmallEnough(picture) ? picture : undefined;
}

/** Embeds a checked picture. Returns undefined if the library nevertheless rejects it. */
export async function embedPicture(document: PDFDocument, picture: Picture): Promise<PDFRef | undefined> {
  try {
    const image =
      picture.kind === 'jpeg'
        ? await document.embedJpg(picture.bytes)
        : await document.embedPng(picture.bytes);
    await image.embed();
    // pdf-lib inverts the values of all JPEGs with four colours, like most software. Plain ones would be almost black.
    if (picture.isPlainCmyk) document.context.lookup(image.ref, PDFStream).dict.delete(PDFName.of('Decode'));
    return image.ref;
  } catch {
    return undefined;
  }
}
