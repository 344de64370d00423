import type { OrganisationTable } from '../../accounts/organisation-table.ts';
import type { AuditEntry } from '../../audit/audit-entry.ts';
import type { AuditTable } from '../../audit/audit-table.ts';
import { requireOrganisation } from './organisations.ts';

interface AuditFilter {
  /** Only changes to this organisation. @default changes to all organisations and to the stage */
  readonly organisationId?: string | undefined;
  /** ISO times: `from` is inclusive, and `to` is exclusive. @default no limit */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Returns the operations on the audit trail. */
export function auditOperations(organisations: OrganisationTable, table: AuditTable) {
  return {
    /** Returns the changes that operators, members and functions made, newest first. */
    async auditTrail({ organisationId, from, to }: AuditFilter): Promise<AuditEntry[]> {
      if (organisationId !== undefined) await requireOrganisation(organisations, organisationId);
      const entries = await (organisationId === undefined
        ? table.listAllEntries()
        : table.listEntries(organisationId));
      return entries.filter(({ at }) => (from === undefined || at >= from) && (to === undefined || at < to));
    },
  };
}
