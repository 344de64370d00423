import type { NewKeyView } from '../../../../shared/accounts/console/views.ts';
import { Secret, SecretDialog } from '../components/secret-dialog.tsx';
import { Time } from '../components/time.tsx';
import { session } from '../session.ts';
import { curlLine, isLookUp } from './curl-line.ts';

interface NewKeyDialogProps {
  readonly created: NewKeyView;
  /** The time until which the replaced key works. Null: it no longer works. Undefined: no key was replaced. */
  readonly oldKeyUntil: string | null | undefined;
  readonly onClose: () => void;
}

export function NewKeyDialog({ created: { key, text }, oldKeyUntil, onClose }: NewKeyDialogProps) {
  const line = curlLine({ env: key.env, text, scopes: key.scopes, apiUrl: session.value?.api_url ?? '' });
  return (
    <SecretDialog
      title={oldKeyUntil === undefined ? 'Store the new key now' : 'Store the key that replaces the old one'}
      warning="The key is shown only once. Copy it to the secret store of your servers."
      label="API key"
      secret={text}
      stored="I have stored the key"
      done="Done"
      onClose={onClose}
    >
      {oldKeyUntil === null && <p>The old key no longer works.</p>}
      {oldKeyUntil && (
        <p>
          The old key works until <Time at={oldKeyUntil} />.
        </p>
      )}
      <h3>Try it</h3>
      <p>
        {isLookUp(line)
          ? 'Paste this command into a terminal. It looks up an invented record and costs one test credit.'
          : 'Paste this command into a terminal. It lists the banks, which is free, and shows that the key works.'}{' '}
        {key.addresses && 'Run it on a computer whose IP address the key allows.'}
      </p>
      <Secret label="command" text={line} />
    </SecretDialog>
  );
}
