import type { IdType } from '../../core/id-types.ts';

/** `off`: no enabled provider serves the ID type. */
export type RegistryStatus = 'up' | 'degraded' | 'down' | 'off';

/** GET /status. Public. GET /status/feed returns the same incidents as an Atom feed. */
export interface StatusView {
  readonly registries: readonly RegistryStatusView[];
  /** The incidents of the last 90 days, newest first. */
  readonly incidents: readonly IncidentView[];
  readonly updated_at: string;
}

export interface RegistryStatusView {
  readonly id_type: IdType;
  readonly status: RegistryStatus;
  /** The share of the last 90 days in which the registry was not down, from 0 to 1. Null if it was not observed. */
  readonly uptime: number | null;
  /** The last 90 UTC days, oldest first. */
  readonly days: readonly {
    readonly day: string;
    readonly uptime: number | null;
    readonly down_minutes: number;
    /** The 95th percentile of the latency of live look-ups. Null if there were too few. */
    readonly p95_ms: number | null;
  }[];
}

export interface IncidentView {
  readonly id: string;
  readonly id_type: IdType;
  readonly status: 'degraded' | 'down';
  readonly started_at: string;
  /** Null if the incident continues. */
  readonly ended_at: string | null;
}
