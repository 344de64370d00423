import { setting } from '../../shared/core/config.ts';
import { database } from '../../shared/core/database.ts';
import { showBackground } from '../../shared/http/operators/show-background.ts';
import { backgroundTable } from '../../shared/operators/background-table.ts';

/** GET /operations/{id}: the state of a change that continues in the background. */
export const handler = showBackground(backgroundTable(database(), setting('APPROVALS_TABLE')));
