import * as v from 'valibot';
import { MOST_CREDITS } from '../../shared/payments/routes/payment-query.ts';
import type { MoneySettings } from '../../shared/payments/settings.ts';
import type { StageConfig } from '../config.ts';
import { bucketName, day, settings, text, whole } from './schemas.ts';

/** The money settings: what invoices print, and which orders customers can open. */

const PAYSTACK_URL = 'https://api.paystack.co';

const ADDRESS = 'Use a list of 1 to 5 lines of text.';
const TAX_NUMBER =
  'Use a tax number of 10 or 13 digits, or of 12 digits with a hyphen, for example 12345678-0001.';
const EMAIL = 'Use an email address.';
const RATES = 'Use a list of rates, for example [{ from: "2020-02-01", basisPoints: 750 }].';
const PREFIX = 'Use 2 to 6 capital letters that do not begin with TEST, for example IDV.';

const seller = settings({
  name: text,
  address: v.pipe(v.array(text, ADDRESS), v.minLength(1, ADDRESS), v.maxLength(5, ADDRESS)),
  taxNumber: v.pipe(v.string(TAX_NUMBER), v.regex(/^(\d{8}-\d{4}|\d{10}|\d{13})$/, TAX_NUMBER)),
  email: v.pipe(v.string(EMAIL), v.email(EMAIL)),
});

const vat = v.pipe(
  v.array(settings({ from: day, basisPoints: whole(0, 10_000) }), RATES),
  v.minLength(1, RATES),
  v.check((rates) => {
    return rates.every(({ from }, index) => from > (rates[index - 1]?.from ?? ''));
  }, 'List the rates by date, oldest first, each date once.'),
);

export const money: v.GenericSchema<MoneySettings> = v.pipe(
  settings({
    seller,
    vat,
    // The document numbers of test wallets begin with TEST.
    documentPrefix: v.pipe(v.string(PREFIX), v.regex(/^(?!TEST)[A-Z]{2,6}$/, PREFIX)),
    leastCredits: whole(1, MOST_CREDITS),
    mostCredits: whole(1, MOST_CREDITS),
    paystackUrl: text,
    exportBucket: v.optional(bucketName),
  }),
  v.forward(
    v.check(
      ({ leastCredits, mostCredits }) => leastCredits <= mostCredits,
      'Set mostCredits to at least leastCredits.',
    ),
    ['mostCredits'],
  ),
);

/** Throws if a stage on AWS would send Paystack's secret keys to an address that is not Paystack's. */
export function checkMoney({ stage, money: found }: StageConfig, file: string): void {
  if (!found) return;
  if (stage !== 'local' && found.paystackUrl !== PAYSTACK_URL)
    throw new Error(
      `${file} sets money.paystackUrl to ${found.paystackUrl}. Use ${PAYSTACK_URL}: the stage sends the Paystack ` +
        'secret keys to this address. Only the local stage may use a test double.',
    );
}
