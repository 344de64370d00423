import PDFDocument from 'pdfkit';
import qrcode from 'qrcode';
import { DEFAULT_THEME } from '../../../../shared/slips/default-theme.ts';
import { CHECK_URL, INPUT } from './inputs.ts';

/** Draws the page of the regular slip with pdfkit and its Helvetica: the same texts, lines, QR code and photo. */

const MM = 72 / 25.4;
const { wording, colours } = DEFAULT_THEME;
const { labels } = wording;
const { record } = INPUT;
const PHOTO = Buffer.from(record.photo, 'base64');

type Text = readonly [text: string, x: number, y: number, size: number, isBold: boolean, colour?: string];

const FIELDS: readonly (readonly [label: string, value: string, x: number, row: number])[] = [
  [labels.trackingId, record.tracking_id, 10.6, 0],
  [labels.nin, record.nin, 10.6, 1],
  [labels.generatedOn, '21 NOV 2026, 12:31 WAT', 10.6, 2],
  [labels.requestId, INPUT.requestId, 10.6, 3],
  [labels.surname, record.lastname, 60.6, 0],
  [labels.firstName, record.firstname, 60.6, 1],
  [labels.middleName, record.middlename, 60.6, 2],
  [labels.gender, 'Female', 60.6, 3],
  [labels.address, record.residence.address1, 116.6, 0],
  [labels.lga, record.residence.lga, 116.6, 2],
  [labels.state, record.residence.state, 116.6, 3],
];

function lines(text: string, letters: number): string[] {
  return text.match(new RegExp(`.{1,${letters}}(?:\\s|$)`, 'g')) ?? [];
}

const TEXTS: readonly Text[] = [
  [wording.title, 74, 22.6, 16, true],
  [wording.subtitle, 54, 27.4, 8, false, colours.muted],
  [wording.names.regular, 97, 31.9, 8, true, colours.accent],
  ...FIELDS.flatMap(([label, value, x, row]): Text[] => [
    [label, x, 39 + row * 13, 6.5, false, colours.muted],
    [value, x, 43.6 + row * 13, 10.5, true],
  ]),
  [wording.notesHeading, 10.6, 93, 8.5, true],
  ...wording.notes.flatMap((note, column) =>
    lines(note, 60).map((line, at): Text => [line, 10.6 + column * 79, 98 + at * 3.2, 7.5, false]),
  ),
  [wording.stepsHeading, 8, 131, 10, true],
  ...wording.steps.flatMap((step, column): Text[] => [
    [`${column + 1}  ${step.heading}`, 8 + column * 67.3, 140, 8.5, true],
    ...lines(step.text, 46).map(
      (line, at): Text => [line, 8 + column * 67.3, 144.4 + at * 3.4, 8, false, colours.muted],
    ),
  ]),
  ['Generated on 21 NOV 2026, 12:31 WAT', 8, 283, 7, false, colours.muted],
  [`Request ${INPUT.requestId}`, 170, 283, 7, false, colours.muted],
];

const LINES: readonly (readonly [x0: number, y0: number, x1: number, y1: number])[] = [
  [8, 35, 202, 35],
  [8, 48, 114, 48],
  [8, 61, 165, 61],
  [8, 74, 165, 74],
  [8, 87, 202, 87],
  [58, 35, 58, 87],
  [114, 35, 114, 87],
  [165, 35, 165, 117],
  [8, 278.5, 202, 278.5],
  ...[0, 1, 2].map((column) => [8 + column * 67.3, 135, 67 + column * 67.3, 135] as const),
];

function drawCode(page: PDFDocument): void {
  const { modules } = qrcode.create(CHECK_URL, { errorCorrectionLevel: 'M' });
  const step = (22.5 * MM) / modules.size;
  for (let row = 0; row < modules.size; row += 1) {
    for (let column = 0; column < modules.size; column += 1) {
      if (modules.get(row, column)) page.rect(172 * MM + column * step, 90.7 * MM + row * step, step, step);
    }
  }
  page.fill(colours.ink);
}

export async function draw(): Promise<Uint8Array> {
  const info = { Title: wording.title, CreationDate: INPUT.generatedAt };
  const page = new PDFDocument({ size: 'A4', margin: 0, lang: 'en-NG', info });
  const chunks: Uint8Array[] = [];
  page.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  page.rect(8 * MM, 14 * MM, 194 * MM, 21 * MM).fill(colours.tint);
  page
    .lineWidth(0.6 * MM)
    .rect(8 * MM, 14 * MM, 194 * MM, 103 * MM)
    .strokeColor(colours.ink)
    .stroke();
  page.lineWidth(0.2 * MM).strokeColor(colours.line);
  for (const [x0, y0, x1, y1] of LINES)
    page
      .moveTo(x0 * MM, y0 * MM)
      .lineTo(x1 * MM, y1 * MM)
      .stroke();
  page.circle(19 * MM, 24.5 * MM, 7 * MM).fill(colours.accent);
  for (const [text, x, y, size, isBold, colour = colours.ink] of TEXTS) {
    page
      .font(isBold ? 'Helvetica-Bold' : 'Helvetica')
      .fontSize(size)
      .fillColor(colour);
    page.text(text.trim(), x * MM, y * MM - size * 0.8, { lineBreak: false });
  }
  page.image(PHOTO, 167.5 * MM, 41 * MM, { cover: [32 * MM, 40 * MM] });
  drawCode(page);
  const ended = new Promise<void>((resolve) => page.on('end', resolve));
  page.end();
  await ended;
  return Buffer.concat(chunks);
}
