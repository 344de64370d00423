import type { Report } from './check-responses.ts';
import { eventsOf, killEffects, missWaits, requestsOf } from './journal.ts';
import type { SimulationRecord } from './record.ts';

/** Checks that the API explains each charge of the lender, whose day contained everything that can go wrong. */
export function checkLending({ lines, explanation }: SimulationRecord, report: Report): void {
  const own = requestsOf(lines).filter(({ phase }) => phase === 'lending');
  if (own.length === 0) return;
  if (!explanation) {
    report('the API explains each charge', 'nothing was explained');
    return;
  }
  const { problems, unexplained, unfinishedChecks } = explanation;
  for (const problem of problems) report('the API explains each charge', problem);
  if (unexplained > 0) report('the API explains each charge', `${unexplained} have no check`);
  if (unfinishedChecks > 0) report('every check ends', `${unfinishedChecks} did not`);
  const { requests } = missWaits(lines);
  if (requests > 0) report('typing errors hold up no key', `${requests} requests waited`);
}

/** Checks that everything went wrong in the lender's day. Otherwise the simulation proves little. */
export function checkLendersDay({ lines, explanation }: SimulationRecord, report: Report): void {
  const own = requestsOf(lines).filter(({ phase }) => phase === 'lending');
  const { mistyped = 0, erasedReplays = 0 } = explanation ?? {};
  const must = (what: string, isSo: boolean) => {
    if (!isSo) report('everything goes wrong in a day of the lender', what);
  };
  must('mistyped numbers', mistyped > 0);
  must('a charge that only a replay showed, and that was erased', erasedReplays > 0);
  must(
    'an outage',
    own.some(({ code }) => code === 'SERVICE_UNAVAILABLE' || code === 'TIMEOUT'),
  );
  must(
    'an empty wallet',
    own.some(({ code }) => code === 'INSUFFICIENT_FUNDS'),
  );
  must('a kill after a charge', killEffects(own).afterCharge > 0);
  must('a revoked key', eventsOf(lines, 'revoked').length > 0);
}
