import { writeFileSync } from 'node:fs';
import { PNG } from 'pngjs';
import { APPROVED_DOTS_PER_INCH, APPROVED_PAGES } from './approved.ts';
import { renderPage } from './open-pdf.ts';

/** Draws the approved pages anew: `node test/slips/approve.ts`. Look at each before committing it. */
for (const { file, draw } of APPROVED_PAGES) {
  writeFileSync(file, PNG.sync.write(await renderPage(await draw(), APPROVED_DOTS_PER_INCH)));
  console.log(file);
}
