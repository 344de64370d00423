import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { auditTable } from '../../shared/audit/audit-table.ts';
import { auditRecorder } from '../../shared/audit/recorder.ts';
import { newOperationId } from '../../shared/core/ids.ts';
import type { Role } from '../../shared/core/member-role.ts';
import { acceptInvitation } from '../../shared/members/accept-invitation.ts';
import { createOwnOrganisation } from '../../shared/members/create-organisation.ts';
import { invitationTable } from '../../shared/members/invitation-table.ts';
import { inviteMember } from '../../shared/members/invite-member.ts';
import { memberTable } from '../../shared/members/member-table.ts';
import { membershipTable } from '../../shared/members/membership-table.ts';
import { newOrganisationTable } from '../../shared/members/new-organisation-table.ts';
import type { Membership, Person } from '../../shared/members/rows.ts';
import { tableWithoutIndexes } from '../ledger/storage/create-tables.ts';
import { openStateTable, type StateTable } from '../registries/local-state-table.ts';

const AUDIT_TRAIL = 'AuditTrail';

/** Starts DynamoDB Local with the AuditTrail table and one table for both ApiKeys and Console, which share no keys. */
export async function openConsoleTables(): Promise<StateTable> {
  const tables = await openStateTable();
  await tables.client.send(new CreateTableCommand(tableWithoutIndexes(AUDIT_TRAIL)));
  return tables;
}

/** Returns the team operations on the tables of `openConsoleTables`. */
export function consoleTeam(
  { client, tableName }: Pick<StateTable, 'client' | 'tableName'>,
  nowMs: () => number,
) {
  const audit = auditTable(client, AUDIT_TRAIL);
  const recorder = (personId: string, action: string) =>
    auditRecorder(audit, { actor: `member:${personId}`, action, commandId: newOperationId(nowMs()) }, nowMs);
  const members = (personId = 'nobody') =>
    memberTable(client, tableName, recorder(personId, 'member change'));
  const invitations = (personId: string, action = 'member invite') =>
    invitationTable(client, tableName, recorder(personId, action));

  async function organisationOf(person: Person, name = 'Harmattan Credit'): Promise<Membership> {
    const tables = { console: tableName, apiKeys: tableName };
    const organisations = newOrganisationTable(client, tables, recorder(person.id, 'organisation create'));
    const memberships = membershipTable(client, tableName);
    return createOwnOrganisation(person, name, { organisations, memberships }, nowMs());
  }
  async function invite(inviter: Membership, email: string, role: Role) {
    const organisation = {
      id: inviter.organisationId,
      name: inviter.organisationName,
      status: 'APPROVED',
    } as const;
    const tables = { members: members(), invitations: invitations(inviter.personId) };
    return inviteMember({ organisation, email, role, inviter }, tables, nowMs());
  }
  async function accept(person: Person, secret: string): Promise<Membership> {
    const tables = { members: members(), invitations: invitations(person.id, 'invitation accept') };
    return acceptInvitation(person, secret, tables, nowMs());
  }
  async function join(inviter: Membership, role: Role, person = newPerson()): Promise<Membership> {
    const { secret } = await invite(inviter, person.email, role);
    return accept(person, secret);
  }
  return { audit, members, invitations, organisationOf, invite, accept, join };
}

let people = 0;

/** Returns an invented person, different from all others. */
export function newPerson(name = 'Ngozi Invented'): Person {
  people += 1;
  return {
    id: `person-${people}`,
    email: `person${people}@example.com`,
    name,
    createdAt: '2026-11-01T08:00:00.000Z',
  };
}
