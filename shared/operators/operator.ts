import { NO_RECORD } from '../audit/recorder.ts';
import { REAL_CLOCK } from '../core/clock.ts';
import type { Deployment, Workplace } from './deployment.ts';
import { approvalsOf } from './operations/approvals.ts';
import { auditOf } from './operations/audit.ts';
import { billingOf } from './operations/billing.ts';
import { documentsOf } from './operations/credit-notes.ts';
import { financeOf } from './operations/finance.ts';
import { keysOf } from './operations/keys.ts';
import { membersOf } from './operations/members.ts';
import { monthsOf } from './operations/months.ts';
import { ordersOf } from './operations/orders.ts';
import { organisationsOf } from './operations/organisations.ts';
import { pricesOf } from './operations/prices.ts';
import { privacyOf } from './operations/privacy.ts';
import { privacyReportsOf } from './operations/privacy-reports.ts';
import { reportsOf } from './operations/reports.ts';
import { walletsOf } from './operations/wallets.ts';

/**
 * Returns all operations of operators on the tables of one deployment. A function of the operator API creates only the
 * groups that it uses. If an operation is not possible, it throws an `Error` whose message is meant for the operator.
 */
export function operator(
  deployment: Deployment,
  { recorder = NO_RECORD, clock = REAL_CLOCK }: Partial<Omit<Workplace, 'deployment'>> = {},
) {
  const place = { deployment, recorder, clock };
  return {
    ...organisationsOf(place),
    ...membersOf(place),
    ...keysOf(place),
    ...walletsOf(place),
    ...privacyOf(place),
    ...privacyReportsOf(place),
    ...approvalsOf(place),
    ...pricesOf(place),
    ...monthsOf(place),
    ...ordersOf(place),
    ...documentsOf(place),
    ...billingOf(place),
    ...auditOf(place),
    ...reportsOf(place),
    ...financeOf(place),
  };
}

export type Operator = ReturnType<typeof operator>;
