import * as v from 'valibot';

/** Source: specification "NIN record", contract D1. Every field is present, and empty if the registry has no value. */

export const residence = v.strictObject({
  address1: v.string(),
  town: v.string(),
  lga: v.string(),
  state: v.string(),
});

export const nextOfKin = v.strictObject({
  firstname: v.string(),
  lastname: v.string(),
  middlename: v.string(),
  address1: v.string(),
  address2: v.string(),
  town: v.string(),
  lga: v.string(),
  state: v.string(),
  postal_code: v.string(),
});

export const ninBasicRecord = v.strictObject({
  nin: v.string(),
  firstname: v.string(),
  lastname: v.string(),
  middlename: v.string(),
  phone: v.string(),
  /** `m`, `f`, or empty if the registry has no value. */
  gender: v.picklist(['m', 'f', '']),
  /** DD-MM-YYYY, or empty. */
  birthdate: v.string(),
  /** Base64 without a data-URI prefix, or empty. */
  photo: v.string(),
  residence,
});

export const ninRecord = v.strictObject({
  ...ninBasicRecord.entries,
  title: v.string(),
  email: v.string(),
  profession: v.string(),
  marital_status: v.string(),
  employment_status: v.string(),
  birth_state: v.string(),
  birth_country: v.string(),
  state_of_origin: v.string(),
  lga_of_origin: v.string(),
  nspokenlang: v.string(),
  religion: v.string(),
  next_of_kin: nextOfKin,
  signature: v.string(),
  tracking_id: v.string(),
});

export type NinRecord = v.InferOutput<typeof ninRecord>;

/** The service never returns the next of kin in clear text (specification): each field has this mask. */
export const NEXT_OF_KIN_MASKED: NinRecord['next_of_kin'] = {
  firstname: '****',
  lastname: '****',
  middlename: '****',
  address1: '****',
  address2: '****',
  town: '****',
  lga: '****',
  state: '****',
  postal_code: '****',
};

/** A record without values, for products that return only some fields. */
export const EMPTY_NIN: NinRecord = {
  nin: '',
  firstname: '',
  lastname: '',
  middlename: '',
  phone: '',
  gender: '',
  birthdate: '',
  photo: '',
  residence: { address1: '', town: '', lga: '', state: '' },
  title: '',
  email: '',
  profession: '',
  marital_status: '',
  employment_status: '',
  birth_state: '',
  birth_country: '',
  state_of_origin: '',
  lga_of_origin: '',
  nspokenlang: '',
  religion: '',
  next_of_kin: NEXT_OF_KIN_MASKED,
  signature: '',
  tracking_id: '',
};
