import {
  listStatement,
  readOpening,
  statementDependencies,
  statementQuery,
} from '../../shared/ledger/console/statement.ts';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';

const deps = statementDependencies();

export const handler = consoleRoute('list-statement', listStatement(deps), {
  query: statementQuery,
  prefetch: readOpening(deps),
});
