import { writeFileSync } from 'node:fs';
import { PNG } from 'pngjs';
import { APPROVED_DOTS_PER_INCH, APPROVED_PAGES } from './approved.ts';
import { renderPage } from './open-pdf.ts';

/** `node test/slips/approve.ts` draws the approved pages. Look at each page before you commit it. */
for (const { file, draw } of APPROVED_PAGES) {
  writeFileSync(file, PNG.sync.write(await renderPage(await draw(), APPROVED_DOTS_PER_INCH)));
  console.log(file);
}
