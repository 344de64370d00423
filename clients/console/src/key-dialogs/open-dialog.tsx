import type { KeyView } from '../../../../shared/accounts/console/views.ts';
import type { OpenedDialog } from '../keys/opened-dialog.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { EditKeyDialog } from './edit-key-dialog.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { RevokeKeyDialog } from './revoke-key-dialog.tsx';
import { RotateKeyDialog } from './rotate-key-dialog.tsx';

export interface OpenDialogProps {
  readonly scopes: readonly string[];
  readonly opened: OpenedDialog | undefined;
  readonly onOpen: (opened: OpenedDialog | undefined) => void;
  /** Called after a key was edited or revoked. */
  readonly onChanged: (changed: KeyView, how: 'changed' | 'revoked') => void;
  /** Called after the dialog with the new key is closed, so that nothing else happens while it is shown. */
  readonly onStored: (created: KeyView) => void;
}

export function OpenDialog({ scopes, opened, onOpen, onChanged, onStored }: OpenDialogProps) {
  const close = () => onOpen(undefined);
  const changed = (how: 'changed' | 'revoked') => (key: KeyView) => {
    onChanged(key, how);
    close();
  };
  switch (opened?.is) {
    case 'create':
      return (
        <CreateKeyDialog
          scopes={scopes}
          onCreated={(created) => onOpen({ is: 'created', created })}
          onClose={close}
        />
      );
    case 'edit':
      return (
        <EditKeyDialog edited={opened.key} scopes={scopes} onEdited={changed('changed')} onClose={close} />
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
      return <RevokeKeyDialog revoked={opened.key} onRevoked={changed('revoked')} onClose={close} />;
    default:
      return null;
  }
}
