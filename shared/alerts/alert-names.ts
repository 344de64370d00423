/** The kinds of alerts, with the names that members read. A file of its own, because pages of the console import it. */
export const ALERT_NAMES = {
  balance_low: 'Low balance',
  automatic_top_up: 'Automatic top-up',
  key_expiring: 'API key expiring',
  registry_down: 'Registry down',
  unusual_traffic: 'Unusual traffic',
  payment: 'Payment received',
} as const;
export type AlertKind = keyof typeof ALERT_NAMES;
