import { setting } from '../../shared/core/config.ts';
import { database } from '../../shared/core/database.ts';
import { backgroundTable } from '../../shared/operators/background-table.ts';
import { showBackground } from '../../shared/operators/routes/show-background.ts';

/** GET /operations/{id}: the state of a change that continues in the background. */
export const handler = showBackground(backgroundTable(database(), setting('APPROVALS_TABLE')));
