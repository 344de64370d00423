/** GET /alerts */
export interface AlertsView {
  readonly settings: AlertSettings;
  /** The names of the members who receive the emails: owners and finance members. */
  readonly recipients: readonly string[];
  /** The alerts of the last 30 days, newest first. */
  readonly alerts: readonly AlertView[];
}

/** The kinds of alerts that the organisation receives. PUT /alerts also returns this. */
export interface AlertSettings {
  readonly balance_low: boolean;
  readonly key_expiring: boolean;
  readonly registry_down: boolean;
  readonly unusual_traffic: boolean;
}

/** PUT /alerts: switches one kind of alert on or off. */
export interface ChangeAlertsBody {
  readonly kind: AlertKind;
  readonly is_enabled: boolean;
}

export type AlertKind = keyof AlertSettings;

export interface AlertView {
  readonly id: string;
  readonly kind: AlertKind;
  readonly at: string;
  readonly title: string;
  /** One or more sentences, which never name a person. */
  readonly text: string;
}
