import { describe, expect, test } from '@jest/globals';
import { SLIP_TYPES } from '../../shared/core/slip-types.ts';
import { DEFAULT_THEME } from '../../shared/slips/default-theme.ts';
import { drawSlip } from '../../shared/slips/draw-slip.ts';
import { slipValues } from '../../shared/slips/slip.ts';
import { parseSlipTheme } from '../../shared/slips/theme.ts';
import { openPdf, pageText } from './open-pdf.ts';
import { slipInput, USUAL_RECORD } from './records.ts';

const SHOWN = {
  regular: ['trackingId', 'nin', 'surname', 'firstName', 'middleName', 'gender', 'address', 'lga', 'state'],
  improved: ['surname', 'givenNames', 'birthDate', 'ninGrouped'],
  premium: ['surname', 'givenNames', 'birthDate', 'sex', 'date', 'ninGrouped'],
} as const;

const PIXEL = {
  kind: 'image',
  base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
} as const;
const SUPPLIED = parseSlipTheme({
  ...DEFAULT_THEME,
  authorisation: { reference: 'TEST/2026/001', authority: 'An invented authority' },
  wording: { ...DEFAULT_THEME.wording, title: 'Wording of the authority', steps: [] },
  artwork: { ...DEFAULT_THEME.artwork, logo: PIXEL, premiumGround: PIXEL },
});

const squeeze = (text: string): string => text.replaceAll(/\s+/g, ' ');

describe.each(SLIP_TYPES)('the %s slip as a document', (slipType) => {
  const input = slipInput(slipType, USUAL_RECORD, false);

  test('is a valid PDF with one A4 page', async () => {
    await using pdf = await openPdf(await drawSlip(input));
    expect(pdf.pageCount).toBe(1);
    const [, , width = 0, height = 0] = pdf.page.view;
    expect([width, height].map((pt) => Math.round((pt * 25.4) / 72))).toEqual([210, 297]);
  });

  test('S35: names with Yoruba, Igbo and Hausa letters', async () => {
    const text = squeeze(await pageText(await drawSlip(input)));
    const values = slipValues(input.record, input.generatedAt, input.requestId);
    for (const field of SHOWN[slipType]) expect(text).toContain(values[field]);
    for (const value of [values.requestId, values.date, values.time]) expect(text).toContain(value);
    expect(text).toBe(text.normalize('NFC'));
    expect(text).toContain('Not issued by NIMC');
    expect(text).not.toContain('SPECIMEN');
  });

  test('is marked SPECIMEN if it was made with a test key', async () => {
    expect(await pageText(await drawSlip({ ...input, specimen: true }))).toContain('SPECIMEN');
  });

  test('has the wording and the authorisation of a supplied theme', async () => {
    const text = await pageText(await drawSlip({ ...input, specimen: true, theme: SUPPLIED }));
    expect(text).toContain('Wording of the authority');
    expect(text).toContain(
      'Produced under written authorisation of An invented authority, reference TEST/2026/001',
    );
    expect(text).toContain('SPECIMEN');
    expect(text).not.toContain('How to check');
  });

  test('embeds subsets of its fonts, and uses no others', async () => {
    const file = Buffer.from(await drawSlip(input)).toString('latin1');
    const names = [...file.matchAll(/\/BaseFont \/(\S+)/g)].map(([, name]) => name);
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).toMatch(/^[A-Z]{6}\+Inter-(Regular|SemiBold)$/);
    expect(file.match(/\/FontFile2 /g)).toHaveLength(2);
    expect(file.match(/\/ToUnicode /g)).toHaveLength(2);
  });

  test('is tagged, with a language, a title and an alternative text for each figure', async () => {
    await using pdf = await openPdf(await drawSlip(input));
    expect(pdf.isMarked).toBe(true);
    expect(pdf.info).toMatchObject({
      Language: 'en-NG',
      Title: expect.stringContaining('NIN verification record'),
    });
    const tree = JSON.stringify(await pdf.page.getStructTree());
    for (const role of ['Document', 'Sect', 'H1', 'L', 'LI', 'Lbl', 'LBody', 'Figure', 'P']) {
      expect(tree).toContain(`"role":"${role}"`);
    }
    expect(tree).toContain('Photo of the person');
    expect(tree).toContain(`QR code that opens the page to check this record: ${input.checkUrl}`);
  });

  test('S41: identity data in PDF properties, and scripts and links in a PDF', async () => {
    const bytes = await drawSlip(input);
    await using pdf = await openPdf(bytes);
    const info = JSON.stringify(pdf.info);
    for (const secret of [USUAL_RECORD.nin, USUAL_RECORD.lastname, USUAL_RECORD.firstname, 'req_']) {
      expect(info).not.toContain(secret);
    }
    const file = Buffer.from(bytes).toString('latin1');
    expect(file).not.toMatch(/\/(JavaScript|JS|OpenAction|AA|Annots|EmbeddedFiles|URI|Launch)\b/);
    expect(file).not.toContain(USUAL_RECORD.nin);
  });

  test('has the same bytes for the same input, including the time, and is smaller than 45 KB without the photo', async () => {
    const [first, second] = [await drawSlip(input), await drawSlip(input)];
    expect(Buffer.from(first).equals(Buffer.from(second))).toBe(true);
    const plain = await drawSlip({ ...input, record: { ...USUAL_RECORD, photo: '' } });
    expect(plain.length).toBeLessThan(45_000);
    const later = await drawSlip({ ...input, generatedAt: new Date('2026-11-21T11:31:08Z') });
    expect(Buffer.from(later).equals(Buffer.from(first))).toBe(false);
  });
});
