import type { Canvas } from '../../../pdf/canvas.ts';
import { emptyDocument, writeDocument } from '../../../pdf/document.ts';
import { SEMIBOLD } from '../../../pdf/font.ts';
import { PAGE_HEIGHT_MM, PAGE_WIDTH_MM, PT_PER_MM } from '../../../pdf/geometry.ts';
import { contentSha256Of } from '../compose-documents.ts';
import type { FinancialDocument } from '../financial-document.ts';
import { drawAmounts, drawPayment, drawReason, drawStatement } from './body.ts';
import { drawHeading } from './heading.ts';
import {
  LEFT,
  lineHeight,
  linesOf,
  PALETTE,
  PageFlow,
  RIGHT,
  SMALL,
  STRONG,
  WIDTH,
  writeLines,
} from './page-flow.ts';
import { NOTES, TEST_NOTICE, TITLES } from './wording.ts';

const FOOTER_Y = PAGE_HEIGHT_MM - 17;

/** Draws the PDF of a document. */
export type DrawDocument = (document: FinancialDocument) => Promise<Uint8Array>;

/**
 * Draws a tax invoice, receipt, credit note or statement as a PDF of A4 pages. The same document always gives the same
 * bytes. Throws if the document differs from what was written, because the printed hash would then not match the
 * content.
 */
export async function drawDocument(document: FinancialDocument): Promise<Uint8Array> {
  if (contentSha256Of(document) !== document.contentSha256) {
    throw new Error(`The document ${document.number} differs from what was written: its hash is wrong.`);
  }
  const flow = new PageFlow((canvas) => drawTestMark(canvas, document));
  flow.canvas.structure.group('Sect', () => drawFirstPage(flow, document));
  const { canvases } = flow;
  for (const [at, canvas] of canvases.entries()) {
    if (at > 0) drawRunningHead(canvas, document);
    drawFooter(canvas, document, `Page ${at + 1} of ${canvases.length}`);
  }
  return writeDocument(await emptyDocument(), canvases, {
    title: `${TITLES[document.kind]} ${document.number}`,
    language: 'en-NG',
    generatedAt: new Date(document.issuedAt),
    images: {},
  });
}

function drawFirstPage(flow: PageFlow, document: FinancialDocument): void {
  drawHeading(flow, document);
  if (document.reason !== undefined) drawReason(flow, document.reason);
  if (document.statement) drawStatement(flow, document, document.statement);
  else drawAmounts(flow, document);
  drawPayment(flow, document);
  flow.paragraph(NOTES[document.kind], SMALL);
}

/** Draws the mark TEST under the content of a page, if the document belongs to the environment `test`. */
function drawTestMark(canvas: Canvas, { env }: FinancialDocument): void {
  if (env !== 'test') return;
  const angle = 0.9;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [x, y] = [(PAGE_WIDTH_MM / 2) * PT_PER_MM, (PAGE_HEIGHT_MM / 2) * PT_PER_MM];
  const style = { font: SEMIBOLD, sizePt: 190, align: 'centre', colour: PALETTE.pale } as const;
  canvas.within({ matrix: [cos, sin, -sin, cos, x, y] }, () => {
    canvas.text('TEST', { x: 0, y: PAGE_HEIGHT_MM + (style.sizePt * 0.36) / PT_PER_MM }, style);
  });
}

/** Draws the running head of later pages. Screen readers skip it, because they have read the heading. */
function drawRunningHead(canvas: Canvas, { kind, number, env }: FinancialDocument): void {
  const y = 16;
  writeLines(canvas, [`${TITLES[kind]} ${number}`], { x: LEFT, y }, STRONG);
  if (env === 'test') {
    const style = { ...STRONG, colour: PALETTE.warning };
    writeLines(canvas, [TEST_NOTICE], { x: RIGHT, y, align: 'right' }, style);
  }
  const rule = y + lineHeight(STRONG) + 2;
  canvas.line(LEFT, rule, RIGHT, rule, { stroke: PALETTE.accent, lineWidth: 0.3 });
}

/** Draws the seller's name, the page number, and the start of the content's hash. */
function drawFooter(canvas: Canvas, { seller, contentSha256 }: FinancialDocument, page: string): void {
  canvas.line(LEFT, FOOTER_Y - 2, RIGHT, FOOTER_Y - 2, { stroke: PALETTE.line, lineWidth: 0.2 });
  const [name = ''] = linesOf(seller.name, WIDTH / 2, SMALL);
  writeLines(canvas, [page], { x: RIGHT, y: FOOTER_Y, align: 'right' }, SMALL);
  writeLines(canvas, [name], { x: LEFT, y: FOOTER_Y }, SMALL);
  const hash = `SHA-256 of the content: ${contentSha256.slice(0, 16)}…`;
  canvas.tagged('P', () => {
    writeLines(canvas, [hash], { x: LEFT, y: FOOTER_Y + lineHeight(SMALL) }, SMALL);
  });
}
