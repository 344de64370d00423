import type { KeyView } from '../../../../shared/accounts/console/views.ts';
import { send } from '../api.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { revokeFormOf } from '../keys/opened-dialog.ts';
import { LastUse } from './last-use.tsx';

interface RevokeKeyDialogProps {
  readonly revoked: KeyView;
  readonly onRevoked: (revoked: KeyView) => void;
  readonly onClose: () => void;
}

export function RevokeKeyDialog({ revoked, onRevoked, onClose }: RevokeKeyDialogProps) {
  return (
    <ConfirmDialog<KeyView>
      title={`Revoke ${revoked.label}?`}
      action="Revoke key"
      needsRecentSignIn={revoked.env === 'live'}
      name={revokeFormOf(revoked)}
      subject={{}}
      run={() => send('POST', `/keys/${revoked.id}/revoke`, {})}
      onDone={onRevoked}
      onClose={onClose}
    >
      <LastUse used={revoked} />
      <p>
        Programs that use this key get the error 401 INVALID_API_KEY from their next request on. This cannot
        be undone.
      </p>
    </ConfirmDialog>
  );
}
