import { deflateSync } from 'node:zlib';
import { type PDFDocument, PDFRawStream, type PDFRef } from 'pdf-lib';

/** Takes half the time of the default level 6, for files that are 2 % larger. */
const LEVEL = 3;

/** Adds a compressed stream to a document. Uses Node's zlib, which is several times faster than pdf-lib's. */
export function addStream(
  document: PDFDocument,
  bytes: Uint8Array,
  entries: Record<string, number | string> = {},
): PDFRef {
  const packed = new Uint8Array(deflateSync(bytes, { level: LEVEL }));
  const dictionary = document.context.obj({ ...entries, Filter: 'FlateDecode', Length: packed.length });
  return document.context.register(PDFRawStream.of(dictionary, packed));
}
