import type { OrganisationStatus } from '../../accounts/console/views.ts';
import type { Organisation } from '../../accounts/organisation.ts';
import type { NumberCheck, Profile } from '../../members/rows.ts';
import type { CheckView, OrganisationView, ProfileFields } from './views.ts';

/** A pending organisation that waits for approval is SUBMITTED. */
export function shownStatus(
  status: Organisation['status'],
  profile: Pick<Profile, 'submittedAt'> | undefined,
): OrganisationStatus {
  return status === 'PENDING' && profile?.submittedAt !== undefined ? 'SUBMITTED' : status;
}

/** Returns the data of GET /organisation. */
export function organisationView(
  { id, name, status }: Organisation,
  profile: Profile | undefined,
): OrganisationView {
  const { terms } = profile ?? {};
  return {
    id,
    name,
    status: shownStatus(status, profile),
    profile: profile ? profileFields(profile) : null,
    checks: { company: checkView(profile?.companyCheck), tax: checkView(profile?.taxCheck) },
    accepted_terms: terms ? { version: terms.version, accepted_at: terms.acceptedAt } : null,
    version: profile?.version ?? 0,
  };
}

function profileFields(profile: Profile): ProfileFields {
  const { companyNumber, taxNumber, address, billingContact, privacyContact } = profile;
  return {
    company_number: companyNumber,
    tax_number: taxNumber,
    address,
    billing_contact: billingContact,
    privacy_contact: privacyContact,
  };
}

/** Without the registered name: members may have entered somebody else's number. */
function checkView(check: NumberCheck | undefined): CheckView | null {
  return check ? { result: check.result, is_name_equal: check.isNameEqual ?? null } : null;
}
