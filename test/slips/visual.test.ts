import { describe, expect, test } from '@jest/globals';
import { SLIP_TYPES } from '../../shared/core/slip-types.ts';
import { drawSlip } from '../../shared/slips/draw-slip.ts';
import { slipValues } from '../../shared/slips/slip.ts';
import { createSlipToken, readSlipToken, slipCheckUrl } from '../../shared/slips/token.ts';
import { EMPTY_NIN } from '../support/registries/empty-records.ts';
import { APPROVED_DOTS_PER_INCH, APPROVED_PAGES } from './approved.ts';
import { openPdf, readPng, renderPage } from './open-pdf.ts';
import { readQrCode } from './read-qr-code.ts';
import { LONG_RECORD, slipInput, USUAL_RECORD } from './records.ts';
import { makeJpeg, QUARTERS, withOrientation } from './test-pictures.ts';
import { TILE_TOLERANCE, worstTile } from './worst-tile.ts';

describe('slips look as approved', () => {
  test.each(APPROVED_PAGES)('$name', async ({ file, draw }) => {
    const approved = await readPng(file);
    const page = await renderPage(await draw(), APPROVED_DOTS_PER_INCH);
    expect([page.width, page.height]).toEqual([approved.width, approved.height]);
    expect(worstTile(page, approved)).toBeLessThan(TILE_TOLERANCE);
  });

  test('the comparison detects one changed letter in a name', async () => {
    const [first] = APPROVED_PAGES;
    if (first === undefined) throw new Error('no approved page');
    const approved = await readPng(first.file);
    const record = { ...USUAL_RECORD, lastname: 'Adébáyẹ̀' };
    const page = await renderPage(await drawSlip(slipInput('regular', record, true)), APPROVED_DOTS_PER_INCH);
    expect(worstTile(page, approved)).toBeGreaterThan(TILE_TOLERANCE);
  });
});

/** Addresses of different lengths, which give QR codes of different versions. */
const BASES = [
  'http://127.0.0.1:3000',
  'https://api.example.com',
  'https://abcdefghij.execute-api.eu-west-1.amazonaws.com/prod',
];
/** The smallest module that a phone reads reliably from paper, in millimetres. */
const MIN_MODULE_MM = 0.45;

describe.each(SLIP_TYPES)('the QR code of the %s slip', (slipType) => {
  const key = 'a-key-for-tests-only-1';
  const issuedAt = new Date('2026-11-21T11:31:07Z');
  const expiresAt = new Date('2027-11-21T11:31:07Z');
  const token = createSlipToken(
    { slipType, issuedAt, expiresAt, reference: '0a1b2c3d4e5f', specimen: true },
    slipValues(USUAL_RECORD, issuedAt, 'req_0a1b2c3d4e5f'),
    key,
  );

  test.each(BASES)(
    'can be read in colour and in black and white, and contains a valid token: %s',
    async (base) => {
      const checkUrl = slipCheckUrl(base, token);
      const input = { ...slipInput(slipType, USUAL_RECORD, true), checkUrl };
      const page = await renderPage(await drawSlip(input), 130);
      expect(readQrCode(page, true)).toBe(checkUrl);
      const read = readQrCode(page, false);
      expect(read).toBe(checkUrl);
      const readToken = read?.split('/').at(-1) ?? '';
      expect(readSlipToken(readToken, [key], issuedAt).kind).toBe('valid');
      const changed = `${readToken.slice(0, 20)}${readToken[20] === 'A' ? 'B' : 'A'}${readToken.slice(21)}`;
      expect(readSlipToken(changed, [key], issuedAt)).toEqual({ kind: 'invalid' });
    },
  );

  test('has modules that are large enough for paper', async () => {
    const input = {
      ...slipInput(slipType, USUAL_RECORD, false),
      checkUrl: slipCheckUrl(BASES[2] ?? '', token),
    };
    await using pdf = await openPdf(await drawSlip(input));
    const { argsArray } = await pdf.page.getOperatorList();
    // The QR code is drawn in units of one module. If scales of exactly one point or outside 0.1 to 1 mm are ignored,
    // its matrix is the only one that scales both directions equally.
    const scales = argsArray.flatMap((args: unknown) =>
      Array.isArray(args) && args.length === 6 && args[0] === args[3] && args[0] !== 1 && args[1] === 0
        ? [Number(args[0])]
        : [],
    );
    const modules = scales.map((pt) => (pt / 72) * 25.4).filter((mm) => mm > 0.1 && mm < 1);
    expect(modules).toHaveLength(1);
    expect(modules[0]).toBeGreaterThanOrEqual(MIN_MODULE_MM);
  });

  test('does not contain the NIN', () => {
    const checkUrl = slipCheckUrl(BASES[0] ?? '', token);
    expect(checkUrl).not.toContain(USUAL_RECORD.nin);
    expect(Buffer.from(token, 'base64url').toString('hex')).not.toContain(USUAL_RECORD.nin);
  });
});

describe('a photo', () => {
  async function frameColours(photo: Buffer): Promise<string[]> {
    const record = { ...EMPTY_NIN, photo: photo.toString('base64') };
    const page = await renderPage(await drawSlip(slipInput('regular', record, false)), 110);
    const [left, top, width, height] = [167.5, 41, 32, 40];
    return [
      [0.25, 0.25],
      [0.75, 0.25],
      [0.75, 0.75],
      [0.25, 0.75],
    ].map(([right = 0, down = 0]) => {
      const column = Math.round(((left + right * width) / 25.4) * 110);
      const row = Math.round(((top + down * height) / 25.4) * 110);
      const pixel = page.data.subarray((row * page.width + column) * 4).subarray(0, 3);
      return `#${[...pixel].map((value) => (value > 127 ? 'ff' : '00')).join('')}`;
    });
  }
  const [red, green, blue, yellow] = QUARTERS;

  test.each([
    [1, [red, green, blue, yellow]],
    [2, [green, red, yellow, blue]],
    [3, [blue, yellow, red, green]],
    [4, [yellow, blue, green, red]],
    [5, [red, yellow, blue, green]],
    [6, [yellow, red, green, blue]],
    [7, [blue, green, red, yellow]],
    [8, [green, blue, yellow, red]],
  ])('with EXIF orientation %d is upright and fills its frame', async (orientation, colours) => {
    expect(await frameColours(withOrientation(makeJpeg(200, 200), orientation))).toEqual(colours);
  });

  test('that is much too wide is cropped, keeps its proportions and stays in its frame', async () => {
    const record = { ...LONG_RECORD, photo: makeJpeg(800, 200).toString('base64') };
    const page = await renderPage(await drawSlip(slipInput('regular', record, false)), 110);
    const at = (mm: number) => Math.round((mm / 25.4) * 110);
    const outside = page.data.subarray((at(60) * page.width + at(166)) * 4).subarray(0, 3);
    expect([...outside]).toEqual([255, 255, 255]);
    expect(await frameColours(makeJpeg(800, 200))).toEqual([red, green, blue, yellow]);
  });
});
