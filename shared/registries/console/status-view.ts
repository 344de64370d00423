import { DAY_MS, MINUTE_MS } from '../../core/clock.ts';
import type { IdType } from '../../core/id-types.ts';
import { ID_TYPES } from '../../core/id-types.ts';
import type { ProviderKey } from '../../core/keys.ts';
import type { RegistryDay } from '../../usage/registry-days.ts';
import { healthOf } from '../breaker.ts';
import type { ProviderHistory } from '../health/provider-history-table.ts';
import type { RegistryHealth } from '../health/read-health.ts';
import { type Incident, incidentsOf } from './incidents.ts';
import { downMs, firstKnownMs, type Span, spansOf } from './registry-spans.ts';
import type { IncidentView, RegistryStatus, RegistryStatusView, StatusView } from './views.ts';

/** The data of the public status page. It names no providers, because customers choose ID types and not providers. */

export const STATUS_DAYS = 90;

export interface StatusRows {
  readonly histories: readonly { readonly key: ProviderKey; readonly history: ProviderHistory }[];
  readonly days: readonly RegistryDay[];
}

/** Returns the state of the registries behind each ID type. */
export function registriesView(
  health: readonly Pick<RegistryHealth, 'idType' | 'status' | 'disabled'>[],
): { readonly id_type: IdType; readonly status: RegistryStatus }[] {
  return ID_TYPES.map((idType) => {
    const enabled = health.filter((one) => one.idType === idType && !one.disabled);
    const states = enabled.map(({ status }) => status);
    if (states.length === 0) return { id_type: idType, status: 'off' };
    if (states.every((status) => status === 'up')) return { id_type: idType, status: 'up' };
    const isDown = states.every((status) => status === 'down');
    return { id_type: idType, status: isDown ? 'down' : 'degraded' };
  });
}

/** Returns the state of each registry now and over 90 days. */
export function statusView(rows: StatusRows, nowMs: number): StatusView {
  const health = rows.histories.map(({ key: { idType }, history: { state } }) => ({
    idType,
    status: healthOf(state, nowMs),
    disabled: state.disabled,
  }));
  const registries = registriesView(health).map(({ id_type, status }) => {
    const histories = rows.histories.flatMap(({ key, history }) => (key.idType === id_type ? history : []));
    const spans = spansOf(histories, nowMs);
    const days = rows.days.filter(({ idType }) => idType === id_type);
    return {
      view: { id_type, status, ...uptimeByDay(spans, days, observedFromMs(histories, days), nowMs) },
      incidents: incidentsOf(spans, nowMs).map((incident) => incidentView(id_type, incident)),
    };
  });
  const firstShown = new Date(nowMs - STATUS_DAYS * DAY_MS).toISOString();
  return {
    registries: registries.map(({ view }) => view),
    incidents: registries
      .flatMap(({ incidents }) => incidents)
      .filter(({ ended_at }) => ended_at === null || ended_at >= firstShown)
      .sort((a, b) => b.started_at.localeCompare(a.started_at)),
    updated_at: new Date(nowMs).toISOString(),
  };
}

/**
 * Returns when observation of the registry began: the first day with look-ups or the first change of a provider,
 * whichever is earlier, but not before the time from which its histories were read. Undefined if there is neither: a
 * registry that was never queried has no uptime.
 */
function observedFromMs(
  histories: readonly ProviderHistory[],
  days: readonly RegistryDay[],
): number | undefined {
  const changedMs = firstKnownMs(histories) ?? Number.POSITIVE_INFINITY;
  const askedMs = days.filter(({ requests }) => requests > 0).map(({ day }) => Date.parse(day));
  const fromMs = Math.min(changedMs, ...askedMs);
  if (histories.length === 0 || fromMs === Number.POSITIVE_INFINITY) return undefined;
  return Math.max(fromMs, ...histories.map(({ readFromMs }) => readFromMs));
}

/**
 * Returns the share of time in which the registry was not down, for each of the last 90 days (UTC) and for the whole
 * period.
 */
function uptimeByDay(
  spans: readonly Span[],
  days: readonly RegistryDay[],
  fromMs: number | undefined,
  nowMs: number,
): Pick<RegistryStatusView, 'uptime' | 'days'> {
  const todayMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const firstMs = todayMs - (STATUS_DAYS - 1) * DAY_MS;
  const timesIn = (startMs: number, endMs: number) => {
    const observedMs = Math.max(startMs, fromMs ?? nowMs);
    const untilMs = Math.min(endMs, nowMs);
    const down = observedMs < untilMs ? downMs(spans, observedMs, untilMs) : 0;
    return {
      uptime: observedMs < untilMs ? 1 - down / (untilMs - observedMs) : null,
      down_minutes: Math.ceil(down / MINUTE_MS),
    };
  };
  return {
    uptime: timesIn(firstMs, nowMs).uptime,
    days: Array.from({ length: STATUS_DAYS }, (_, index) => {
      const startMs = firstMs + index * DAY_MS;
      const day = new Date(startMs).toISOString().slice(0, 10);
      const figures = days.find((one) => one.day === day);
      return { day, ...timesIn(startMs, startMs + DAY_MS), p95_ms: figures?.p95Ms ?? null };
    }),
  };
}

/** Returns an incident for the page. */
function incidentView(idType: IdType, { condition, fromMs, toMs }: Incident): IncidentView {
  const started = new Date(fromMs).toISOString();
  return {
    id: `${idType.toLowerCase()}-${condition}-${started.replaceAll(/[-:.]/g, '')}`,
    id_type: idType,
    status: condition,
    started_at: started,
    ended_at: toMs === undefined ? null : new Date(toMs).toISOString(),
  };
}
