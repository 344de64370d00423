import * as v from 'valibot';

/** Source: contract D4. If the registry has no value, it is empty, 0, false or null. */

export const director = v.strictObject({ surname: v.string(), firstname: v.string(), otherName: v.string() });

export const cacAffiliate = v.strictObject({
  surname: v.string(),
  firstname: v.string(),
  otherName: v.string(),
  corporationName: v.string(),
  rcNumber: v.string(),
  isCorporate: v.boolean(),
  affiliateType: v.string(),
  nationality: v.string(),
  gender: v.string(),
  occupation: v.string(),
  email: v.string(),
  phoneNumber: v.string(),
  address: v.string(),
  city: v.string(),
  state: v.string(),
  status: v.string(),
  dateOfAppointment: v.string(),
  numSharesAlloted: v.number(),
  typeOfShares: v.string(),
  /** A percentage with two decimals. Null if neither the registry nor the allotted shares provide it. */
  shareholdingPercentage: v.nullable(v.number()),
  /** Whether the percentage was derived from the allotted shares, because the registry provided none. */
  shareholdingPercentageDerived: v.boolean(),
});

export const cacBasicRecord = v.strictObject({
  companyName: v.string(),
  /** The query's canonical number, with its type, such as BN1234567. */
  rcNumber: v.string(),
  status: v.string(),
  registrationDate: v.string(),
  companyType: v.string(),
  classification: v.string(),
  headOfficeAddress: v.string(),
  branchAddress: v.string(),
  city: v.string(),
  lga: v.string(),
  state: v.string(),
  companyEmail: v.string(),
  natureOfBusiness: v.string(),
  shareCapital: v.number(),
  shareCapitalInWords: v.string(),
  affiliates: v.number(),
  directors: v.array(director),
});

export const cacRecord = v.strictObject({ ...cacBasicRecord.entries, affiliatesData: v.array(cacAffiliate) });

export type CacRecord = v.InferOutput<typeof cacRecord>;
export type CacAffiliate = v.InferOutput<typeof cacAffiliate>;
