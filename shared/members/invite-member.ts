import { createHash, randomBytes } from 'node:crypto';
import type { Organisation } from '../accounts/organisation.ts';
import { DAY_MS } from '../core/clock.ts';
import { ServiceError } from '../core/errors.ts';
import { newOperationId } from '../core/ids.ts';
import type { Role } from '../core/member-role.ts';
import { type CountedUp, type InvitationTable, inboxOf, type ReadCounter } from './invitation-table.ts';
import type { MemberTable } from './member-table.ts';
import { isActive, isOwner, mayAssign, OWNERS_ONLY } from './role.ts';
import type { Invitation, Membership, SendingCounter } from './rows.ts';

const LIFE_MS = 7 * DAY_MS;
/** The row, and with it the email address, is deleted this long after the invitation has expired. */
const KEPT_MS = 30 * DAY_MS;
export const MOST_OPEN = 20;
/** Invitations to one address replace each other, so MOST_OPEN does not limit the emails that the address receives. */
export const MOST_A_DAY = 50;
/** From members of any organisation, because anyone can create one. As many for sign-ups. Operators may always invite. */
const MOST_TO_ADDRESS_A_DAY = 5;
/** The others are left for the employer of the person. */
const MOST_FROM_UNAPPROVED = 3;
/** All sign-ups from one network. An office shares it, and so do many customers of a mobile network. */
export const MOST_FROM_NETWORK_A_DAY = 50;
/**
 * All emails for sign-ups of the stage, except to people whom an operator or an approved organisation has invited. Those
 * to invented addresses bounce, and SES may then stop invitations and alerts too.
 */
const MOST_SIGN_UP_MAILS_A_DAY = 500;
/** Beyond these, each network has a few, so that busy ones do not use up the emails of everyone. */
const MOST_FOR_BUSY_NETWORKS_A_DAY = 250;
const FIRST_OF_NETWORK = 3;
const MAX_ATTEMPTS = 5;

interface InvitationOrder {
  readonly organisation: Pick<Organisation, 'id' | 'name' | 'status'>;
  /** In lower case. */
  readonly email: string;
  readonly role: Role;
  /** Undefined if an operator invites the person. */
  readonly inviter: Membership | undefined;
}

interface InvitingTables {
  readonly members: Pick<MemberTable, 'listMembers'>;
  readonly invitations: InvitationTable;
}

/**
 * Invites a person by their email address, and cancels an earlier invitation to this address. Returns the invitation
 * and its secret, of which only the hash is stored. The result is the same whether or not the address has an account.
 */
export async function inviteMember(
  order: InvitationOrder,
  { members, invitations }: InvitingTables,
  nowMs: number,
): Promise<{ readonly row: Invitation; readonly secret: string }> {
  const { organisation, email, role, inviter } = order;
  if (inviter && !mayAssign(inviter.role, role))
    throw new ServiceError('ROLE_REQUIRED', { message: OWNERS_ONLY });
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    // Read before the invitations, so that an invitation that is sent in the meantime is noticed.
    const [ofOrganisation, ofAddress] = await invitations.getCounters(organisation.id, email);
    const [team, sent] = await Promise.all([
      members.listMembers(organisation.id),
      invitations.listInvitations(organisation.id),
    ]);
    if (team.some((one) => isActive(one) && one.email === email)) throw new ServiceError('ALREADY_MEMBER');
    const open = sent.filter((one) => isOpen(one, nowMs));
    const replaced = open.filter((one) => one.email === email);
    const isTrusted = !inviter || organisation.status === 'APPROVED';
    const trusted = isTrusted ? { invitedUntil: new Date(nowMs + LIFE_MS).toISOString() } : {};
    const counted = [countUp(ofOrganisation, nowMs), countUp(ofAddress, nowMs, trusted)];
    const mostToAddress = organisation.status === 'APPROVED' ? MOST_TO_ADDRESS_A_DAY : MOST_FROM_UNAPPROVED;
    const most = [MOST_A_DAY, inviter ? mostToAddress : Infinity];
    const isFull = counted.some(({ after }, index) => after.sent > (most[index] ?? 0));
    if (open.length - replaced.length >= MOST_OPEN || isFull)
      throw new ServiceError('INVITATION_LIMIT_REACHED');
    const secret = randomBytes(32).toString('base64url');
    const row = newInvitation(order, secret, team.some(isOwner), nowMs);
    if (await invitations.insertInvitation(row, counted, replaced)) return { row, secret };
  }
  throw new ServiceError('CHANGED_MEANWHILE');
}

/** Counts an email to someone who signs up. `ofNetwork` is the number of the sign-up from `limitSignUps`. */
export async function countSignUp(
  { email, ofNetwork }: { readonly email: string; readonly ofNetwork: number },
  invitations: Pick<InvitationTable, 'getSignUpCounters' | 'putCounters'>,
  nowMs: number,
): Promise<'counted' | 'address-limit' | 'stage-limit'> {
  // Sign-ups with tagged addresses leave the last one to the owner of the inbox.
  const most = MOST_TO_ADDRESS_A_DAY - (inboxOf(email) === email ? 0 : 1);
  const mostOfStage = ofNetwork <= FIRST_OF_NETWORK ? MOST_SIGN_UP_MAILS_A_DAY : MOST_FOR_BUSY_NETWORKS_A_DAY;
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const [address, stage, invited] = await invitations.getSignUpCounters(email);
    const isInvited = Date.parse(invited.before?.invitedUntil ?? '') > nowMs;
    const ofAddress = countUp(address, nowMs);
    const ofStage = countUp(stage, nowMs);
    if (ofAddress.after.sent > most) return 'address-limit';
    if (!isInvited && ofStage.after.sent > mostOfStage) return 'stage-limit';
    if (await invitations.putCounters(isInvited ? [ofAddress] : [ofAddress, ofStage], nowMs))
      return 'counted';
  }
  throw new ServiceError('CHANGED_MEANWHILE');
}

/**
 * Counts a sign-up before anything depends on its address, and returns its number among those of its network today.
 * Throws RATE_LIMITED if the network has used up its own.
 */
export async function limitSignUps(
  network: string,
  invitations: Pick<InvitationTable, 'getNetworkCounter' | 'putCounters'>,
  nowMs: number,
): Promise<number> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const counted = countUp(await invitations.getNetworkCounter(network), nowMs);
    if (counted.after.sent > MOST_FROM_NETWORK_A_DAY)
      throw new ServiceError('RATE_LIMITED', {
        message:
          'Too many people have asked for an account from your network today. Try again after midnight UTC.',
        retryAfterSeconds: Math.ceil((DAY_MS - (nowMs % DAY_MS)) / 1000),
      });
    if (await invitations.putCounters([counted], nowMs)) return counted.after.sent;
  }
  throw new ServiceError('CHANGED_MEANWHILE');
}

export function isOpen({ state, notAfter }: Invitation, nowMs: number): boolean {
  return state === 'OPEN' && Date.parse(notAfter) > nowMs;
}

export function invitationHash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

function newInvitation(order: InvitationOrder, secret: string, hasOwner: boolean, nowMs: number): Invitation {
  const { organisation, email, role, inviter } = order;
  const notAfterMs = nowMs + LIFE_MS;
  return {
    id: newOperationId(nowMs),
    hash: invitationHash(secret),
    organisationId: organisation.id,
    organisationName: organisation.name,
    role,
    email,
    state: 'OPEN',
    ...(inviter ? { invitedBy: inviter.personId } : !hasOwner && { hadNoOwner: true }),
    createdAt: new Date(nowMs).toISOString(),
    notAfter: new Date(notAfterMs).toISOString(),
    expiresAt: Math.ceil((notAfterMs + KEPT_MS) / 1000),
  };
}

function countUp(
  counter: ReadCounter,
  nowMs: number,
  more: Pick<SendingCounter, 'invitedUntil'> = {},
): CountedUp {
  const { before } = counter;
  const day = new Date(nowMs).toISOString().slice(0, 10);
  const earlier = before?.day === day ? before.sent : 0;
  const version = (before?.version ?? 0) + 1;
  return { ...counter, after: { ...before, day, sent: earlier + 1, version, ...more } };
}
