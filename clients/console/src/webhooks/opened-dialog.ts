import type {
  DeliveryView,
  WebhookSecretView,
  WebhookView,
} from '../../../../shared/webhooks/console/views.ts';
import type { Result } from '../api.ts';

export const CONFIRMED = ['rotate', 'enable', 'disable', 'remove'] as const;
export type Confirmed = (typeof CONFIRMED)[number];

export const ACTION_NAMES = {
  edit: 'Edit',
  rotate: 'Rotate secret',
  enable: 'Enable',
  disable: 'Disable',
  remove: 'Delete',
} as const satisfies Record<'edit' | Confirmed, string>;

/** The dialog that is open. A secret exists only here, until its dialog closes. */
export type OpenedDialog =
  | { readonly is: 'add' }
  | { readonly is: 'edit' | Confirmed; readonly endpoint: WebhookView }
  | { readonly is: 'secret'; readonly created: WebhookSecretView };

/** What was done last: an endpoint was changed, or a test was sent to it. Shown on its card until the next action. */
export interface LastAction {
  readonly of: string;
  /** Undefined: it was changed. */
  readonly tested?: Result<DeliveryView>;
}

/** Returns the name of a form. Its input survives a sign-in, and the page then opens its dialog again. */
export function formOf(is: string, endpoint?: WebhookView): string {
  return `webhook-${is}-${endpoint?.id ?? ''}`;
}
