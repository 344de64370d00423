import { DAY_MS } from '../../shared/core/clock.ts';
import { ID_TYPES, type IdType } from '../../shared/core/id-types.ts';
import type { IncidentView, StatusView } from '../../shared/registries/console/views.ts';

/** The views of the status page in tests and pictures. */

const DAYS = 90;
const STATES = { NIN: 'up', BVN: 'degraded', CAC: 'down', TIN: 'up', NUBAN: 'off' } as const;

/** Returns the uptime of a day, or null if it was not observed: all days of NUBAN, and the first 20 of the others. */
function uptimeOf(idType: IdType, age: number): number | null {
  if (idType === 'NUBAN' || age >= DAYS - 20) return null;
  if (age === 21 || (idType === 'CAC' && age === 0)) return 0.87;
  return age % 30 === 9 ? 0.9934 : 1;
}

export function statusView(incidentCount = 3): StatusView {
  const nowMs = Date.now();
  const dayAt = (age: number) => new Date(nowMs - age * DAY_MS).toISOString().slice(0, 10);
  return {
    registries: ID_TYPES.map((idType) => ({
      id_type: idType,
      status: STATES[idType],
      uptime: idType === 'NUBAN' ? null : 0.99719,
      days: Array.from({ length: DAYS }, (_, index) => {
        const uptime = uptimeOf(idType, DAYS - 1 - index);
        const down_minutes = Math.round((1 - (uptime ?? 1)) * 1_440);
        return {
          ...{ day: dayAt(DAYS - 1 - index), uptime, down_minutes },
          p95_ms: uptime === null ? null : 640 + index,
        };
      }),
    })),
    incidents: Array.from({ length: incidentCount }, (_, index): IncidentView => {
      const startedMs = nowMs - 40 * 60_000 - index * 3 * DAY_MS;
      const started = new Date(startedMs).toISOString();
      const idType = ID_TYPES[(index + 2) % ID_TYPES.length] ?? 'NIN';
      return {
        id: `${idType.toLowerCase()}-${startedMs}`,
        id_type: idType,
        status: index % 2 === 0 ? 'down' : 'degraded',
        started_at: started,
        ended_at: index === 0 ? null : new Date(startedMs + index * 37 * 60_000).toISOString(),
      };
    }),
    updated_at: new Date(nowMs).toISOString(),
  };
}
