import * as v from 'valibot';
import { type OrganisationTable, organisationTable } from '../../../accounts/organisation-table.ts';
import type { Recorder } from '../../../audit/recorder.ts';
import { changeBalanceAlert } from '../../../console/change-balance-alert.ts';
import { memberActor } from '../../../console/member-actor.ts';
import { billingView } from '../../../console/payment-views.ts';
import { enteredBilling, updateBilling } from '../../../console/update-billing.ts';
import type { BillingFields, WalletView } from '../../../console/views.ts';
import { alertView, type WalletSettings } from '../../../console/wallet-view.ts';
import { setting } from '../../../core/config.ts';
import { database } from '../../../core/database.ts';
import { type BillingTable, billingTable } from '../../../payments/prices/billing-table.ts';
import type { ConsoleRun } from '../chain.ts';
import type { ConsoleRequest } from '../context.ts';

/** The body of PUT /wallet/billing. */
export const updateBillingBody = v.strictObject({
  name: v.string(),
  address: v.array(v.string()),
  tax_number: v.string(),
  email: v.string(),
});

const realBilling = (recorder: Recorder): BillingTable =>
  billingTable(database(), setting('PAYMENTS_TABLE'), recorder);

/** PUT /wallet/billing: changes the billing details on future invoices. Existing documents do not change. */
export function changeBilling(
  tableOf: (recorder: Recorder) => BillingTable = realBilling,
): ConsoleRun<ConsoleRequest, typeof updateBillingBody, undefined> {
  return async ({ organisation, person, recorder, nowMs }, body) => {
    const author = { actor: memberActor(person.id), nowMs };
    const party = await updateBilling(organisation.id, enteredBilling(body), author, tableOf(recorder));
    return { data: billingView(party) satisfies BillingFields };
  };
}

const MOST_CREDITS = 1_000_000_000;
const WHOLE_CREDITS = 'Enter a whole number of credits from 1 to 1,000,000,000.';

/** The body of PUT /wallet/alert. */
export const changeBalanceAlertBody = v.strictObject({
  below: v.nullable(
    v.pipe(
      v.number(),
      v.safeInteger(WHOLE_CREDITS),
      v.minValue(1, WHOLE_CREDITS),
      v.maxValue(MOST_CREDITS, WHOLE_CREDITS),
    ),
  ),
});

type Organisations = Pick<OrganisationTable, 'getOrganisation' | 'updateOrganisation'>;
const realOrganisations = (recorder: Recorder): Organisations =>
  organisationTable(database(), setting('API_KEYS_TABLE'), recorder);
const realThreshold = () => ({ lowBalanceCredits: setting('LOW_BALANCE_CREDITS') });

/** PUT /wallet/alert: sets the number of credits below which the low-balance alert is sent. */
export function changeAlert(
  tableOf: (recorder: Recorder) => Organisations = realOrganisations,
  settings: Pick<WalletSettings, 'lowBalanceCredits'> = realThreshold(),
): ConsoleRun<ConsoleRequest, typeof changeBalanceAlertBody, undefined> {
  return async ({ organisation, recorder }, { below }) => {
    const changed = await changeBalanceAlert(organisation, below ?? undefined, tableOf(recorder));
    return { data: alertView(changed, settings) satisfies WalletView['alert'] };
  };
}
