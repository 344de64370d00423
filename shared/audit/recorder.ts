import { isDeepStrictEqual } from 'node:util';
import { newOperationId } from '../core/ids.ts';
import type { ApprovalRequest } from './approval.ts';
import type { ApprovalTable } from './approval-table.ts';
import type { AuditEntry, Change } from './audit-entry.ts';
import type { AuditTable, TransactItem } from './audit-table.ts';

/** Records changes in the audit trail. */
export interface Recorder {
  /** For the transaction of the changes. Called once for each, because an approval is written once. */
  record(...changes: readonly Change[]): readonly TransactItem[];
}

/** `commandId` is a ULID. */
export type CommandRun = Pick<
  AuditEntry,
  'actor' | 'action' | 'commandId' | 'approval' | 'address' | 'requestId'
>;

/** `nowMs`: AWS clock, epoch milliseconds. */
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

/** With the approval of the request, which only one run of a command can use. */
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
      // An erasure is recorded in several transactions.
      approvedAt ??= new Date(nowMs()).toISOString();
      const { actor: approvedBy, commandId } = run;
      return [...record(...changes), approvals.approvalItem({ id, approvedBy, approvedAt, commandId })];
    },
  };
}

/** For reads, demo data and tests. */
export const NO_RECORD: Recorder = { record: () => [] };

type Values = Readonly<Record<string, unknown>>;

/** A value that only one row has is null in the other. */
export function changedValues(
  before: Values,
  after: Values,
): { before: Record<string, unknown>; after: Record<string, unknown> } {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  const pick = (row: Values) => Object.fromEntries(changed.map((name) => [name, row[name] ?? null]));
  return { before: pick(before), after: pick(after) };
}
