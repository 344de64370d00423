import * as v from 'valibot';
import {
  EMAIL_FORMAT,
  enteredTaxNumber,
  isInvoiceEmail,
  MOST_ADDRESS_LINES,
  TAX_NUMBER_FORMAT,
} from '../../payments/prices/entered-billing.ts';
import { type ActionContext, action, done } from '../action.ts';
import * as field from '../fields.ts';
import { billingOf } from '../operations/billing.ts';
import { pricesOf } from '../operations/prices.ts';
import { makeOrRequest } from '../second-person.ts';

const MOST_KOBO_PER_CREDIT = 100_000_000;

export const setCreditPrice = action({
  /** Without an organisation, the price applies to all that have none of their own. Without a time, from now on. */
  body: v.strictObject({
    organisation: v.optional(field.organisationId),
    koboPerCredit: v.pipe(field.kobo, v.minValue(1), v.maxValue(MOST_KOBO_PER_CREDIT)),
    from: v.optional(field.time),
    reason: field.reason,
  }),
  run: ({ organisation, ...price }, context) => change(organisation, price, context),
});

export const endCreditPrice = action({
  body: v.strictObject({
    organisation: field.organisationId,
    from: v.optional(field.time),
    reason: field.reason,
  }),
  run: ({ organisation, ...price }, context) =>
    change(organisation, { ...price, koboPerCredit: null }, context),
});

function change(
  organisationId: string | undefined,
  price: { koboPerCredit: number | null; from?: string | undefined; reason: string },
  context: ActionContext,
) {
  const { koboPerCredit, from, reason } = price;
  return makeOrRequest({ work: 'price', ...price }, { organisationId }, context, () =>
    pricesOf(context).checkPriceChange({ organisationId, koboPerCredit, from, reason }),
  );
}

export const setBilling = action({
  /** Details that are left out stay as they are. */
  body: v.strictObject({
    organisation: field.organisationId,
    name: v.optional(field.line),
    address: v.optional(v.pipe(v.array(field.line), v.minLength(1), v.maxLength(MOST_ADDRESS_LINES))),
    taxNumber: v.optional(
      v.pipe(
        v.string(),
        v.check((text) => enteredTaxNumber(text) !== undefined, TAX_NUMBER_FORMAT),
        v.transform((text) => enteredTaxNumber(text) ?? text),
      ),
    ),
    email: v.optional(v.pipe(v.string(), v.check(isInvoiceEmail, EMAIL_FORMAT))),
  }),
  run: async ({ organisation, ...given }, context) =>
    done(await billingOf(context).setBilling(organisation, given, context.actor)),
});
