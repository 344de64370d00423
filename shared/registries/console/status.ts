import type { APIGatewayProxyEvent } from 'aws-lambda';
import { DAY_MS } from '../../core/clock.ts';
import { type RegistryRouting, setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { ID_TYPES } from '../../core/id-types.ts';
import { readOncePer } from '../../core/read-once.ts';
import type { PublicResult } from '../../http/console/context.ts';
import { ownOrigin } from '../../http/console/own-origin.ts';
import { CONSOLE_API, consoleRouteOf } from '../../http/console/routes.ts';
import { type RegistryDayTable, registryDayTable } from '../../usage/registry-day-table.ts';
import { type ProviderHistoryTable, providerHistoryTable } from '../health/provider-history-table.ts';
import { configuredProviderKeys } from '../health/read-health.ts';
import { statusFeed } from './status-feed.ts';
import { STATUS_DAYS, statusView } from './status-view.ts';
import type { StatusView } from './views.ts';

export interface StatusDependencies {
  readonly history: Pick<ProviderHistoryTable, 'readHistory'>;
  readonly days: Pick<RegistryDayTable, 'readRegistryDays'>;
  readonly routing: RegistryRouting;
  readonly nowMs: () => number;
}

/** Creates the dependencies of the routes. */
export function statusDependencies(): StatusDependencies {
  const client = database();
  return {
    history: providerHistoryTable(client, setting('API_KEYS_TABLE')),
    days: registryDayTable(client, setting('CONSOLE_TABLE')),
    routing: setting('REGISTRIES'),
    nowMs: Date.now,
  };
}

const MAX_AGE_SECONDS = 60;

/** Returns a function that reads the status at most once a minute. */
function readStatus({ history, days, routing, nowMs }: StatusDependencies): () => Promise<StatusView> {
  const providers = configuredProviderKeys(routing).filter(({ env }) => env === 'live');
  return readOncePer(MAX_AGE_SECONDS * 1000, nowMs, async () => {
    const atMs = nowMs();
    const firstDay = new Date(atMs - (STATUS_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
    const [histories, registryDays] = await Promise.all([
      Promise.all(providers.map(async (key) => ({ key, history: await history.readHistory(key) }))),
      days.readRegistryDays(ID_TYPES, firstDay),
    ]);
    return statusView({ histories, days: registryDays }, atMs);
  });
}

/** GET /status: the state of each registry now and over 90 days, and its incidents. */
export function showStatus(deps: StatusDependencies): () => Promise<PublicResult> {
  const read = readStatus(deps);
  return async () => ({
    content: { data: (await read()) satisfies StatusView },
    maxAgeSeconds: MAX_AGE_SECONDS,
  });
}

/** GET /status/feed: the incidents as an Atom feed. */
export function showStatusFeed(
  deps: StatusDependencies,
): (event: APIGatewayProxyEvent) => Promise<PublicResult> {
  const read = readStatus(deps);
  return async (event) => {
    const { incidents, updated_at } = await read();
    const origin = ownOrigin(event);
    const addresses = {
      page: `${origin}/status`,
      feed: `${origin}${CONSOLE_API}${consoleRouteOf('show-status-feed').path}`,
    };
    // The time that a feed without incidents shows. It would otherwise change each minute.
    const today = `${updated_at.slice(0, 10)}T00:00:00.000Z`;
    return {
      content: {
        contentType: 'application/atom+xml; charset=utf-8',
        text: statusFeed(incidents, addresses, today),
      },
      maxAgeSeconds: MAX_AGE_SECONDS,
    };
  };
}
