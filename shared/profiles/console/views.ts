import type { OrganisationName, OrganisationStatus } from '../../accounts/console/views.ts';

/** GET /organisation. PUT /organisation and POST /organisation/submit also return it. */
export interface OrganisationView extends OrganisationName {
  readonly status: OrganisationStatus;
  readonly created_at: string;
  readonly submitted_at: string | null;
  readonly profile: ProfileFields | null;
  readonly checks: { readonly company: CheckView | null; readonly tax: CheckView | null };
  /** The terms that were accepted. Null if none were. */
  readonly accepted_terms: { readonly version: string; readonly accepted_at: string } | null;
  /** The version to send with the next PUT. 0 if there is no profile yet. */
  readonly version: number;
}

export interface ProfileFields {
  readonly company_number: string;
  readonly tax_number: string;
  /** One or more lines. */
  readonly address: readonly string[];
  readonly billing_contact: ContactFields;
  readonly privacy_contact: ContactFields;
}

export interface ContactFields {
  readonly name: string;
  readonly email: string;
}

/** The check of a number when the profile was last submitted. */
export interface CheckView {
  readonly result: 'FOUND' | 'NOT_FOUND' | 'UNAVAILABLE';
  /** Whether the number is registered under the name of the organisation. Null unless a company was found. */
  readonly is_name_equal: boolean | null;
}
