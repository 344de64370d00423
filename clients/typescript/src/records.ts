import type {
  BvnBasicRecord,
  BvnPremiumRecord,
  CacBasicRecord,
  CacPremiumRecord,
  NinBasicRecord,
  NinPremiumRecord,
  NubanBasicRecord,
  ClaimedDetails as SentDetails,
  TinBasicRecord,
} from './models.ts';

/** The data of the API, and which record belongs to which ID type. */

export type * from './models.ts';

/** The Basic record of each ID type. */
export interface BasicRecords {
  NIN: NinBasicRecord;
  BVN: BvnBasicRecord;
  CAC: CacBasicRecord;
  TIN: TinBasicRecord;
  NUBAN: NubanBasicRecord;
}

/** The complete record of each ID type that has one. */
export interface PremiumRecords {
  NIN: NinPremiumRecord;
  BVN: BvnPremiumRecord;
  CAC: CacPremiumRecord;
}

/** With `matchOnly`, `data` contains only the number. */
export interface NumberRecords {
  NIN: Pick<NinBasicRecord, 'nin'>;
  BVN: Pick<BvnBasicRecord, 'bvn'>;
}

export type PremiumIdType = keyof PremiumRecords;
/** The ID types of people. Only their records can be matched. */
export type PersonIdType = keyof NumberRecords;

/** The details that a person has given you. At least one is required. The API neither stores nor logs them. */
export interface ClaimedDetails extends Omit<SentDetails, 'birthdate' | 'gender'> {
  /**
   * DD-MM-YYYY, DD/MM/YYYY or YYYY-MM-DD. Of a Date at midnight UTC, the date in UTC counts, and otherwise that of this
   * machine's time zone.
   */
  birthdate?: string | Date;
  gender?: NonNullable<SentDetails['gender']> | 'M' | 'F' | 'Male' | 'Female';
}
