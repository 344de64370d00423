import { type AuditTable, auditTable } from '../../audit/audit-table.ts';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { type PersonLimiterTable, personLimiterTable } from '../person-limiter-table.ts';
import { type SessionCheckTable, sessionCheckTable } from '../session-check-table.ts';
import { type SessionTable, sessionTable } from '../session-table.ts';

/** The dependencies of the console's chains. Functions use the real dependencies, and tests pass others. */
export interface ConsoleDependencies {
  readonly checks: SessionCheckTable;
  readonly sessions: Pick<SessionTable, 'useSession'>;
  readonly limiter: PersonLimiterTable;
  /** Only routes with an action may write the audit trail. */
  readonly audit: () => Pick<AuditTable, 'entryItem'>;
  readonly nowMs: () => number;
}

export function consoleDependencies(): ConsoleDependencies {
  const client = database();
  const table = setting('CONSOLE_TABLE');
  return {
    checks: sessionCheckTable(client, table, setting('API_KEYS_TABLE')),
    sessions: sessionTable(client, table),
    limiter: personLimiterTable(client, table),
    audit: () => auditTable(client, setting('AUDIT_TRAIL_TABLE')),
    nowMs: Date.now,
  };
}
