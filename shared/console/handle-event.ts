import * as v from 'valibot';
import { logger } from '../core/logger.ts';
import { onlyAboveZero, publishMetrics } from '../core/metrics.ts';
import type { DeliveredEvent } from './alert.ts';
import { type AlertDependencies, sendAlerts } from './send-alerts.ts';

const busEvent = v.object({
  'detail-type': v.string(),
  time: v.string(),
  detail: v.objectWithRest({ id: v.string() }, v.union([v.string(), v.number()])),
});
/** An event as EventBridge delivers it. */
export type BusEvent = v.InferInput<typeof busEvent>;

/** Sends the alerts about an event. Rejects if an email could not be sent: Lambda then tries again, twice. */
export async function handleEvent(event: BusEvent, deps: AlertDependencies): Promise<void> {
  const delivered = deliveredEvent(event);
  const report = await sendAlerts(delivered, deps);
  const { type, id, detail } = delivered;
  logger.info('alerts', { type, event_id: id, organisation: detail['organisation'], ...report });
  const { failedMails } = report;
  publishMetrics({ values: onlyAboveZero({ failedMails }) });
  if (failedMails > 0) throw new Error(`${failedMails} of the emails about an alert could not be sent.`);
}

function deliveredEvent(event: BusEvent): DeliveredEvent {
  const { 'detail-type': type, time, detail } = v.parse(busEvent, event);
  const { id, ...others } = detail;
  // With milliseconds, like every other time.
  return { type, id, at: new Date(time).toISOString(), detail: others };
}
