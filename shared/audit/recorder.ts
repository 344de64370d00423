import { isDeepStrictEqual } from 'node:util';
import { newOperationId } from '../core/ids.ts';
import type { ApprovalRequest } from './approval.ts';
import type { ApprovalTable } from './approval-table.ts';
import type { AuditEntry, Change } from './audit-entry.ts';
import type { AuditTable, TransactItem } from './audit-table.ts';

/** Records changes in the audit trail. */
export interface Recorder {
  /**
   * Returns the items that record the changes of one transaction. They belong in that transaction. It must call this
   * once, because the approval of a change is written once in each transaction.
   */
  record(...changes: readonly Change[]): readonly TransactItem[];
}

/** One run of a command, or of an action of a member or function. `commandId` is a ULID of this run. */
export type CommandRun = Pick<
  AuditEntry,
  'actor' | 'action' | 'commandId' | 'approval' | 'address' | 'requestId'
>;

/** Records the changes of one run. `nowMs` returns the time of the AWS clock, in epoch milliseconds. */
export function auditRecorder(
  table: Pick<AuditTable, 'entryItem'>,
  run: CommandRun,
  nowMs: () => number,
): Recorder {
  return {
    record: (...changes) =>
      changes.map((change) => {
        const atMs = nowMs();
        const entry = { ...run, ...change, id: newOperationId(atMs), at: new Date(atMs).toISOString() };
        return table.entryItem(entry);
      }),
  };
}

/**
 * Records changes that another person requested, each with the approval of the request, so that a run of a command
 * can use the request only if no other run has.
 */
export function approvingRecorder(
  table: Pick<AuditTable, 'entryItem'>,
  approvals: Pick<ApprovalTable, 'approvalItem'>,
  { id, action, requestedBy }: Pick<ApprovalRequest, 'id' | 'action' | 'requestedBy'>,
  run: CommandRun,
  nowMs: () => number,
): Recorder {
  const { record } = auditRecorder(table, { ...run, approval: { id, action, requestedBy } }, nowMs);
  let approvedAt: string | undefined;
  return {
    record(...changes) {
      // A long change, such as an erasure, is recorded in several transactions.
      approvedAt ??= new Date(nowMs()).toISOString();
      const { actor: approvedBy, commandId } = run;
      return [...record(...changes), approvals.approvalItem({ id, approvedBy, approvedAt, commandId })];
    },
  };
}

/** Records nothing. For code that only reads or whose changes are not recorded, for demo data and for tests. */
export const NO_RECORD: Recorder = { record: () => [] };

type Values = Readonly<Record<string, unknown>>;

/** Returns the values that differ between two rows. A value that only one row has is null in the other. */
export function changedValues(
  before: Values,
  after: Values,
): { before: Record<string, unknown>; after: Record<string, unknown> } {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  const pick = (row: Values) => Object.fromEntries(changed.map((name) => [name, row[name] ?? null]));
  return { before: pick(before), after: pick(after) };
}
