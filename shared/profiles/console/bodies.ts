import * as v from 'valibot';

const contact = v.strictObject({ name: v.string(), email: v.string() });

/** The body of PUT /organisation. */
export const updateOrganisationBody = v.strictObject({
  company_number: v.string(),
  tax_number: v.string(),
  address: v.array(v.string()),
  billing_contact: contact,
  privacy_contact: contact,
  version: v.number(),
});
export type UpdateOrganisationBody = v.InferInput<typeof updateOrganisationBody>;

/** The body of POST /organisation/submit. */
export const submitOrganisationBody = v.strictObject({ terms_version: v.string(), version: v.number() });
export type SubmitBody = v.InferInput<typeof submitOrganisationBody>;
