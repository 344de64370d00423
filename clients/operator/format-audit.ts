import type { AuditEntry } from '../../shared/audit/audit-entry.ts';
import { csvRow } from '../../shared/core/csv.ts';
import { table, time } from './output.ts';

export const AUDIT_FORMATS = ['table', 'csv'] as const;
export type AuditFormat = (typeof AUDIT_FORMATS)[number];

/**
 * Formats entries of the audit trail for people (`table`), or for spreadsheets (`csv`, where each row ends with a line
 * break).
 */
export function formatAuditTrail(entries: readonly AuditEntry[], format: AuditFormat): string {
  if (format === 'csv') return [CSV_COLUMNS, ...entries.map(csvCells)].map(csvRow).join('');
  const head = ['TIME', 'BY', 'ACTION', 'ORG', 'ON', 'CHANGE'];
  return table(
    head,
    entries.map((entry) => [
      time(entry.at),
      entry.actor,
      actionText(entry),
      entry.organisationId ?? '',
      entry.target,
      changeText(entry),
    ]),
  );
}

/** Names the action that was approved, and who requested it: `approve (wallet top-up, requested by ada)`. */
function actionText({ action, approval }: AuditEntry): string {
  return approval ? `${action} (${approval.action}, requested by ${approval.requestedBy})` : action;
}

const CSV_COLUMNS = [
  'time',
  'actor',
  'action',
  'organisation',
  'target',
  'before',
  'after',
  'command_id',
  'approval_id',
  'requested_by',
] as const;

function csvCells(entry: AuditEntry): string[] {
  const { at, actor, action, organisationId = '', target, before, after, commandId, approval } = entry;
  const approved = [approval?.id ?? '', approval?.requestedBy ?? ''];
  return [
    at,
    actor,
    action,
    organisationId,
    target,
    ...[before, after].map(valuesText),
    commandId,
    ...approved,
  ];
}

function valuesText(values: Readonly<Record<string, unknown>> | undefined): string {
  return values ? JSON.stringify(values) : '';
}

/**
 * Returns text such as `status PENDING → APPROVED` for each value that changed, and `status PENDING` for each value of
 * a new target.
 */
function changeText({ before, after = {} }: AuditEntry): string {
  return Object.entries(after)
    .filter(([name, value]) => !before || JSON.stringify(before[name]) !== JSON.stringify(value))
    .map(([name, value]) => {
      const was = before && name in before ? `${valueText(before[name])} → ` : '';
      return `${name} ${was}${valueText(value)}`;
    })
    .join('; ');
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
