import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawDocument } from '../../shared/payments/documents/pdf/draw-document.ts';
import { renderPng } from '../slips/open-pdf.ts';
import { USUAL } from './samples.ts';

/** `node test/documents/approve.ts` draws the pictures in docs/finance/documents. Look at each one before you commit it. */

export const DOTS_PER_INCH = 80;

export const pictureOf = (name: string) =>
  join(import.meta.dirname, '../../docs/finance/documents', `${name}.png`);

if (import.meta.main) {
  for (const { name, document } of USUAL) {
    writeFileSync(pictureOf(name), await renderPng(await drawDocument(document), DOTS_PER_INCH));
    console.log(pictureOf(name));
  }
}
