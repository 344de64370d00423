import * as v from 'valibot';

/** Source: contract D5. Every field is present, and empty if the registry has no value. */
export const nubanRecord = v.strictObject({
  account_number: v.string(),
  account_name: v.string(),
  bank_code: v.string(),
  bank_name: v.string(),
  /** ISO 4217. */
  currency: v.string(),
});

export type NubanRecord = v.InferOutput<typeof nubanRecord>;
