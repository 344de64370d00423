import * as v from 'valibot';

/** Source: contract D3. Every field is present, and empty if the registry has no value. */
export const bvnBasicRecord = v.strictObject({
  bvn: v.string(),
  firstname: v.string(),
  lastname: v.string(),
  middlename: v.string(),
  /** DD-MM-YYYY, or empty. */
  birthdate: v.string(),
  /** `m`, `f`, or empty if the registry has no value. */
  gender: v.picklist(['m', 'f', '']),
  phone: v.string(),
  /** Base64 without a data-URI prefix, or empty. */
  photo: v.string(),
});

export const bvnRecord = v.strictObject({
  ...bvnBasicRecord.entries,
  title: v.string(),
  email: v.string(),
  nationality: v.string(),
  marital_status: v.string(),
  residential_address: v.string(),
  state_of_origin: v.string(),
  lga_of_origin: v.string(),
  state_of_residence: v.string(),
  lga_of_residence: v.string(),
  name_on_card: v.string(),
  nin: v.string(),
  phone_number2: v.string(),
  registration_date: v.string(),
  enrollment_bank: v.string(),
  enrollment_branch: v.string(),
  level_of_account: v.string(),
  watch_listed: v.string(),
});

export type BvnRecord = v.InferOutput<typeof bvnRecord>;
