import { beforeAll, describe, expect, test } from '@jest/globals';
import { SLIP_TYPES } from '../../shared/core/slip-types.ts';
import type { NinRecord } from '../../shared/registries/mapping/records/nin.ts';
import { drawSlip } from '../../shared/slips/draw-slip.ts';
import { EMPTY_NIN } from '../support/registries/empty-records.ts';
import { isComplete } from '../support/sample.ts';
import { openPdf } from './open-pdf.ts';
import { slipInput, USUAL_RECORD } from './records.ts';
import {
  claimingSize,
  makeJpeg,
  makePng,
  packedTextChunk,
  withOrientation,
  withSegment,
} from './test-pictures.ts';

/** Records that try to break a slip, with combinations of hostile text and photos. */

const TEXTS: readonly string[] = [
  '',
  ' ',
  '—',
  'Oluwaseunfunmilayomideayobamitorishebukola',
  'a'.repeat(2000),
  'Ẹ̀'.repeat(300),
  'No. 5 '.repeat(50),
  'x '.repeat(300),
  '\u{1F600}\u{1F468}\u200D\u{1F469}\u200D\u{1F467}',
  'محمد بن عبد الله',
  '\u202Eevil\u202C and \u2066hidden\u2069',
  'A\u0000B\u0007C\u001BD\u007FE',
  'Ade\nNIN: 99999999999\r\nSurname: Forged',
  ') Tj ET Q q BT (forged) Tj <</MCID 0>> BDC EMC endstream endobj %%EOF',
  '<script>alert(1)</script>&lt;',
  `Z${'\u0336\u0489\u0300\u0323'.repeat(80)}algo`,
  '漢字かな交じり文',
  '\uD800\uDFFF\uFFFE\uFFFF',
  "O'Brien-Ọlá “D’Arcy” №5 ₦1,000 ½",
  `${'\u0301'.repeat(100)}leading marks`,
  '%s%n{{7*7}}$\u007Bjndi:ldap://x}',
  '\u00A0\u2003\u3000\u200B\uFEFF',
  'ﷺﷺﷺﷺ',
  '𝕬𝖉𝖊𝖇𝖆𝖞𝖔',
  'İıŞşĞğ ŁŻ Øß Ðþ',
];

const JPEG = makeJpeg(120, 150, 0.3);
const PHOTOS: readonly (readonly [string, Buffer | string])[] = [
  ['none', ''],
  ['a valid JPEG', JPEG],
  ['a rotated JPEG', withOrientation(JPEG, 6)],
  ['one pixel', makePng({ width: 1, height: 1 })],
  ['the largest PNG allowed', makePng({ width: 2000, height: 2000, colourType: 6 })],
  ['the largest PNG of 16 bits', makePng({ width: 2000, height: 2000, colourType: 6, depth: 16 })],
  ['8,000 x 8,000 in a few KB', makePng({ width: 8000, height: 8000, depth: 1, colourType: 0 })],
  [
    'image data that decompresses to 90 MB',
    makePng({ width: 10, height: 10, data: Buffer.alloc(90_000_000) }),
  ],
  [
    'a text chunk that decompresses to 90 MB',
    makePng({ width: 10, height: 10, extra: [packedTextChunk(90_000_000)] }),
  ],
  ['a PNG without a palette', makePng({ width: 10, height: 10, colourType: 3 })],
  ['a truncated JPEG', JPEG.subarray(0, JPEG.length >> 1)],
  [
    'a truncated JPEG with an end marker',
    Buffer.concat([JPEG.subarray(0, JPEG.length >> 1), Buffer.from('ffd9', 'hex')]),
  ],
  ['a JPEG that claims 8,000 x 8,000', claimingSize(JPEG, 8000, 8000)],
  ['a JPEG that claims 2,000 x 1', claimingSize(JPEG, 2000, 1)],
  [
    'a JPEG with invalid EXIF data',
    withSegment(JPEG, 0xe1, Buffer.from('Exif\0\0MM\0*\xff\xff\xff\xff'.padEnd(40), 'latin1')),
  ],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
  ['a GIF', Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')],
  ['an HTML page', Buffer.from('<!doctype html><img src=x onerror=alert(1)>')],
  ['text that is not Base64', 'data:image/jpeg;base64,%%%%'],
  ['5 MB of zero bytes', 'A'.repeat(5_000_000)],
];

/** 60 records combine each slip type with each photo once. */
const COUNT = isComplete ? 120 : 30;
const pick = <T>(list: readonly T[], at: number, otherwise: T): T => list[at % list.length] ?? otherwise;

function hostileRecord(at: number): NinRecord {
  const text = (step: number): string => pick(TEXTS, at * 7 + step * 3, '');
  const [, photo] = pick(PHOTOS, at, ['none', '']);
  return {
    ...(at % 10 === 0 ? EMPTY_NIN : USUAL_RECORD),
    nin: at % 3 === 0 ? text(0) : '12345678901',
    firstname: text(1),
    lastname: text(2),
    middlename: text(3),
    gender: pick(['m', 'f', ''] as const, at, ''),
    birthdate: at % 4 === 0 ? text(4) : '29-02-2000',
    photo: typeof photo === 'string' ? photo : photo.toString('base64'),
    residence: { address1: text(5).repeat(2), town: text(6), lga: text(7), state: text(8) },
    tracking_id: text(9),
  };
}

/** The limit on the processor time for one record. The slowest took 4.2 s on a busy machine. */
const MAX_TIME_MS = 12_000;
const MAX_GROWTH_BYTES = 400 * 1_048_576;

describe(`${COUNT} hostile records, a third for each slip type,`, () => {
  beforeAll(async () => {
    // Loads the fonts and the library before measuring.
    await drawSlip(slipInput('premium', USUAL_RECORD, false));
  });

  test.each(SLIP_TYPES)(
    'each produce a valid, legible %s slip within the limits on time, memory and size, whatever their photo',
    async (slipType) => {
      const before = process.memoryUsage().rss;
      const kind = SLIP_TYPES.indexOf(slipType);
      for (let at = kind; at < COUNT; at += SLIP_TYPES.length) {
        const started = process.cpuUsage();
        const bytes = await drawSlip(slipInput(slipType, hostileRecord(at), at % 2 === 0));
        const { user, system } = process.cpuUsage(started);
        expect((user + system) / 1_000).toBeLessThan(MAX_TIME_MS);
        expect(process.memoryUsage().rss - before).toBeLessThan(MAX_GROWTH_BYTES);
        expect(bytes.length).toBeLessThan(1_200_000);
        await using pdf = await openPdf(bytes);
        expect(pdf.pageCount).toBe(1);
        // Reads each photo once, because pdf.js takes a long time for some of them. It throws if it cannot read one.
        if (at < PHOTOS.length)
          expect((await pdf.page.getOperatorList()).fnArray.length).toBeGreaterThan(100);
        const [, , width = 0, height = 0] = pdf.page.view;
        const { items } = await pdf.page.getTextContent();
        const texts = items.flatMap((item) => ('str' in item && item.str.trim() !== '' ? [item] : []));
        expect(texts.some(({ str }) => str.includes('NIN verification record'))).toBe(true);
        for (const { transform, width: itemWidth, str } of texts) {
          const [a = 0, b = 0, , , left = 0, bottom = 0] = transform;
          const size = Math.hypot(a, b);
          const isRotated = b !== 0;
          const isOnPage = left >= 0 && left + itemWidth <= width && bottom > 0 && bottom < height;
          // Text is large enough to read and stays on the page. Only the SPECIMEN mark is rotated.
          expect([str, size >= 3.8, isRotated || isOnPage]).toEqual([str, true, true]);
        }
      }
    },
    240_000,
  );
});
