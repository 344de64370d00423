import type { Canvas, ImageData } from '@napi-rs/canvas';
import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { outsideJest } from '../support/outside-jest.ts';

/**
 * Opens slips and financial documents with pdf.js, which parses them strictly (any fault is an error) and renders them
 * on a canvas.
 */

const { createCanvas, loadImage } = outsideJest<typeof import('@napi-rs/canvas')>('@napi-rs/canvas');
const { getDocument } = outsideJest<typeof import('pdfjs-dist/legacy/build/pdf.mjs')>(
  'pdfjs-dist/legacy/build/pdf.mjs',
);

export interface OpenPdf extends AsyncDisposable {
  readonly pageCount: number;
  readonly page: PDFPageProxy;
  readonly pages: readonly PDFPageProxy[];
  readonly info: Readonly<Record<string, unknown>>;
  readonly isMarked: boolean;
}

export async function openPdf(bytes: Uint8Array): Promise<OpenPdf> {
  const task = getDocument({
    data: Uint8Array.from(bytes),
    stopAtErrors: true,
    disableFontFace: true,
    verbosity: 0,
  });
  const document = await task.promise;
  const { info } = await document.getMetadata();
  // The pdf.js types declare the mark info as an object, but it is a Map.
  const markInfo = (await document.getMarkInfo()) as unknown as ReadonlyMap<string, boolean> | null;
  const page = await document.getPage(1);
  const numbers = Array.from({ length: document.numPages }, (_, index) => index + 1);
  return {
    pageCount: document.numPages,
    page,
    pages: await Promise.all(numbers.map((number) => document.getPage(number))),
    info: Object.fromEntries(Object.entries(info)),
    isMarked: markInfo?.get('Marked') === true,
    [Symbol.asyncDispose]: () => task.destroy(),
  };
}

export async function pageText(bytes: Uint8Array): Promise<string> {
  await using pdf = await openPdf(bytes);
  const contents = await Promise.all(pdf.pages.map((page) => page.getTextContent()));
  return contents
    .flatMap(({ items }) => items)
    .flatMap((item) => ('str' in item && item.str !== '' ? [item.str] : []))
    .join('\n');
}

/** The pixels of an image: 4 bytes each, from the top left. */
export type Pixels = Pick<ImageData, 'data' | 'width' | 'height'>;

async function render(bytes: Uint8Array, dotsPerInch: number): Promise<Canvas> {
  await using pdf = await openPdf(bytes);
  const viewport = pdf.page.getViewport({ scale: dotsPerInch / 72 });
  const canvas = createCanvas(Math.round(viewport.width), Math.round(viewport.height));
  await pdf.page.render({ canvas, viewport }).promise;
  return canvas;
}

function pixelsOf(canvas: Canvas): Pixels {
  return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
}

export async function renderPage(bytes: Uint8Array, dotsPerInch: number): Promise<Pixels> {
  return pixelsOf(await render(bytes, dotsPerInch));
}

export async function renderPng(bytes: Uint8Array, dotsPerInch: number): Promise<Buffer> {
  return (await render(bytes, dotsPerInch)).toBuffer('image/png');
}

export async function readPng(file: string): Promise<Pixels> {
  const image = await loadImage(file);
  const canvas = createCanvas(image.width, image.height);
  canvas.getContext('2d').drawImage(image, 0, 0);
  return pixelsOf(canvas);
}
