import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { contentSha256Of, invoiceOf } from '../../shared/payments/documents/compose-documents.ts';
import type { FinancialDocument } from '../../shared/payments/documents/financial-document.ts';
import { drawDocument } from '../../shared/payments/documents/pdf/draw-document.ts';
import { nairaText } from '../../shared/payments/naira.ts';
import { openPdf, pageText, readPng, renderPage } from '../slips/open-pdf.ts';
import { TILE_TOLERANCE, worstTile } from '../slips/worst-tile.ts';
import { BUYER, HEAD, inventedOrder } from '../unit/payments/invented-orders.ts';
import { DOTS_PER_INCH, pictureOf } from './approve.ts';
import {
  CREDIT_NOTE,
  INVOICE,
  LARGE,
  LARGE_INVOICE,
  LONG_STATEMENT,
  RECEIPT,
  STATEMENT,
  USUAL,
} from './samples.ts';

const ALL = [...USUAL, ...LARGE];

/** Returns the text of a document as a single line. A wrapped value contains a space where its line ends. */
async function textOf(document: FinancialDocument): Promise<string> {
  return (await pageText(await drawDocument(document))).replaceAll(/\s+/g, ' ');
}

/** Removes all white space, so that a value is found wherever its lines end. */
const squeeze = (text: string) => text.replaceAll(/\s/g, '');

/** Returns all attributes of a document that are meant for readers, which it must therefore show. */
function shownBy(document: FinancialDocument): string[] {
  const { seller, buyer, lines, payment, contentSha256, statement } = document;
  const parties = [seller, buyer].flatMap((party) => [
    party.name,
    ...party.address,
    `Tax number ${party.taxNumber}`,
    party.email,
  ]);
  const amounts = (statement === undefined || lines.length > 0) && [
    nairaText(document.netKobo),
    nairaText(document.vatKobo),
    `₦${nairaText(document.totalKobo)}`,
    document.totalInWords,
  ];
  return [
    document.number,
    document.organisationId,
    'Nigerian naira (NGN)',
    ...parties,
    ...lines.flatMap(lineTexts),
    ...(amounts || []),
    ...(payment ? [`₦${nairaText(payment.amountKobo)}`, payment.providerReference] : []),
    document.order ?? '',
    document.invoice ?? '',
    document.reason ?? '',
    `SHA-256 of the content: ${contentSha256.slice(0, 16)}`,
  ];
}

const lineTexts = (line: FinancialDocument['lines'][number]) => [
  line.description,
  line.quantity.toLocaleString('en-NG'),
  nairaText(line.unitKobo),
  nairaText(line.netKobo),
  `${line.vatBasisPoints / 100}%`,
  nairaText(line.vatKobo),
  nairaText(line.totalKobo),
];

describe.each(ALL)('the PDF of the $name', ({ document, pages }) => {
  test('prints every field, in NFC', async () => {
    const text = await textOf(document);
    for (const value of shownBy(document)) expect(squeeze(text)).toContain(squeeze(value.normalize('NFC')));
    expect(text).toBe(text.normalize('NFC'));
    expect(text).not.toContain('\uFFFD');
  });

  test('has numbered A4 pages, which say TEST if and only if the document is a test document', async () => {
    await using pdf = await openPdf(await drawDocument(document));
    expect(pdf.pageCount).toBe(pages);
    for (const [at, page] of pdf.pages.entries()) {
      const [, , width = 0, height = 0] = page.view;
      expect([width, height].map((pt) => Math.round((pt * 25.4) / 72))).toEqual([210, 297]);
      const { items } = await page.getTextContent();
      const text = items.map((item) => ('str' in item ? item.str : '')).join(' ');
      expect(text).toContain(`Page ${at + 1} of ${pages}`);
      expect(text.includes('TEST: not a tax document')).toBe(document.env === 'test');
    }
  });

  test('keeps all text inside the margins, without overlaps', async () => {
    await expectTidy(document);
  });

  test('is tagged for screen readers, with a language, a title and column headings', async () => {
    await using pdf = await openPdf(await drawDocument(document));
    expect(pdf.isMarked).toBe(true);
    expect(pdf.info).toMatchObject({
      Language: 'en-NG',
      Title: expect.stringContaining(document.number),
    });
    const tree = JSON.stringify(await pdf.page.getStructTree());
    for (const role of [
      'Document',
      'Sect',
      'H1',
      'H2',
      'Table',
      'TR',
      'TH',
      'TD',
      'L',
      'Lbl',
      'LBody',
      'P',
    ]) {
      expect(tree).toContain(`"role":"${role}"`);
    }
    const file = Buffer.from(await drawDocument(document)).toString('latin1');
    expect(file).toMatch(/\/Scope \/Column/);
    expect(file).not.toMatch(/\/(JavaScript|JS|OpenAction|AA|Annots|EmbeddedFiles|URI|Launch)\b/);
  });

  test('has the same bytes each time', async () => {
    const [first, second] = [await drawDocument(document), await drawDocument(document)];
    expect(Buffer.from(first).equals(Buffer.from(second))).toBe(true);
  });
});

interface Box {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

const MARGIN_PT = 17.9 * (72 / 25.4);

/** Fails if text is outside the margins, smaller than 5 pt, or on top of other text. */
async function expectTidy(document: FinancialDocument): Promise<void> {
  await using pdf = await openPdf(await drawDocument(document));
  for (const page of pdf.pages) {
    const [, , width = 0, height = 0] = page.view;
    const { items } = await page.getTextContent();
    const boxes: Box[] = [];
    for (const item of items) {
      if (!('str' in item) || item.str.trim() === '') continue;
      const [size = 0, slope = 0, , , left = 0, baseline = 0] = item.transform;
      // The mark TEST is under the content, and rotated.
      if (slope !== 0) continue;
      const right = left + item.width;
      expect([item.str, size >= 5]).toEqual([item.str, true]);
      expect([item.str, left >= MARGIN_PT && right <= width - MARGIN_PT]).toEqual([item.str, true]);
      expect([item.str, baseline > 30 && baseline + size < height - 30]).toEqual([item.str, true]);
      boxes.push({ text: item.str, left, right, bottom: baseline, top: baseline + size * 0.7 });
    }
    boxes.sort((a, b) => b.bottom - a.bottom);
    for (const [at, box] of boxes.entries()) {
      for (const other of boxes.slice(at + 1)) {
        const covers =
          other.top > box.bottom &&
          box.top > other.bottom &&
          other.right > box.left + 0.1 &&
          box.right > other.left + 0.1;
        expect(covers ? [box.text, other.text] : []).toEqual([]);
      }
    }
  }
}

describe('what each kind of document says', () => {
  test('the invoice shows its title, the VAT rate, and when it was issued and paid, in Lagos time', async () => {
    const text = await textOf(INVOICE);
    for (const value of [
      'Tax invoice',
      'Tax invoice number IDV-2026-000041',
      'Date of issue and supply 20 November 2026',
      'Net ₦212,500.00',
      'VAT 7.5% ₦15,937.50',
      'Total ₦228,437.50',
      'Paid on 20 November 2026, 15:04 (Lagos)',
      'Method Paystack (card)',
    ]) {
      expect(text).toContain(value);
    }
  });

  test('days are in Lagos time: half an hour before midnight UTC is already the next day', async () => {
    expect(await textOf(LARGE_INVOICE)).toContain('Paid on 1 December 2026, 00:30 (Lagos)');
  });

  test('the receipt and the credit note name the invoice', async () => {
    for (const document of [RECEIPT, CREDIT_NOTE]) {
      expect(await textOf(document)).toContain('Tax invoice IDV-2026-000041');
    }
    expect(await textOf(RECEIPT)).toContain('Payment received');
    const note = await textOf(CREDIT_NOTE);
    expect(note).toContain('Reason The customer ended its contract and asked for the unused credits back.');
    expect(note).toContain('Total credited ₦54,825.00');
  });

  test('the statement shows balances, services, invoices and refunds', async () => {
    const text = await textOf(STATEMENT);
    for (const value of [
      'Month November 2026',
      'Opening balance 1,250',
      'Bought 5,000',
      'Used -3,481 147,942.50',
      'Closing balance 1,669 70,932.50',
      'nin-basic 1,871 1,871',
      'Invoice IDV-2026-000041 5,000 42.50 212,500.00 7.5% 15,937.50 228,437.50',
      'Refund of invoice IDV-2026-000003, reference refund:TICKET-3 -1,200 42.50 -51,000.00',
      'This statement is not a tax invoice.',
    ]) {
      expect(text).toContain(value);
    }
  });

  test('a long statement shows each line once, in order, and repeats the headings of its table', async () => {
    const text = await textOf(LONG_STATEMENT);
    const numbers = [...text.matchAll(/ Invoice IDV-2026-(\d{6}) 5,000/g)].map(([, number]) =>
      Number(number),
    );
    expect(numbers).toEqual(Array.from({ length: 140 }, (_, index) => index + 1));
    expect(text.match(/Description Quantity Unit price ₦/g)).toHaveLength(7);
    expect(text.match(/Monthly statement TEST-IDVS-2026-000009/g)).toHaveLength(6);
  });

  test('a statement of a month without invoices says so', async () => {
    const empty = { ...STATEMENT, lines: [], netKobo: 0, vatKobo: 0, totalKobo: 0 };
    const text = await textOf({ ...empty, contentSha256: contentSha256Of(empty) });
    expect(text).toContain('Invoices and refunds in November 2026 None.');
  });

  test('a document that was changed after it was written is not drawn', async () => {
    await expect(drawDocument({ ...INVOICE, totalKobo: 1 })).rejects.toThrow(
      'The document IDV-2026-000041 differs from what was written',
    );
  });
});

const texts = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }),
  fc.lorem({ maxCount: 30 }),
  fc.constantFrom(
    'W'.repeat(400),
    'Ẹ̀'.repeat(120),
    '\u202Eevil\u202C and \u2066hidden\u2069',
    ') Tj ET Q q BT (forged) Tj <</MCID 0>> BDC EMC endstream endobj %%EOF',
    'Total\r\n₦0.00',
  ),
);

test('any names, addresses and amounts produce tidy pages with the exact total', async () => {
  const party = fc.record({
    name: texts,
    address: fc.array(texts, { minLength: 1, maxLength: 5 }),
    taxNumber: fc.constantFrom('12345678-0001', '1234567890123', '9'.repeat(40)),
    email: fc.emailAddress(),
  });
  const credits = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 10 ** 9 }));
  const prices = fc.integer({ min: 1, max: 9_000 });
  await fc.assert(
    fc.asyncProperty(party, party, credits, prices, async (seller, buyer, count, koboPerCredit) => {
      const order = inventedOrder({ credits: count, koboPerCredit });
      const document = invoiceOf({ ...HEAD, seller, buyer }, order);
      await expectTidy(document);
      const text = await textOf(document);
      expect(text).toContain(`Total ₦${nairaText(document.totalKobo)}`);
      expect(squeeze(text)).toContain(squeeze(document.totalInWords));
    }),
    { numRuns: 15 },
  );
});

describe('documents look as approved', () => {
  test.each(USUAL)('$name', async ({ name, document }) => {
    const approved = await readPng(pictureOf(name));
    const page = await renderPage(await drawDocument(document), DOTS_PER_INCH);
    expect([page.width, page.height]).toEqual([approved.width, approved.height]);
    expect(worstTile(page, approved)).toBeLessThan(TILE_TOLERANCE);
  });

  test('the comparison detects one changed digit', async () => {
    const order = inventedOrder();
    const changed = invoiceOf({ ...HEAD, buyer: { ...BUYER, taxNumber: '99999999-0003' } }, order);
    const page = await renderPage(await drawDocument(changed), DOTS_PER_INCH);
    expect(worstTile(page, await readPng(pictureOf('invoice')))).toBeGreaterThan(TILE_TOLERANCE);
  });
});
