import { type OrganisationTable, organisationTable } from '../../accounts/organisation-table.ts';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { ServiceError } from '../../core/errors.ts';
import { shownStatus } from '../../profiles/console/organisation-views.ts';
import { type ProfileTable, profileTable } from '../../profiles/profile-table.ts';
import { type MembershipTable, membershipTable } from '../membership-table.ts';
import type { SignedInRequest } from '../middleware/member-request.ts';
import { byName } from '../sign-in.ts';
import type { SessionView } from './views.ts';

export interface SessionViewDependencies {
  readonly memberships: Pick<MembershipTable, 'listMemberships'>;
  readonly organisations: Pick<OrganisationTable, 'getOrganisation'>;
  readonly profiles: Pick<ProfileTable, 'getProfile'>;
  /** The data that is the same for all sessions of the stage. */
  readonly links: Pick<SessionView, 'stage' | 'api_url' | 'documentation_url' | 'terms' | 'support_contact'>;
}

export function sessionViewDependencies(): SessionViewDependencies {
  const client = database();
  const [table, apiKeys] = [setting('CONSOLE_TABLE'), setting('API_KEYS_TABLE')];
  return {
    memberships: membershipTable(client, table),
    organisations: organisationTable(client, apiKeys),
    profiles: profileTable(client, { console: table, apiKeys }),
    links: {
      stage: setting('STAGE'),
      api_url: setting('API_URL'),
      documentation_url: setting('DOCUMENTATION_URL'),
      terms: setting('TERMS'),
      support_contact: setting('SUPPORT_CONTACT'),
    },
  };
}

/**
 * Reads what the pages show about the session in this organisation, in one round trip. Throws RESOURCE_NOT_FOUND if the
 * person is not a member of it. `organisationId` is undefined for people without an organisation.
 */
export async function readSessionView(
  { person, session, organisation: current }: SignedInRequest,
  organisationId: string | undefined,
  { memberships, organisations, profiles, links }: SessionViewDependencies,
): Promise<SessionView> {
  const isCurrent = organisationId !== undefined && organisationId === current?.id;
  const [all, organisation, profile] = await Promise.all([
    memberships.listMemberships(person.id),
    isCurrent || organisationId === undefined ? current : organisations.getOrganisation(organisationId),
    organisationId === undefined ? undefined : profiles.getProfile(organisationId),
  ]);
  const active = all.filter(({ status }) => status === 'ACTIVE').sort(byName);
  const membership = active.find((row) => row.organisationId === organisationId);
  if (organisationId !== undefined && !(membership && organisation))
    throw new ServiceError('RESOURCE_NOT_FOUND');
  return {
    person: { id: person.id, name: person.name, email: person.email },
    signed_in_at: session.signedInAt,
    organisation:
      membership && organisation
        ? {
            id: organisation.id,
            name: organisation.name,
            status: shownStatus(organisation.status, profile),
            suspended_because: organisation.suspendedBecause ?? null,
            role: membership.role,
          }
        : null,
    organisations: active.map((row) => ({
      id: row.organisationId,
      name: row.organisationName,
      role: row.role,
    })),
    ...links,
  };
}
