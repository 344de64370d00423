import { HOUR_MS } from '../core/clock.ts';
import type { SlipType } from '../core/slip-types.ts';
import { cleanText } from '../pdf/text.ts';
import type { NinRecord } from '../registries/mapping/records/nin.ts';

/** Returns the file name (specification "NIN slip download"). A NIN that passed its format check needs no escaping. */
export function slipFileName(slipType: SlipType, nin: string): string {
  return `${slipType}_${nin}_slip.pdf`;
}

export type SlipRecord = Pick<
  NinRecord,
  | 'nin'
  | 'firstname'
  | 'lastname'
  | 'middlename'
  | 'gender'
  | 'birthdate'
  | 'photo'
  | 'residence'
  | 'tracking_id'
>;

/** The values as printed: cleaned, in NFC and without line breaks. `—` if the registry has no value. */
export interface SlipValues {
  readonly nin: string;
  /** In groups of 4, 3 and 4 digits, as on NIN cards (according to three public sources). */
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
export const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const GENDERS = { m: 'Male', f: 'Female', '': NONE } as const;
/** West Africa Time (WAT) has no daylight saving time. */
const WAT_OFFSET_MS = HOUR_MS;

function groupNin(nin: string): string {
  return /^[0-9]{11}$/.test(nin) ? `${nin.slice(0, 4)} ${nin.slice(4, 7)} ${nin.slice(7)}` : nin;
}

function formatBirthDate(birthdate: string): string {
  const [, day, month, year] = /^([0-3][0-9])-([01][0-9])-([0-9]{4})$/.exec(birthdate) ?? [];
  const name = MONTHS[Number(month) - 1];
  return name === undefined ? birthdate : `${day} ${name} ${year}`;
}

/** Formats a date and time in West Africa Time for slips and the check page. */
export function formatMoment(moment: Date): { date: string; time: string } {
  const local = new Date(moment.getTime() + WAT_OFFSET_MS);
  const two = (value: number): string => String(value).padStart(2, '0');
  return {
    date: `${two(local.getUTCDate())} ${MONTHS[local.getUTCMonth()]} ${local.getUTCFullYear()}`,
    time: `${two(local.getUTCHours())}:${two(local.getUTCMinutes())} WAT`,
  };
}

/** Formats the values of a record. Accepts any strings, including hostile ones. */
export function slipValues(record: SlipRecord, generatedAt: Date, requestId: string): SlipValues {
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
    birthDate: formatBirthDate(cleanText(record.birthdate)) || NONE,
    address: [residence.address1, residence.town].map(cleanText).filter(Boolean).join(', ') || NONE,
    lga: cleanText(residence.lga) || NONE,
    state: cleanText(residence.state) || NONE,
    ...formatMoment(generatedAt),
    requestId: cleanText(requestId),
  };
}
