import * as v from 'valibot';
import { ENVIRONMENTS } from '../../core/environment.ts';

const WHOLE_CREDITS = 'Enter a whole number of credits.';

/** POST /wallet/top-ups. The stage's settings limit the credits further. */
export const startTopUpBody = v.strictObject({
  env: v.picklist(ENVIRONMENTS),
  credits: v.pipe(v.number(), v.safeInteger(WHOLE_CREDITS), v.minValue(1, WHOLE_CREDITS)),
  // Generated when the form is shown, so that it opens only one order.
  form_id: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{16,64}$/, 'Reload the page, then try again.')),
});
export type StartTopUpBody = v.InferInput<typeof startTopUpBody>;

/** The body of PUT /wallet/billing. */
export const updateBillingBody = v.strictObject({
  name: v.string(),
  address: v.array(v.string()),
  tax_number: v.string(),
  email: v.string(),
});

const MOST_CREDITS = 1_000_000_000;
const ALERT_RULE = 'Enter a whole number of credits from 1 to 1,000,000,000.';
const someCredits = v.pipe(
  v.number(),
  v.safeInteger(ALERT_RULE),
  v.minValue(1, ALERT_RULE),
  v.maxValue(MOST_CREDITS, ALERT_RULE),
);
const LIMIT_RULE = 'Enter an amount in naira.';
const CONSENT_RULE = 'Tick the box if your organisation agrees.';

/** The body of PUT /wallet/alert. */
export const changeBalanceAlertBody = v.strictObject({
  // Null: the stage's threshold.
  below: v.nullable(someCredits),
});
export type ChangeBalanceAlertBody = v.InferInput<typeof changeBalanceAlertBody>;

/** The body of PUT /wallet/automatic-top-up. */
export const changeAutomaticTopUpBody = v.strictObject({
  // With null settings: whether the card is kept, so that it can be switched on again.
  keeps_card: v.optional(v.boolean(), false),
  // Null: switch it off.
  settings: v.nullable(
    v.strictObject({
      below: someCredits,
      credits: someCredits,
      // With VAT.
      monthly_limit_kobo: v.pipe(v.number(), v.safeInteger(LIMIT_RULE), v.minValue(1, LIMIT_RULE)),
      // The paid top-up whose card is saved. Null: keep the saved card.
      card_order: v.nullable(v.string()),
      agrees: v.pipe(
        v.boolean(),
        v.check((agrees) => agrees, CONSENT_RULE),
      ),
    }),
  ),
});
export type ChangeAutomaticTopUpBody = v.InferInput<typeof changeAutomaticTopUpBody>;
