import {
  changeDependencies,
  changesQuery,
  readNames,
  showChanges,
} from '../../shared/audit/console/changes.ts';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';

const deps = changeDependencies();

export const handler = consoleRoute('list-changes', showChanges(deps), {
  query: changesQuery,
  prefetch: readNames(deps),
});
