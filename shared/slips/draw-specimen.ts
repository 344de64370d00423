import { drawSlip } from './draw-slip.ts';
import type { SlipRecord } from './slip.ts';
import type { SlipTheme } from './theme.ts';

/** An invented record with the letters that most slips use, and without a photo. */
const RECORD: SlipRecord = {
  nin: '00000000000',
  firstname: 'Jackdaws Love',
  lastname: 'Sphinx of Quartz',
  middlename: 'Big Ọṣẹ',
  gender: '',
  birthdate: '01-01-2000',
  photo: '',
  residence: { address1: 'Specimen', town: 'Specimen', lga: 'Specimen', state: 'Specimen' },
  tracking_id: 'SPECIMEN',
};

/**
 * Draws a slip that no caller receives, so that the fonts are prepared and the code is compiled before the first
 * request. The slip is marked SPECIMEN, and its QR code leads nowhere.
 */
export async function drawSpecimen(theme?: SlipTheme): Promise<void> {
  await drawSlip({
    slipType: 'premium',
    record: RECORD,
    // About as long as a real address, so that the QR code has its usual size.
    checkUrl: `https://${'specimen'.repeat(3)}.invalid/v1/slips/check/${'0'.repeat(64)}`,
    generatedAt: new Date(0),
    requestId: 'req_000000000000',
    specimen: true,
    ...(theme && { theme }),
  });
}
