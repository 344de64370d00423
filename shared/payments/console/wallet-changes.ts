import { organisationTable } from '../../accounts/organisation-table.ts';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { memberActor } from '../../members/member-actor.ts';
import type { ConsoleRun } from '../../members/middleware/console-route.ts';
import type { ConsoleRequest } from '../../members/middleware/member-request.ts';
import { billingTable } from '../prices/billing-table.ts';
import type { changeBalanceAlertBody, updateBillingBody } from './bodies.ts';
import { changeBalanceAlert } from './change-balance-alert.ts';
import { billingView } from './payment-views.ts';
import { enteredBilling, updateBilling } from './update-billing.ts';
import type { BillingFields, WalletView } from './views.ts';
import { alertView } from './wallet-view.ts';

/** PUT /wallet/billing. Existing documents do not change. */
export function changeBilling(): ConsoleRun<ConsoleRequest, typeof updateBillingBody, undefined> {
  const [client, tableName] = [database(), setting('PAYMENTS_TABLE')];
  return async ({ organisation, person, recorder, nowMs }, body) => {
    const author = { actor: memberActor(person.id), nowMs };
    const table = billingTable(client, tableName, recorder);
    const party = await updateBilling(organisation.id, enteredBilling(body), author, table);
    return { data: billingView(party) satisfies BillingFields };
  };
}

/** PUT /wallet/alert. */
export function changeAlert(): ConsoleRun<ConsoleRequest, typeof changeBalanceAlertBody, undefined> {
  const [client, tableName] = [database(), setting('API_KEYS_TABLE')];
  const settings = { lowBalanceCredits: setting('LOW_BALANCE_CREDITS') };
  return async ({ organisation, recorder }, { below }) => {
    const table = organisationTable(client, tableName, recorder);
    const changed = await changeBalanceAlert(organisation, below ?? undefined, table);
    return { data: alertView(changed, settings) satisfies WalletView['alert'] };
  };
}
