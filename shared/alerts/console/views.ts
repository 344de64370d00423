import type { Environment } from '../../core/environment.ts';
import type { AlertKind } from '../alert-names.ts';

/** GET /alerts */
export interface AlertsView {
  readonly settings: AlertSettings;
  /** The names of the other members who receive the emails of each kind. */
  readonly recipients: Readonly<Record<AlertKind, readonly string[]>>;
  /** The names of the owners. */
  readonly owners: readonly string[];
  /** The alerts of the last 30 days, newest first. */
  readonly alerts: readonly AlertView[];
}

/** The kinds of emails that the member receives. PUT /alerts also returns this. */
export type AlertSettings = Readonly<Record<AlertKind, boolean>>;

export interface AlertView {
  readonly id: string;
  readonly kind: AlertKind;
  /** Whose page shows what the alert is about. */
  readonly environment: Environment;
  readonly at: string;
  /** When the outage ended. Null for one that continues, and for all other alerts. */
  readonly ended_at: string | null;
  readonly title: string;
  /** One or more sentences, which never name a person. */
  readonly text: string;
}
