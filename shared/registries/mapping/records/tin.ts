import * as v from 'valibot';
import { TIN_FORMATS } from '../../../core/id-types.ts';

/** Source: contract D5. Every field is present, and empty if the registry has no value. */
export const tinRecord = v.strictObject({
  /** The number in the canonical form of its format (contract D6). */
  tin: v.string(),
  tin_format: v.picklist(TIN_FORMATS),
  name: v.string(),
  tax_office: v.string(),
  registration_date: v.string(),
  business_type: v.string(),
  rc_number: v.string(),
  email: v.string(),
  phone: v.string(),
});

export type TinRecord = v.InferOutput<typeof tinRecord>;
