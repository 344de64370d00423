import type { MetricValues } from '../core/metrics.ts';
import { type AutomaticDependencies, topUpAutomatically } from './automatic/top-up-automatically.ts';
import type { TopUpDependencies } from './dependencies.ts';
import { type ExpiryDependencies, expireLots } from './lots/expire-lots.ts';
import { type ReviewDependencies, reviewPayments } from './orders/review-payments.ts';
import { sweepTopUps } from './orders/sweep-top-ups.ts';
import { type SendDependencies, sendRefunds } from './refunds/send-refunds.ts';

export interface ScheduleDependencies {
  /** Promotional lots expire in every stage. */
  readonly expiry: ExpiryDependencies;
  /** Undefined without money settings. */
  readonly payments:
    | {
        readonly topUps: TopUpDependencies;
        readonly automatic: AutomaticDependencies;
        readonly refunds: SendDependencies;
        readonly review: ReviewDependencies;
      }
    | undefined;
}

/** `subject` identifies what failed, without naming a person. */
type OnPaymentFailure = (error: unknown, subject: Readonly<Record<string, string>>) => void;

interface PaymentsRun {
  readonly counts: Readonly<Record<string, number>>;
  /** Undefined if the stage takes no payments. */
  readonly paymentsToReview: number | undefined;
}

/**
 * Settles due orders, charges saved cards, pays refunds, takes back expired credits, and counts payments to review. If
 * one part fails, the others continue, and the run throws.
 */
export async function runPayments(
  { expiry, payments }: ScheduleDependencies,
  onFailure: OnPaymentFailure,
): Promise<PaymentsRun> {
  const [expired, swept, refunded, automatic] = await Promise.allSettled([
    expireLots(expiry, (error, { wallet: { env, organisationId }, id }) =>
      onFailure(error, { env, organisation: organisationId, lot: id }),
    ),
    sweepTopUps(payments?.topUps, (error, { env, reference }) => onFailure(error, { env, order: reference })),
    payments &&
      sendRefunds(payments.refunds, (error, { env, order, creditNote }) =>
        onFailure(error, { env, order, credit_note: creditNote }),
      ),
    payments &&
      topUpAutomatically(payments.automatic, (error, organisation) => onFailure(error, { organisation })),
  ]);
  const [reviewed] = await Promise.allSettled([payments && reviewPayments(payments.review)]);
  reportFailures({ lots: expired, orders: swept, refunds: refunded, automatic, review: reviewed }, onFailure);
  return {
    counts: { ...resultOf(swept), ...named('refunds', resultOf(refunded)), ...resultOf(expired) },
    paymentsToReview: resultOf(reviewed)?.filter(({ isFault }) => isFault).length,
  };
}

/** Throws the first of them. */
function reportFailures(
  parts: Readonly<Record<string, PromiseSettledResult<unknown>>>,
  onFailure: OnPaymentFailure,
): void {
  const failures = Object.entries(parts).flatMap(([part, result]) =>
    result.status === 'rejected' ? [{ part, error: result.reason as unknown }] : [],
  );
  for (const { part, error } of failures) onFailure(error, { part });
  const [first] = failures;
  if (first) throw first.error;
}

function resultOf<T>(part: PromiseSettledResult<T>): T | undefined {
  return part.status === 'fulfilled' ? part.value : undefined;
}

/** `sent` of refunds becomes `refundsSent`: one log line contains all counts. */
function named(prefix: string, counts: object | undefined): Readonly<Record<string, number>> {
  const entries = Object.entries(counts ?? {}).map(([name, count]) => {
    return [`${prefix}${name.charAt(0).toUpperCase()}${name.slice(1)}`, count] as const;
  });
  return Object.fromEntries(entries);
}

export function paymentMetrics({ counts, paymentsToReview }: PaymentsRun): MetricValues {
  if (paymentsToReview === undefined) return {};
  const { asked = 0, failed = 0 } = counts;
  return { paymentsToReview, ...(asked > 0 && { unsettledPayments: (100 * failed) / asked }) };
}
