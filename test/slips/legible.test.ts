import { describe, expect, test } from '@jest/globals';
import { SLIP_TYPES, type SlipType } from '../../shared/core/slip-types.ts';
import { DEFAULT_THEME } from '../../shared/slips/default-theme.ts';
import { drawSlip, type SlipInput } from '../../shared/slips/draw-slip.ts';
import { slipValues } from '../../shared/slips/slip.ts';
import { openPdf, renderPage } from './open-pdf.ts';
import { LONG_RECORD, LONGEST_NAMES, slipInput, USUAL_RECORD } from './records.ts';

/** What must be legible on a printed slip: the names in full, and that NIMC did not issue it. */

/** One line of text on the page. Lengths are in points, and positions start at the lower left corner. */
interface Item {
  readonly text: string;
  readonly sizePt: number;
  readonly left: number;
  readonly baseline: number;
  readonly width: number;
}

async function itemsOf(bytes: Uint8Array): Promise<readonly Item[]> {
  await using pdf = await openPdf(bytes);
  const { items } = await pdf.page.getTextContent();
  return items.flatMap((item) => {
    if (!('str' in item) || item.str.trim() === '') return [];
    const [a = 0, b = 0, , , left = 0, baseline = 0] = item.transform;
    return [{ text: item.str, sizePt: Math.hypot(a, b), left, baseline, width: item.width }];
  });
}

/** Lines break at spaces, and in words that are too wide for a line. */
const withoutSpaces = (text: string) => text.replaceAll(/\s+/g, '');
const namesOf = (slipType: SlipType, input: SlipInput): readonly string[] => {
  const values = slipValues(input.record, input.generatedAt, input.requestId);
  if (slipType === 'regular') return [values.surname, values.firstName, values.middleName];
  return [values.surname, values.givenNames];
};

const ENDLESS = {
  ...LONG_RECORD,
  lastname: 'W'.repeat(600),
  firstname: 'Ẹ̀'.repeat(200),
  middlename: 'Mb '.repeat(200),
};
const ONE_LONG_WORD = { ...USUAL_RECORD, lastname: 'Oluwaseunfunmilayomideayobamitorishebukola' };

describe.each(SLIP_TYPES)('on the %s slip', (slipType) => {
  test.each([
    ['usual', USUAL_RECORD],
    ['long', LONG_RECORD],
    ['longest', LONGEST_NAMES],
    ['one-word', ONE_LONG_WORD],
    ['1,600-character', ENDLESS],
  ])('%s names are printed in full, in type of at least 6 points', async (_name, record) => {
    const input = slipInput(slipType, record, false);
    const items = await itemsOf(await drawSlip(input));
    const page = withoutSpaces(items.map(({ text }) => text).join(''));
    for (const name of namesOf(slipType, input)) {
      const wanted = withoutSpaces(name);
      expect(page).toContain(wanted);
      const lines = items.filter(({ text }) => text.length > 2 && wanted.includes(withoutSpaces(text)));
      expect(lines.length).toBeGreaterThan(0);
      for (const { text, sizePt } of lines) expect([text, sizePt >= 6]).toEqual([text, true]);
    }
  });

  test('no word of the longest names is broken', async () => {
    const items = await itemsOf(await drawSlip(slipInput(slipType, LONGEST_NAMES, false)));
    const page = items.map(({ text }) => text).join(' ');
    for (const word of `${LONGEST_NAMES.lastname} ${LONGEST_NAMES.firstname} ${LONGEST_NAMES.middlename}`.split(
      ' ',
    ))
      expect(page).toContain(word);
  });

  test('the line "Details confirmed" appears only after a confirmation, and says what was confirmed and when', async () => {
    const input = slipInput(slipType, USUAL_RECORD, false);
    const textOf = async (detailsConfirmed: boolean | undefined) =>
      (await itemsOf(await drawSlip({ ...input, detailsConfirmed }))).map(({ text }) => text).join(' ');
    expect(await textOf(true)).toContain(
      'Details confirmed. The details sent with the request matched the registry record on 21 NOV 2026, 12:31 WAT.',
    );
    for (const absent of [false, undefined]) expect(await textOf(absent)).not.toContain('Details confirmed');
  });
});

/** Returns the relative luminance of a pixel (WCAG 2.2). */
function luminance([red = 0, green = 0, blue = 0]: Iterable<number> & ArrayLike<number>): number {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((value) =>
    value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const DOTS_PER_INCH = 300;
/** The left edge of the back of a card, in points: the margin and the width of the front. */
const FOLD_PT = ((19.4 + 85.6) / 25.4) * 72;

describe.each(['improved', 'premium'] as const)('"Not issued by NIMC" on the %s card', (slipType) => {
  const drawing = drawSlip(slipInput(slipType, USUAL_RECORD, false));
  const card = async () =>
    (await itemsOf(await drawing)).filter(
      ({ text, baseline }) => text.includes('Not issued by NIMC') && baseline < 715,
    );

  test('is on the front and the back, in type of at least 6 points', async () => {
    const notices = await card();
    expect(notices.map(({ left }) => (left < FOLD_PT ? 'front' : 'back'))).toEqual(['front', 'back']);
    for (const { sizePt, left, width } of notices) {
      expect(sizePt).toBeGreaterThanOrEqual(6);
      expect(left < FOLD_PT ? left + width < FOLD_PT : true).toBe(true);
    }
  });

  test('has a contrast of at least 7 to 1 with the darkest background next to it', async () => {
    const page = await renderPage(await drawing, DOTS_PER_INCH);
    const scale = DOTS_PER_INCH / 72;
    const luminances = (top: number, bottom: number, left: number, right: number): readonly number[] => {
      const found: number[] = [];
      for (let row = Math.floor(top * scale); row < Math.ceil(bottom * scale); row += 1)
        for (let column = Math.floor(left * scale); column < right * scale; column += 1) {
          const at = (row * page.width + column) * 4;
          found.push(luminance(page.data.subarray(at, at + 3)));
        }
      return found;
    };
    for (const { left, width, baseline, sizePt } of await card()) {
      const top = 841.89 - baseline;
      const text = Math.min(...luminances(top - sizePt * 0.7, top, left, left + width));
      // Between the descenders and the next line.
      const ground = Math.min(...luminances(top + sizePt * 0.32, top + sizePt * 0.45, left, left + width));
      expect((ground + 0.05) / (text + 0.05)).toBeGreaterThanOrEqual(7);
    }
  });
});

test('a theme without a notice shows its subtitle on the front of cards, in type of at least 6 points', async () => {
  const { cardNotice: _notice, ...wording } = DEFAULT_THEME.wording;
  const theme = { ...DEFAULT_THEME, wording };
  const items = await itemsOf(await drawSlip({ ...slipInput('premium', USUAL_RECORD, false), theme }));
  const subtitle = items.filter(({ text }) => text.includes('registry look-up'));
  expect(subtitle).toHaveLength(2);
  for (const { sizePt } of subtitle) expect(sizePt).toBeGreaterThanOrEqual(6);
});
