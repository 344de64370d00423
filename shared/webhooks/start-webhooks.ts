import { ENVIRONMENTS, type Environment } from '../core/environment.ts';
import { logger } from '../core/logger.ts';
import type { ServiceEvent } from '../events/event.ts';
import { type BusEvent, type ReceivedEvent, receivedEvent } from '../events/received-event.ts';
import { type ConcernedReads, concernedOrganisations } from './concerned-organisations.ts';
import type { EventType, WebhookEvent } from './event-type.ts';
import { type StartDependencies, startDeliveries } from './start-deliveries.ts';

/** Converts events from the event bus to events for customers. */

type Detail = ServiceEvent['detail'];

interface Translation {
  readonly type: EventType;
  /** Returns the environment of the event. Only top-ups and expiring keys also cause events in the test environment. */
  readonly envOf: (detail: Detail) => Environment;
}

const live = (): Environment => 'live';

/** Returns the environment that the event names. Throws if it names none. */
function named({ environment }: Detail): Environment {
  const env = ENVIRONMENTS.find((one) => one === environment);
  if (!env) throw new Error('The event names no environment.');
  return env;
}

const TRANSLATIONS: Partial<Readonly<Record<ServiceEvent['type'], Translation>>> = {
  'Balance Low': { type: 'balance.low', envOf: live },
  'Wallet Empty': { type: 'wallet.empty', envOf: live },
  'Top-Up Credited': { type: 'top_up.credited', envOf: named },
  'API Key Expiring': { type: 'key.expiring', envOf: named },
  'Look-Ups Unavailable': { type: 'registry.down', envOf: live },
  'Look-Ups Available': { type: 'registry.up', envOf: live },
  'Organisation Approved': { type: 'organisation.approved', envOf: live },
};

/** The types of events on the event bus that webhooks deliver. */
export const WEBHOOK_EVENTS = Object.keys(TRANSLATIONS) as ServiceEvent['type'][];

/** The number of organisations whose deliveries are started in parallel. */
const ORGANISATIONS_AT_ONCE = 10;

/**
 * Starts the deliveries of an event from the event bus. Rejects if one could not be started. Lambda then retries, and
 * there is still only one delivery to each endpoint.
 */
export async function startWebhooks(
  event: BusEvent,
  deps: StartDependencies & ConcernedReads,
): Promise<void> {
  const delivered = receivedEvent(event);
  const { type, id } = delivered;
  const events = await eventsOf(delivered, deps);
  let deliveries = 0;
  for (let first = 0; first < events.length; first += ORGANISATIONS_AT_ONCE) {
    const some = events.slice(first, first + ORGANISATIONS_AT_ONCE);
    const started = await Promise.all(some.map((one) => startDeliveries(one, deps)));
    deliveries += started.reduce((sum, count) => sum + count, 0);
  }
  logger.info('webhooks', { type, event_id: id, organisations: events.length, deliveries });
}

/** Returns an event for each organisation that the event concerns. */
async function eventsOf(
  { type, id, at, detail }: ReceivedEvent,
  deps: ConcernedReads,
): Promise<(WebhookEvent & { readonly type: EventType })[]> {
  const translation = Object.hasOwn(TRANSLATIONS, type) && TRANSLATIONS[type as ServiceEvent['type']];
  if (!translation) return [];
  const env = translation.envOf(detail);
  const organisations = await concernedOrganisations({ detail }, deps);
  return organisations.map(({ id: organisationId }) => ({
    // An event about a registry concerns many organisations, and becomes a separate event for each of them.
    id,
    type: translation.type,
    at,
    organisationId,
    env,
    data: detail,
  }));
}
