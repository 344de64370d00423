import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { auditTable } from '../../shared/audit/audit-table.ts';
import { auditRecorder, type Recorder } from '../../shared/audit/recorder.ts';
import { newOperationId, newRequestId } from '../../shared/core/ids.ts';
import { numberFormat } from '../../shared/core/numbers.ts';
import { acceptInvitation } from '../../shared/members/accept-invitation.ts';
import { createOwnOrganisation } from '../../shared/members/create-organisation.ts';
import { invitationTable } from '../../shared/members/invitation-table.ts';
import { inviteMember } from '../../shared/members/invite-member.ts';
import { memberActor } from '../../shared/members/member-actor.ts';
import { memberTable } from '../../shared/members/member-table.ts';
import { membershipTable } from '../../shared/members/membership-table.ts';
import { newOrganisationTable } from '../../shared/members/new-organisation-table.ts';
import { personTable } from '../../shared/members/person-table.ts';
import type { Membership, NumberCheck, Profile } from '../../shared/members/rows.ts';
import { profileTable } from '../../shared/profiles/profile-table.ts';
import { cacEntry } from '../../shared/registries/sandbox/cac-entry.ts';
import { local } from '../stages/local.ts';
import { DEMO_MEMBERS, type DemoMember } from './demo-members.ts';

/** The people of the demo organisation in the account console. They are created with the use cases of the console. */

/** The names of the tables. */
type DemoTeamTables = Readonly<Record<'apiKeys' | 'console' | 'auditTrail', string>>;

/** The owner is also a member of this pending organisation, so that they can switch between the two. */
const SECOND_ORGANISATION = 'Savannah Pay';
/** The IP address of the members, from a range for documentation (RFC 5737). */
export const DEMO_ADDRESS = '203.0.113.7';

/** Returns a recorder for a person's changes at this time. `personId` is undefined for an operator. */
export function recorderAt(
  client: DynamoDBDocumentClient,
  auditTrail: string,
  action: string,
  personId: string | undefined,
  nowMs: number,
): Recorder {
  const member = personId !== undefined && {
    address: DEMO_ADDRESS,
    requestId: newRequestId(),
    actor: memberActor(personId),
  };
  const run = { actor: 'local', action, commandId: newOperationId(nowMs), ...member };
  return auditRecorder(auditTable(client, auditTrail), run, () => nowMs);
}

/**
 * Adds the members and the profile of an approved organisation, as of `nowMs`, and a second organisation for its
 * owner.
 */
export async function createDemoTeam(
  client: DynamoDBDocumentClient,
  tables: DemoTeamTables,
  organisation: { readonly id: string; readonly name: string },
  nowMs: number,
): Promise<void> {
  const people = personTable(client, tables.console);
  const createdAt = new Date(nowMs).toISOString();
  await Promise.all(
    DEMO_MEMBERS.map(({ id, email, name }) => people.savePerson({ id, email, name, createdAt })),
  );
  const team = new DemoTeam(client, tables, nowMs);
  const [owner, ...others] = DEMO_MEMBERS;
  if (!owner) return;
  const membership = await team.join(organisation, owner, undefined);
  await Promise.all([
    team.saveProfile(organisation, owner),
    team.createSecond(owner),
    (async () => {
      // One after another, because each invitation counts the earlier ones.
      for (const member of others) await team.join(organisation, member, membership);
    })(),
  ]);
}

class DemoTeam {
  readonly #client: DynamoDBDocumentClient;
  readonly #tables: DemoTeamTables;
  readonly #nowMs: number;

  constructor(client: DynamoDBDocumentClient, tables: DemoTeamTables, nowMs: number) {
    this.#client = client;
    this.#tables = tables;
    this.#nowMs = nowMs;
  }

  /** Invites a person, who accepts. An operator invites the first owner. */
  async join(
    { id, name }: { readonly id: string; readonly name: string },
    member: DemoMember,
    inviter: Membership | undefined,
  ): Promise<Membership> {
    const { console: tableName } = this.#tables;
    const members = memberTable(this.#client, tableName);
    const sender = this.#recorder('member invite', inviter?.personId);
    const { secret } = await inviteMember(
      { organisation: { id, name, status: 'APPROVED' }, email: member.email, role: member.role, inviter },
      { members, invitations: invitationTable(this.#client, tableName, sender) },
      this.#nowMs,
    );
    const accepting = this.#recorder('invitation accept', member.id);
    const invitations = invitationTable(this.#client, tableName, accepting);
    return acceptInvitation(member, secret, { members, invitations }, this.#nowMs);
  }

  /** Saves a complete, submitted profile. The sandbox registry has records for its numbers. */
  async saveProfile({ id }: { readonly id: string }, owner: DemoMember): Promise<void> {
    const at = new Date(this.#nowMs).toISOString();
    const companyNumber = numberFormat('CAC').example;
    const taxNumber = numberFormat('TIN').example;
    const found: NumberCheck = { result: 'FOUND', checkedAt: at, requestId: newRequestId() };
    const name = String(cacEntry(companyNumber)['companyName']);
    const after: Profile = {
      companyNumber,
      taxNumber,
      address: ['2 Example Street', 'Ikeja', 'Lagos'],
      billingContact: { name: 'Accounts', email: 'accounts@example.com' },
      privacyContact: { name: 'Data protection', email: 'privacy@example.com' },
      companyCheck: { ...found, name, isNameEqual: false },
      taxCheck: found,
      ...(local.console && {
        terms: { version: local.console.terms.version, acceptedAt: at, acceptedBy: owner.id },
      }),
      submittedAt: at,
      submittedBy: owner.id,
      version: 1,
    };
    const recorded = { before: { submittedAt: null }, after: { submittedAt: at } };
    const table = profileTable(this.#client, this.#tables, this.#recorder('organisation submit', owner.id));
    const isSaved = await table.saveProfile(id, { before: undefined, after, recorded, isForPending: false });
    if (!isSaved) throw new Error('The demo organisation already has a profile.');
  }

  async createSecond(owner: DemoMember): Promise<void> {
    const recorder = this.#recorder('organisation create', owner.id);
    const organisations = newOrganisationTable(this.#client, this.#tables, recorder);
    const memberships = membershipTable(this.#client, this.#tables.console);
    await createOwnOrganisation(owner, SECOND_ORGANISATION, { organisations, memberships }, this.#nowMs);
  }

  #recorder(action: string, personId: string | undefined): Recorder {
    return recorderAt(this.#client, this.#tables.auditTrail, action, personId, this.#nowMs);
  }
}
