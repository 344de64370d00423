import { createHash } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

import { applyRecorded, type TransactItem } from '../audit/audit-table.ts';
import { NO_RECORD, type Recorder } from '../audit/recorder.ts';
import { DAY_MS } from '../core/clock.ts';
import { ABSENT, change, listRows, put, query, readRow, update, where } from '../core/expressions.ts';
import {
  consolePk,
  INVITATION_PREFIX,
  invitationKey,
  invitedKey,
  invitingKey,
  sentInvitationKey,
  signedUpKey,
  signUpsKey,
} from '../core/keys.ts';
import { addMember, memberTarget, requireRole } from './member-table.ts';
import { type Invitation, invitation, type Membership, type SendingCounter, sendingCounter } from './rows.ts';

/**
 * Invitations in Console: `INVITATION#<hash>` / `INVITATION`, and the same row under `ORG#<org>` / `INVITATION#<id>`.
 */
export type InvitationTable = ReturnType<typeof invitationTable>;

export interface ReadCounter {
  readonly key: ReturnType<typeof invitingKey>;
  /** Undefined before the first invitation. */
  readonly before: SendingCounter | undefined;
}

export interface CountedUp extends ReadCounter {
  readonly after: SendingCounter;
}

const hashOf = (email: string) => createHash('sha256').update(inboxOf(email)).digest('hex');

/** One person reads `ada.obi+work@gmail.com` and `adaobi@gmail.com`: tags do not count, nor do dots at Gmail. */
export function inboxOf(email: string): string {
  const [name = '', domain = ''] = email.replace(/\+[^@]*@/, '@').split('@');
  const isGmail = domain === 'gmail.com' || domain === 'googlemail.com';
  return isGmail ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}

/** Counters are kept for longer than the day that they count. */
const COUNTER_LIFE_MS = 2 * DAY_MS;

/** Returns how the audit trail identifies an invitation: by ID, as it does not contain the email address. */
const invitationTarget = ({ id }: Invitation) => `invitation ${id}`;

/** `recorder` records changes. It is absent if the table is only read, and in some tests. */
export function invitationTable(
  client: DynamoDBDocumentClient,
  tableName: string,
  recorder: Recorder = NO_RECORD,
) {
  const keysOf = ({ hash, organisationId, id }: Invitation) => [
    invitationKey(hash),
    sentInvitationKey(organisationId, id),
  ];
  const insert = (row: Invitation): TransactItem[] =>
    keysOf(row).map((key) => put(tableName, { ...key, ...row }, ABSENT));
  const close = (row: Invitation, state: Invitation['state']): TransactItem[] =>
    keysOf(row).map((key) => update(tableName, key, change`SET state = ${state}`, where`state = ${'OPEN'}`));
  const readCounter = async (key: ReadCounter['key']) => ({
    key,
    before: await readRow(client, sendingCounter, tableName, key),
  });
  const putCount = ({ key, before, after }: CountedUp, nowMs: number): TransactItem => {
    const keptUntilMs = Math.max(nowMs + COUNTER_LIFE_MS, Date.parse(after.invitedUntil ?? after.day));
    const expiresAt = Math.ceil(keptUntilMs / 1000);
    const condition = before ? where`version = ${before.version}` : ABSENT;
    return put(tableName, { ...key, ...after, expiresAt }, condition);
  };
  return {
    /** Returns the counters that an invitation increases: that of its organisation and that of its address. */
    getCounters: (organisationId: string, email: string): Promise<[ReadCounter, ReadCounter]> =>
      Promise.all([readCounter(invitingKey(organisationId)), readCounter(invitedKey(hashOf(email)))]),
    getNetworkCounter: (network: string): Promise<ReadCounter> => readCounter(signUpsKey(network)),
    /** Returns the counters of emails for sign-ups to the address and of the stage, and that of invitations. */
    getSignUpCounters: (email: string): Promise<[ReadCounter, ReadCounter, ReadCounter]> =>
      Promise.all(
        [signedUpKey(hashOf(email)), signUpsKey(), invitedKey(hashOf(email))].map(readCounter),
      ) as Promise<[ReadCounter, ReadCounter, ReadCounter]>,
    /** Returns false if another email has been counted since the counters were read. */
    putCounters: (counters: readonly CountedUp[], nowMs: number): Promise<boolean> =>
      applyRecorded(
        client,
        counters.map((counter) => putCount(counter, nowMs)),
        [],
      ),
    /** Returns the invitations of an organisation that are still stored, oldest first. */
    listInvitations(organisationId: string): Promise<Invitation[]> {
      const keys = where`pk = ${consolePk(organisationId)} AND begins_with(sk, ${INVITATION_PREFIX})`;
      return listRows(client, invitation, query(tableName, keys));
    },
    getInvitation: (organisationId: string, id: string): Promise<Invitation | undefined> =>
      readRow(client, invitation, tableName, sentInvitationKey(organisationId, id)),
    findInvitation: (hash: string): Promise<Invitation | undefined> =>
      readRow(client, invitation, tableName, invitationKey(hash)),
    /**
     * Stores an invitation, and cancels those that it replaces. Returns false if another invitation has been counted
     * since the counters were read, or if one of the replaced invitations is no longer open.
     */
    insertInvitation(row: Invitation, counters: readonly CountedUp[], replaced: readonly Invitation[]) {
      const { organisationId, role, createdAt } = row;
      const counts = counters.map((counter) => putCount(counter, Date.parse(createdAt)));
      const record = recorder.record({
        organisationId,
        target: invitationTarget(row),
        after: { role, ...(replaced.length > 0 && { replaces: replaced.map(({ id }) => id) }) },
      });
      const cancelled = replaced.flatMap((one) => close(one, 'CANCELLED'));
      return applyRecorded(client, [...counts, ...insert(row), ...cancelled], record);
    },
    /** Returns false if the invitation is no longer open. */
    cancelInvitation(row: Invitation) {
      const { organisationId } = row;
      const values = { before: { status: 'OPEN' }, after: { status: 'CANCELLED' } };
      const record = recorder.record({ organisationId, target: invitationTarget(row), ...values });
      return applyRecorded(client, close(row, 'CANCELLED'), record);
    },
    /**
     * Accepts the invitation and adds the member. Returns false if the invitation is no longer open, if the person is
     * already a member, or if `inviter` was removed or no longer has the role that was read.
     */
    acceptInvitation(row: Invitation, member: Membership, inviter: Membership | undefined) {
      const { organisationId, id, role, invitedBy } = row;
      const record = recorder.record({
        organisationId,
        target: memberTarget(member.personId),
        after: { role, status: 'ACTIVE', invitation: id, ...(invitedBy !== undefined && { invitedBy }) },
      });
      const writes = [
        ...close(row, 'ACCEPTED'),
        ...addMember(tableName, member),
        ...(inviter ? [requireRole(tableName, inviter, inviter.role)] : []),
      ];
      return applyRecorded(client, writes, record);
    },
  };
}
