import { writeFileSync } from 'node:fs';
import { APPROVED_DOTS_PER_INCH, APPROVED_PAGES } from './approved.ts';
import { renderPng } from './open-pdf.ts';

/** `node test/slips/approve.ts` draws the approved pages. Look at each page before you commit it. */
for (const { file, draw } of APPROVED_PAGES) {
  writeFileSync(file, await renderPng(await draw(), APPROVED_DOTS_PER_INCH));
  console.log(file);
}
