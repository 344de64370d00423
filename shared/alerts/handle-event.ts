import { logger } from '../core/logger.ts';
import { type BusEvent, receivedEvent } from '../events/received-event.ts';
import { type AlertDependencies, sendAlerts } from './send-alerts.ts';

/** Sends the alerts about an event. Rejects if an email could not be sent. Lambda then retries twice. */
export async function handleEvent(event: BusEvent, deps: AlertDependencies): Promise<void> {
  const delivered = receivedEvent(event);
  const report = await sendAlerts(delivered, deps);
  const { type, id, detail } = delivered;
  logger.info('alerts', { type, event_id: id, organisation: detail['organisation'], ...report });
  const { failedMails } = report;
  if (failedMails > 0) throw new Error(`${failedMails} of the emails about an alert could not be sent.`);
}
