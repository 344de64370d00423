import type { SlipType } from '../core/slip-types.ts';
import type { NinRecord } from '../registries/mapping/records/nin.ts';
import { cleanText } from './pdf/text.ts';

/** What the three slips are, and how a record's values are written on them. Pure rules; nothing here draws. */

/** Source: specification "NIN slip download". The NIN has passed its format check, so the name needs no escaping. */
export function slipFileName(slipType: SlipType, nin: string): string {
  return `${slipType}_${nin}_slip.pdf`;
}

/** The values as they stand on paper: clean, in NFC, one line each, `—` where the registry has none. */
export interface SlipValues {
  readonly nin: string;
  /** In groups of 4, 3 and 4, as on cards (three public sources agree). */
  readonly ninGrouped: string;
  readonly trackingId: string;
  readonly surname: string;
  readonly firstName: string;
  readonly middleName: string;
  readonly givenNames: string;
  readonly gender: string;
  readonly sex: string;
  readonly birthDate: string;
  readonly address: string;
  readonly lga: string;
  readonly state: string;
  readonly date: string;
  readonly time: string;
  readonly requestId: string;
}

const NONE = '—';
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const GENDERS = { m: 'Male', f: 'Female', '': NONE } as const;
/** West Africa Time has no summer time. */
const WAT_OFFSET_MS = 3_600_000;

function groupNin(nin: string): string {
  return /^[0-9]{11}$/.test(nin) ? `${nin.slice(0, 4)} ${nin.slice(4, 7)} ${nin.slice(7)}` : nin;
}

/** DD-MM-YYYY becomes DD MMM YYYY; anything else stays as the registry wrote it. */
function writeBirthDate(birthdate: string): string {
  const [, day, month, year] = /^([0-3][0-9])-([01][0-9])-([0-9]{4})$/.exec(birthdate) ?? [];
  const name = MONTHS[Number(month) - 1];
  return name === undefined ? birthdate : `${day} ${name} ${year}`;
}

/** Day and time in West Africa Time, as slips and the check page show them. */
export function writeMoment(moment: Date): { date: string; time: string } {
  const local = new Date(moment.getTime() + WAT_OFFSET_MS);
  const two = (value: number): string => String(value).padStart(2, '0');
  return {
    date: `${two(local.getUTCDate())} ${MONTHS[local.getUTCMonth()]} ${local.getUTCFullYear()}`,
    time: `${two(local.getUTCHours())}:${two(local.getUTCMinutes())} WAT`,
  };
}

/** Writes a record's values for paper. Takes any strings, however hostile. */
export function slipValues(record: NinRecord, generatedAt: Date, requestId: string): SlipValues {
  const { residence } = record;
  const nin = cleanText(record.nin);
  const firstName = cleanText(record.firstname);
  const middleName = cleanText(record.middlename);
  return {
    nin: nin || NONE,
    ninGrouped: groupNin(nin) || NONE,
    trackingId: cleanText(record.tracking_id) || NONE,
    surname: cleanText(record.lastname) || NONE,
    firstName: firstName || NONE,
    middleName: middleName || NONE,
    givenNames: [firstName, middleName].filter(Boolean).join(', ') || NONE,
    gender: GENDERS[record.gender],
    sex: record.gender.toUpperCase() || NONE,
    birthDate: writeBirthDate(cleanText(record.birthdate)) || NONE,
    address: [residence.address1, residence.town].map(cleanText).filter(Boolean).join(', ') || NONE,
    lga: cleanText(residence.lga) || NONE,
    state: cleanText(residence.state) || NONE,
    ...writeMoment(generatedAt),
    requestId: cleanText(requestId),
  };
}
