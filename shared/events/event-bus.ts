import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { traceCalls } from '../core/trace-client.ts';
import { EVENT_SOURCE, type ServiceEvent } from './event.ts';

/** Rejects if the bus does not accept all. */
export type SendEvents = (events: readonly ServiceEvent[]) => Promise<void>;

/** EventBridge's limit for one call. */
const BATCH = 10;
const TIMEOUTS = { connectionTimeout: 1000, requestTimeout: 5000, throwOnRequestTimeout: true } as const;

/** Sends events to the EventBridge bus with this name. */
export function eventBus(busName: string): SendEvents {
  const client = new EventBridgeClient({ requestHandler: TIMEOUTS });
  client.middlewareStack.use(traceCalls('EventBridge'));
  return async (events) => {
    for (let first = 0; first < events.length; first += BATCH) {
      const entries = events.slice(first, first + BATCH).map(({ type, id, detail }) => ({
        EventBusName: busName,
        Source: EVENT_SOURCE,
        DetailType: type,
        Detail: JSON.stringify({ id, ...detail }),
      }));
      const { FailedEntryCount = 0 } = await client.send(new PutEventsCommand({ Entries: entries }));
      if (FailedEntryCount > 0)
        throw new Error(`The event bus rejected ${FailedEntryCount} of ${entries.length} events.`);
    }
  };
}
