import * as v from 'valibot';

/** Source: decision D5. Every field is present, and empty if the registry has no value. */
export const tinRecord = v.strictObject({
  tin: v.string(),
  name: v.string(),
  tax_office: v.string(),
  registration_date: v.string(),
  business_type: v.string(),
  rc_number: v.string(),
  email: v.string(),
  phone: v.string(),
});

export type TinRecord = v.InferOutput<typeof tinRecord>;
