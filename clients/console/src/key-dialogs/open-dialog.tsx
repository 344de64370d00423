import type { KeyView } from '../../../../shared/accounts/console/views.ts';
import type { OpenedDialog } from '../keys/opened-dialog.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { RevokeKeyDialog } from './revoke-key-dialog.tsx';
import { RotateKeyDialog } from './rotate-key-dialog.tsx';

export interface OpenDialogProps {
  readonly scopes: readonly string[];
  readonly opened: OpenedDialog | undefined;
  readonly onOpen: (opened: OpenedDialog | undefined) => void;
  readonly onRevoked: (revoked: KeyView) => void;
  /** Called after the dialog with the new key is closed, so that nothing else happens while it is shown. */
  readonly onStored: (created: KeyView) => void;
}

export function OpenDialog({ scopes, opened, onOpen, onRevoked, onStored }: OpenDialogProps) {
  const close = () => onOpen(undefined);
  switch (opened?.is) {
    case 'create':
      return (
        <CreateKeyDialog
          scopes={scopes}
          onCreated={(created) => onOpen({ is: 'created', created })}
          onClose={close}
        />
      );
    case 'rotate':
      return (
        <RotateKeyDialog
          rotated={opened.key}
          onRotated={(created, oldKeyUntil) => onOpen({ is: 'created', created, oldKeyUntil })}
          onClose={close}
        />
      );
    case 'created':
      return (
        <NewKeyDialog
          created={opened.created}
          oldKeyUntil={opened.oldKeyUntil}
          onClose={() => {
            close();
            onStored(opened.created.key);
          }}
        />
      );
    case 'revoke':
      return (
        <RevokeKeyDialog
          revoked={opened.key}
          onRevoked={(revoked) => {
            onRevoked(revoked);
            close();
          }}
          onClose={close}
        />
      );
    default:
      return null;
  }
}
