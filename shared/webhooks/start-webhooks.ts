import { ENVIRONMENTS, type Environment } from '../core/environment.ts';
import { logger } from '../core/logger.ts';
import type { ServiceEvent } from '../events/event.ts';
import { type BusEvent, type ReceivedEvent, receivedEvent } from '../events/received-event.ts';
import { type ConcernedReads, concernedOrganisations } from './concerned-organisations.ts';
import type { EventType, WebhookEvent } from './event-type.ts';
import { type StartDependencies, startDeliveries } from './start-deliveries.ts';

type Detail = ServiceEvent['detail'];

interface Translation {
  readonly type: EventType;
  /** Only top-ups and expiring keys also cause test events. */
  readonly envOf: (detail: Detail) => Environment;
}

const live = (): Environment => 'live';

/** Throws if it names none. */
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

export const WEBHOOK_EVENTS = Object.keys(TRANSLATIONS) as ServiceEvent['type'][];

const ORGANISATIONS_AT_ONCE = 10;

/** If it rejects, Lambda retries, and there is still one delivery to each endpoint. */
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

/** For each organisation that it concerns. */
async function eventsOf(
  { type, id, at, detail }: ReceivedEvent,
  deps: ConcernedReads,
): Promise<(WebhookEvent & { readonly type: EventType })[]> {
  const translation = Object.hasOwn(TRANSLATIONS, type) && TRANSLATIONS[type as ServiceEvent['type']];
  if (!translation) return [];
  const env = translation.envOf(detail);
  const organisations = await concernedOrganisations({ detail }, deps);
  return organisations.map(({ id: organisationId }) => ({
    // A registry concerns many organisations.
    id,
    type: translation.type,
    at,
    organisationId,
    env,
    data: detail,
  }));
}
