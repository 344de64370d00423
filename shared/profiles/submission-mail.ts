import { lines, type Mail, quoted } from '../members/mail.ts';
import type { Profile } from '../members/rows.ts';

/** To the operator. It names no person. */
export function submissionMail(
  to: string,
  organisation: { readonly id: string; readonly name: string },
  { companyNumber, companyCheck, taxCheck, version }: Profile,
): Mail {
  return {
    to,
    subject: `Organisation ${organisation.id} is waiting for approval`,
    text: lines(
      `The organisation ${quoted(organisation.name)} (${organisation.id}) was submitted for approval.`,
      `Company number: ${companyNumber} (look-up: ${companyCheck?.result ?? 'none'}). Tax number (look-up: ${taxCheck?.result ?? 'none'}).`,
      `Check its profile with \`admin org profile ${organisation.id}\`. Approve it with \`admin org approve ${organisation.id} --profile ${version}\`.`,
    ),
  };
}
