import { expect, test } from '@jest/globals';
import { SLIP_TYPES, type SlipType } from '../../../shared/core/slip-types.ts';
import { REGULAR, SEMIBOLD } from '../../../shared/pdf/font.ts';
import { usualGlyphs } from '../../../shared/pdf/usual-glyphs.ts';
import { drawSlip } from '../../../shared/slips/draw-slip.ts';
import { slipInput, USUAL_RECORD } from '../../slips/records.ts';

const USUAL = [REGULAR, SEMIBOLD].map((font) => usualGlyphs(font).length).sort();

/** Returns the number of glyphs in each font of a slip, from the lengths of the lists of widths. */
async function glyphCounts(slipType: SlipType, firstname: string): Promise<number[]> {
  const residence = { address1: '12 Ẹkọ Close, Flat 3/4', town: 'Kano', lga: 'Kano (North)', state: 'Kano' };
  const record = { ...USUAL_RECORD, firstname, middlename: "Ada's", lastname: 'ỌBAṢỌLA', residence };
  const pdf = Buffer.from(await drawSlip(slipInput(slipType, record, true))).toString('latin1');
  const widths = [...pdf.matchAll(/\/W \[ 0 \[ ([\d ]+) \] \]/g)].map(([, list = '']) => list.split(' '));
  return widths.map((list) => list.length).sort();
}

test.each(SLIP_TYPES)('%s slips with usual names need only the prepared glyphs', async (slipType) => {
  expect(await glyphCounts(slipType, 'Ƙaramatu')).toEqual(USUAL);
});

test('letters that are not prepared are also embedded', async () => {
  const counts = await glyphCounts('regular', 'Adébáyo');
  expect(Math.max(...counts)).toBe(Math.max(...USUAL) + 2);
});
