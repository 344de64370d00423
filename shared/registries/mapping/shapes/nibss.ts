import * as v from 'valibot';
import { dateField, genderField, phoneField, pictureFields, pictureIn, textField } from '../fields.ts';
import type { BvnRecord } from '../records/bvn.ts';

/** The field names of NIBSS, which its resellers also use. */
export const nibssEntry = v.object({
  bvn: textField,
  title: textField,
  firstName: textField,
  middleName: textField,
  lastName: textField,
  dateOfBirth: dateField,
  gender: genderField,
  phoneNumber: phoneField,
  phoneNumber1: phoneField,
  phoneNumber2: phoneField,
  email: textField,
  nationality: textField,
  maritalStatus: textField,
  residentialAddress: textField,
  stateOfOrigin: textField,
  lgaOfOrigin: textField,
  stateOfResidence: textField,
  lgaOfResidence: textField,
  nameOnCard: textField,
  nin: textField,
  registrationDate: dateField,
  enrollmentBank: textField,
  enrollmentBranch: textField,
  levelOfAccount: textField,
  watchListed: textField,
  ...pictureFields,
});

/** `bvn` is the query's number, because the number in the entry may lack leading zeros. */
export function bvnFromNibss(bvn: string, entry: v.InferOutput<typeof nibssEntry>): BvnRecord {
  return {
    bvn,
    firstname: entry.firstName,
    lastname: entry.lastName,
    middlename: entry.middleName,
    birthdate: entry.dateOfBirth,
    gender: entry.gender,
    phone: entry.phoneNumber1 || entry.phoneNumber,
    photo: pictureIn(entry),
    title: entry.title,
    email: entry.email,
    nationality: entry.nationality,
    marital_status: entry.maritalStatus,
    residential_address: entry.residentialAddress,
    state_of_origin: entry.stateOfOrigin,
    lga_of_origin: entry.lgaOfOrigin,
    state_of_residence: entry.stateOfResidence,
    lga_of_residence: entry.lgaOfResidence,
    name_on_card: entry.nameOnCard,
    nin: entry.nin,
    phone_number2: entry.phoneNumber2,
    registration_date: entry.registrationDate,
    enrollment_bank: entry.enrollmentBank,
    enrollment_branch: entry.enrollmentBranch,
    level_of_account: entry.levelOfAccount,
    watch_listed: yesOrNo(entry.watchListed),
  };
}

/** Converts a flag to YES or NO, the values that NIBSS uses. Resellers also use true, false, 1 and 0. */
export function yesOrNo(text: string): string {
  if (/^(?:yes|y|true|1)$/i.test(text)) return 'YES';
  return /^(?:no|n|false|0)$/i.test(text) ? 'NO' : text;
}
