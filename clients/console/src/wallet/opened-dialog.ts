export type OpenedDialog = 'top-up' | 'billing' | 'alert';

/** The names of the forms. Their input survives a sign-in, and the page then opens their dialog again. */
export const FORMS = { 'top-up': 'top-up', billing: 'billing', alert: 'balance-alert' } as const;
