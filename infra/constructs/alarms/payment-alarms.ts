import { Duration } from 'aws-cdk-lib';
import type { StageConfig } from '../../config.ts';
import type { AlarmSpec } from './alarm.ts';
import type { ServiceMetrics } from './service-metrics.ts';

/** Returns the alarms on payments. A stage without money settings takes no payments, so it has none of these alarms. */
export function paymentAlarms({ money }: Pick<StageConfig, 'money'>, metrics: ServiceMetrics): AlarmSpec[] {
  if (!money) return [];
  return [
    {
      name: 'payments-to-review',
      description:
        'A customer may have paid without receiving credits, or may be waiting for a refund. For 15 minutes, a payment has needed manual action: it differs from its order, was reversed, could not be credited or could not be refunded.',
      metric: metrics.own('paymentsToReview', 'Maximum'),
      threshold: 0,
      periods: 3,
    },
    {
      // Each run of the schedule writes one value.
      name: 'payments-overdue',
      description:
        'Customers may be waiting for credits that they have paid for. For 15 minutes, no run of settle-top-ups has completed, so payments that Paystack did not report have not been credited.',
      metric: metrics.own('paymentsToReview', 'SampleCount'),
      threshold: 1,
      periods: 3,
      firesBelow: true,
      firesWithoutData: true,
    },
    {
      // While an order is open, Paystack is asked about at least one in each minute.
      name: 'payments-unsettled',
      description:
        'Customers have probably paid without receiving credits. For 15 minutes, no order could be settled, because Paystack does not respond or rejects the secret key.',
      metric: metrics.own('unsettledPayments', 'Minimum'),
      threshold: 99,
      periods: 3,
    },
    {
      name: 'payment-webhooks-rejected',
      description:
        'Customers may have paid without receiving credits. In an hour, more than 3 webhooks had no valid signature, because the secret key has changed or someone is sending forged webhooks.',
      metric: metrics.own('rejectedWebhooks', 'Sum', Duration.hours(1)),
      threshold: 3,
    },
  ];
}
