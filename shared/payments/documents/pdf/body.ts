import { SEMIBOLD } from '../../../pdf/font.ts';
import { nairaText } from '../../naira.ts';
import type { DocumentLine, FinancialDocument, StatementSummary } from '../financial-document.ts';
import { drawField, type Field, fieldHeight } from './fields.ts';
import {
  BODY,
  INSET,
  LEFT,
  lineHeight,
  linesOf,
  PALETTE,
  type PageFlow,
  RIGHT,
  type Style,
  WIDTH,
  writeLines,
} from './page-flow.ts';
import { drawTable } from './table.ts';
import { creditsText, methodText, monthText, rateText, timeText } from './wording.ts';

/** The content of documents below their heading. */

const HEADING: Style = { sizePt: 10, font: SEMIBOLD, colour: PALETTE.accent };
const LABEL: Style = { sizePt: 7.5, colour: PALETTE.muted };
const TOTAL: Style = { sizePt: 11, font: SEMIBOLD };
const LINE_HEAD = ['Description', 'Quantity', 'Unit price ₦', 'Net ₦', 'VAT rate', 'VAT ₦', 'Total ₦'];
const WORDS_WIDTH = 88;
const TOTALS_LEFT = LEFT + WORDS_WIDTH + 10;
const PADDING = 4;

function drawHeadingLine(flow: PageFlow, text: string): void {
  // Two rows of a table must fit below a heading.
  flow.reserve(lineHeight(HEADING) + 20);
  flow.paragraph(text, HEADING, 'H2');
  flow.y += 1.5;
}

/** Draws the reason of a credit note. */
export function drawReason(flow: PageFlow, reason: string): void {
  drawHeadingLine(flow, 'Reason');
  flow.paragraph(reason, BODY);
  flow.y += 4;
}

function cellsOf(line: DocumentLine): string[] {
  return [
    line.description,
    creditsText(line.quantity),
    nairaText(line.unitKobo),
    nairaText(line.netKobo),
    rateText(line.vatBasisPoints),
    nairaText(line.vatKobo),
    nairaText(line.totalKobo),
  ];
}

/** Lines with net, VAT and total, and the total in words. */
export function drawAmounts(flow: PageFlow, document: FinancialDocument): void {
  drawTable(flow, { head: LINE_HEAD, rows: document.lines.map(cellsOf) });
  flow.y += 4;
  const rates = new Set(document.lines.map(({ vatBasisPoints }) => vatBasisPoints));
  const [rate] = rates;
  const sums: readonly [string, number, Style][] = [
    ['Net', document.netKobo, BODY],
    [rates.size === 1 && rate !== undefined ? `VAT ${rateText(rate)}` : 'VAT', document.vatKobo, BODY],
    [document.kind === 'CREDIT_NOTE' ? 'Total credited' : 'Total', document.totalKobo, TOTAL],
  ];
  const words = linesOf(document.totalInWords, WORDS_WIDTH, BODY);
  const wordsHeight = lineHeight(LABEL) + words.length * lineHeight(BODY);
  const sumsHeight = sums.reduce((height, [, , style]) => height + lineHeight(style) + 1, 2);
  flow.reserve(Math.max(wordsHeight, sumsHeight));
  const { y } = flow;
  drawWords(flow, words);
  drawSums(flow, sums, y);
  flow.y = y + Math.max(wordsHeight, sumsHeight) + 6;
}

function drawWords({ canvas, y }: PageFlow, words: readonly string[]): void {
  canvas.structure.group('L', () => {
    canvas.structure.group('LI', () => {
      canvas.tagged('Lbl', () => writeLines(canvas, ['Total in words'], { x: LEFT, y }, LABEL));
      canvas.tagged('LBody', () => writeLines(canvas, words, { x: LEFT, y: y + lineHeight(LABEL) }, BODY));
    });
  });
}

function drawSums({ canvas }: PageFlow, sums: readonly [string, number, Style][], top: number): void {
  let y = top;
  canvas.structure.group('L', () => {
    for (const [label, kobo, style] of sums) {
      if (style === TOTAL) {
        canvas.line(TOTALS_LEFT, y + 0.6, RIGHT, y + 0.6, { stroke: PALETTE.ink, lineWidth: 0.3 });
        y += 2;
      }
      const at = y;
      canvas.structure.group('LI', () => {
        canvas.tagged('Lbl', () => writeLines(canvas, [label], { x: TOTALS_LEFT, y: at }, style));
        canvas.tagged('LBody', () => {
          writeLines(canvas, [`₦${nairaText(kobo)}`], { x: RIGHT - INSET, y: at, align: 'right' }, style);
        });
      });
      y += lineHeight(style) + 1;
    }
  });
}

const PAYMENT_HEADINGS = {
  INVOICE: 'Payment',
  RECEIPT: 'Payment received',
  CREDIT_NOTE: 'Payment of the invoice',
  STATEMENT: 'Payment',
} as const;

/** Nothing for documents without a payment. */
export function drawPayment(flow: PageFlow, document: FinancialDocument): void {
  const { payment, order } = document;
  if (!payment) return;
  const fields: readonly Field[] = [
    ['Paid on', timeText(payment.paidAt)],
    ['Amount paid', `₦${nairaText(payment.amountKobo)}`],
    ['Method', methodText(document)],
    ['Payment reference', payment.providerReference],
    ...(order === undefined ? [] : ([['Order', order]] as const)),
  ];
  const width = (WIDTH - 3 * PADDING) / 2;
  const pairs = fields.flatMap((_, at) => (at % 2 === 0 ? [fields.slice(at, at + 2)] : []));
  const heights = pairs.map((pair) => Math.max(...pair.map((field) => fieldHeight(field, width))));
  const height = heights.reduce((sum, one) => sum + one, 2 * PADDING - 2);
  flow.reserve(height + lineHeight(HEADING) + 2);
  drawHeadingLine(flow, PAYMENT_HEADINGS[document.kind]);
  const { canvas } = flow;
  canvas.rectangle({ x: LEFT, y: flow.y, width: WIDTH, height }, { fill: PALETTE.tint }, 1.2);
  let y = flow.y + PADDING;
  canvas.structure.group('L', () => {
    for (const [at, pair] of pairs.entries()) {
      for (const [column, field] of pair.entries()) {
        drawField(canvas, field, { x: LEFT + PADDING + column * (width + PADDING), y, width });
      }
      y += heights[at] ?? 0;
    }
  });
  flow.y += height + 5;
}

/** Credits, their use by service, and the month's invoices and refunds. */
export function drawStatement(flow: PageFlow, document: FinancialDocument, summary: StatementSummary): void {
  const month = monthText(summary.month);
  drawHeadingLine(flow, `Credits in ${month}`);
  const credits = (label: string, count: number, kobo?: number) => [
    label,
    creditsText(count),
    kobo === undefined ? '' : nairaText(kobo),
  ];
  drawTable(flow, {
    head: ['', 'Credits', 'Cost without VAT ₦'],
    rows: [
      credits('Opening balance', summary.openingCredits),
      credits('Bought', summary.boughtCredits),
      credits('Promotional credits, refunds and corrections', summary.otherCredits),
      credits('Used', -summary.usedCredits, summary.usedKobo),
    ],
    totals: [credits('Closing balance', summary.closingCredits, summary.closingKobo)],
  });
  flow.y += 6;
  if (summary.services.length > 0) {
    drawHeadingLine(flow, 'Used credits by service');
    drawTable(flow, {
      head: ['Service', 'Requests', 'Credits'],
      rows: summary.services.map(({ service, requests, credits: used }) => [
        service,
        creditsText(requests),
        creditsText(used),
      ]),
    });
    flow.y += 6;
  }
  drawHeadingLine(flow, `Invoices and refunds in ${month}`);
  if (document.lines.length > 0) drawAmounts(flow, document);
  else flow.paragraph('None.', BODY);
}
