import type { NewKeyView } from '../../../../shared/accounts/console/views.ts';
import { Secret, SecretDialog } from '../components/secret-dialog.tsx';
import { Time } from '../components/time.tsx';
import { session } from '../session.ts';
import { keyDialogTexts } from '../texts.ts';
import { curlLine, isLookUp } from './curl-line.ts';

interface NewKeyDialogProps {
  readonly created: NewKeyView;
  /** The time until which the replaced key works. Null: it no longer works. Undefined: no key was replaced. */
  readonly oldKeyUntil: string | null | undefined;
  readonly onClose: () => void;
}

/** Shows a new key once, with a command that tries it. */
export function NewKeyDialog({ created: { key, text }, oldKeyUntil, onClose }: NewKeyDialogProps) {
  const line = curlLine({ env: key.env, text, scopes: key.scopes, apiUrl: session.value?.api_url ?? '' });
  return (
    <SecretDialog
      title={oldKeyUntil === undefined ? keyDialogTexts.createdTitle : keyDialogTexts.rotatedTitle}
      warning={keyDialogTexts.shownOnce}
      label={keyDialogTexts.key}
      secret={text}
      stored={keyDialogTexts.stored}
      done={keyDialogTexts.done}
      onClose={onClose}
    >
      {oldKeyUntil === null && <p>{keyDialogTexts.oldKeyStopped}</p>}
      {oldKeyUntil && (
        <p>
          {keyDialogTexts.oldKeyUntil} <Time at={oldKeyUntil} />.
        </p>
      )}
      <h3>{keyDialogTexts.tryIt}</h3>
      <p>
        {isLookUp(line) ? keyDialogTexts.tryLookUp : keyDialogTexts.tryFree}{' '}
        {key.addresses && keyDialogTexts.tryFrom}
      </p>
      <Secret label={keyDialogTexts.line} text={line} />
    </SecretDialog>
  );
}
