import type { OrganisationName, OrganisationStatus } from '../../accounts/console/views.ts';

/** Also returned by PUT /organisation and POST /organisation/submit. */
export interface OrganisationView extends OrganisationName {
  readonly status: OrganisationStatus;
  readonly profile: ProfileFields | null;
  readonly checks: { readonly company: CheckView | null; readonly tax: CheckView | null };
  /** Null if none were. */
  readonly accepted_terms: { readonly version: string; readonly accepted_at: string } | null;
  /** For the next PUT. 0 if there is no profile. */
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

/** When the profile was last submitted. */
export interface CheckView {
  readonly result: 'FOUND' | 'NOT_FOUND' | 'UNAVAILABLE';
  /** Registered under the organisation's name. Null unless a company was found. */
  readonly is_name_equal: boolean | null;
}
