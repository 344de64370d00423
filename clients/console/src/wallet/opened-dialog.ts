export type OpenedDialog = 'top-up' | 'billing' | 'alert' | 'automatic' | 'switch-off' | 'remove-card';

/** The names of the forms. Their input survives a sign-in, and the page then opens their dialog again. */
export const FORMS = {
  'top-up': 'top-up',
  billing: 'billing',
  alert: 'balance-alert',
  automatic: 'automatic-top-up',
  'switch-off': 'switch-off',
  'remove-card': 'remove-card',
} as const;
