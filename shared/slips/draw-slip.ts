import type { PDFDocument, PDFRef } from 'pdf-lib';
import type { SlipType } from '../core/slip-types.ts';
import { Canvas } from '../pdf/canvas.ts';
import { emptyDocument, writeDocument } from '../pdf/document.ts';
import { DEFAULT_THEME } from './default-theme.ts';
import type { EmbeddedImage } from './layouts/artwork.ts';
import { drawImproved } from './layouts/improved.ts';
import { drawPremium } from './layouts/premium.ts';
import { drawRegular } from './layouts/regular.ts';
import type { Sheet } from './layouts/sheet.ts';
import { embedPicture, readPicture } from './picture/photo.ts';
import { type SlipRecord, slipValues } from './slip.ts';
import type { SlipTheme } from './theme.ts';

export interface SlipInput {
  readonly slipType: SlipType;
  readonly record: SlipRecord;
  /** The address in the QR code: the service's HTTPS address with a slip token. */
  readonly checkUrl: string;
  readonly generatedAt: Date;
  readonly requestId: string;
  /** True for test keys. The slip is then visibly marked SPECIMEN. */
  readonly specimen: boolean;
  /**
   * Whether the details that were sent with the request matched the registry's record. The slip then states this.
   * @default false
   */
  readonly detailsConfirmed?: boolean | undefined;
  readonly theme?: SlipTheme;
}

const LAYOUTS: Readonly<Record<SlipType, (sheet: Sheet) => void>> = {
  regular: drawRegular,
  improved: drawImproved,
  premium: drawPremium,
};

/** Embeds pictures under the names that the page uses. Leaves out pictures that cannot be embedded. */
class ImageEmbedder {
  readonly refs: Record<string, PDFRef> = {};
  readonly #document: PDFDocument;

  constructor(document: PDFDocument) {
    this.#document = document;
  }

  async add(name: string, base64: string): Promise<EmbeddedImage | undefined> {
    const picture = readPicture(base64);
    const ref = picture === undefined ? undefined : await embedPicture(this.#document, picture);
    if (picture === undefined || ref === undefined) return undefined;
    this.refs[name] = ref;
    const { width, height, orientation } = picture;
    return { name, width, height, orientation };
  }
}

async function addThemeImages(embedder: ImageEmbedder, theme: SlipTheme): Promise<Sheet['images']> {
  const images: Record<string, EmbeddedImage> = {};
  for (const [name, artwork] of Object.entries(theme.artwork)) {
    const image = artwork?.kind === 'image' ? await embedder.add(`Art${name}`, artwork.base64) : undefined;
    if (image !== undefined) images[name] = image;
  }
  return images;
}

/**
 * Draws a slip as a PDF of one A4 page. The same input always gives the same bytes. Never fails because of a record:
 * characters that cannot be drawn become boxes, and an unreadable photo becomes a silhouette.
 */
export async function drawSlip(input: SlipInput): Promise<Uint8Array> {
  const { slipType, record, checkUrl, generatedAt, specimen, theme = DEFAULT_THEME } = input;
  const document = await emptyDocument();
  const embedder = new ImageEmbedder(document);
  const canvas = new Canvas();
  const sheet: Sheet = {
    canvas,
    slipType,
    values: slipValues(record, generatedAt, input.requestId),
    theme,
    checkUrl,
    photo: await embedder.add('Photo', record.photo),
    images: await addThemeImages(embedder, theme),
    specimen,
    detailsConfirmed: input.detailsConfirmed ?? false,
  };
  LAYOUTS[slipType](sheet);
  const title = `${theme.wording.title} (${theme.wording.names[slipType]})`;
  return writeDocument(document, [canvas], {
    title,
    language: theme.language,
    generatedAt,
    images: embedder.refs,
  });
}
