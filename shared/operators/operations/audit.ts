import type { AuditEntry } from '../../audit/audit-entry.ts';
import { auditTable } from '../../audit/audit-table.ts';
import type { Workplace } from '../deployment.ts';
import { organisationsIn, requireOrganisation } from './organisations.ts';

interface AuditFilter {
  /** Only changes to this organisation. @default changes to all organisations and to the stage */
  readonly organisationId?: string | undefined;
  /** ISO times: `from` is inclusive, and `to` is exclusive. @default no limit */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The audit trail. */
export function auditOf(place: Workplace) {
  const { client, tables } = place.deployment;
  const table = auditTable(client, tables.auditTrail);
  return {
    /** Returns the changes that operators, members and functions made, newest first. */
    async auditTrail({ organisationId, from, to }: AuditFilter): Promise<AuditEntry[]> {
      if (organisationId !== undefined) await requireOrganisation(organisationsIn(place), organisationId);
      const entries = await (organisationId === undefined
        ? table.listAllEntries()
        : table.listEntries(organisationId));
      return entries.filter(({ at }) => (from === undefined || at >= from) && (to === undefined || at < to));
    },
  };
}
