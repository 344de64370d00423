import type { KeyView, NewKeyView } from '../../../../shared/accounts/console/views.ts';

/** The dialog that is open. The text of a new key exists only here, until its dialog closes. */
export type OpenedDialog =
  | { readonly is: 'create' }
  | { readonly is: 'edit' | 'rotate' | 'revoke'; readonly key: KeyView }
  | {
      readonly is: 'created';
      readonly created: NewKeyView;
      /** The time until which the replaced key works (ISO time). Null: it no longer works. */
      readonly oldKeyUntil?: string | null;
    };

/** The names of the forms. Their input survives a sign-in, and the page then opens their dialog again. */
export const CREATE_FORM = 'create-key';

export function editFormOf({ id }: KeyView): string {
  return `edit-key-${id}`;
}

export function rotateFormOf({ id }: KeyView): string {
  return `rotate-key-${id}`;
}

export function revokeFormOf({ id }: KeyView): string {
  return `revoke-key-${id}`;
}
