import { createHash } from 'node:crypto';
import type { Role } from '../../shared/core/member-role.ts';

/** The members of the demo organisation, who can sign in to the local console with one click. */

export interface DemoMember {
  /** Also the person's subject at the local identity provider. */
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}

export const DEMO_MEMBERS: readonly DemoMember[] = [
  member('Amaka Obi', 'owner'),
  member('Bola Adeyemi', 'developer'),
  member('Chidi Okafor', 'finance'),
  member('Dayo Bello', 'viewer'),
];

function member(name: string, role: Role): DemoMember {
  const email = `${name.split(' ')[0]?.toLowerCase()}.${role}@example.com`;
  return { id: personIdOf(email), email, name, role };
}

/** Returns the ID of the person with this email address: a UUID, as in Cognito. It is the same at each start. */
export function personIdOf(email: string): string {
  const hex = createHash('sha256').update(email.toLowerCase()).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
