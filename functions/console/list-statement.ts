import {
  listStatement,
  readOpening,
  statementDependencies,
  statementQuery,
} from '../../shared/ledger/console/statement.ts';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';

const deps = statementDependencies();

/** GET /console/api/wallet/statement: one month of the statement, with its running balance. */
export const handler = consoleRoute('list-statement', listStatement(deps), {
  query: statementQuery,
  prefetch: readOpening(deps),
});
