import type { Organisation } from '../../../shared/accounts/organisation.ts';
import type { NumberCheck, Profile } from '../../../shared/members/rows.ts';
import { fields, time } from '../output.ts';

/** Formats the profile of an organisation for the person who approves it. */
export function profileText(
  { id, name, status }: Pick<Organisation, 'id' | 'name' | 'status'>,
  profile: Profile | undefined,
): string {
  const organisation = { id, name, status };
  if (!profile) return fields({ ...organisation, profile: 'none' });
  const { companyNumber, taxNumber, address, billingContact, privacyContact, terms } = profile;
  const lines = address.map((line, index) => [index === 0 ? 'address' : ' '.repeat(index), line] as const);
  return fields({
    ...organisation,
    'profile version': String(profile.version),
    'company number': `${companyNumber}: ${checkText(profile.companyCheck)}`,
    'tax number': `${taxNumber}: ${checkText(profile.taxCheck)}`,
    ...Object.fromEntries(lines),
    'billing contact': `${billingContact.name}, ${billingContact.email}`,
    'privacy contact': `${privacyContact.name}, ${privacyContact.email}`,
    terms: terms
      ? `version ${terms.version}, accepted ${time(terms.acceptedAt)} by ${terms.acceptedBy}`
      : 'none',
    submitted:
      profile.submittedAt === undefined
        ? 'no'
        : `${time(profile.submittedAt)} by ${profile.submittedBy ?? ''}`,
  });
}

/** Formats the result of a check. Its look-up can be found in the logs by the request ID. */
function checkText(check: NumberCheck | undefined): string {
  if (!check) return 'not checked';
  const { result, checkedAt, requestId } = check;
  return `${result}${nameText(check)} (${time(checkedAt)}, ${requestId})`;
}

/** Compares the registered name with that of the organisation. The name of an individual is not stored. */
function nameText({ result, name, isNameEqual }: NumberCheck): string {
  if (result !== 'FOUND') return '';
  if (name === undefined) return ', not known to be a company, so its name was not stored';
  return `, ${name} (${isNameEqual ? 'same name' : 'different name'})`;
}
