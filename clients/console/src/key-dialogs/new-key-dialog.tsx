import { useSignal } from '@preact/signals';
import type { NewKeyView } from '../../../../shared/console/views.ts';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Checkbox } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import { Time } from '../components/time.tsx';
import { session } from '../session.ts';
import { keyDialogTexts } from '../texts.ts';
import { curlLine, isLookUp } from './curl-line.ts';

interface NewKeyDialogProps {
  readonly created: NewKeyView;
  /** Until when the key works that this one replaces. Null: it has stopped. Undefined: there is none. */
  readonly oldKeyUntil: string | null | undefined;
  readonly onClose: () => void;
}

/** Shows a new key, once. It cannot be closed by accident: only after the person has confirmed to have stored it. */
export function NewKeyDialog({ created: { key, text }, oldKeyUntil, onClose }: NewKeyDialogProps) {
  const isStored = useSignal(false);
  const line = curlLine({ env: key.env, text, scopes: key.scopes, apiUrl: session.value?.api_url ?? '' });
  return (
    <Dialog
      title={oldKeyUntil === undefined ? keyDialogTexts.createdTitle : keyDialogTexts.rotatedTitle}
      canClose={isStored.value}
      onClose={onClose}
    >
      <Notice kind="warning">
        <p>{keyDialogTexts.shownOnce}</p>
      </Notice>
      <Secret label={keyDialogTexts.key} text={text} />
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
      <Checkbox
        name="stored"
        label={keyDialogTexts.stored}
        isChecked={isStored.value}
        onChange={(isChecked) => {
          isStored.value = isChecked;
        }}
      />
      <div class="buttons">
        <Button kind="primary" isDisabled={!isStored.value} onClick={onClose}>
          {keyDialogTexts.done}
        </Button>
      </div>
    </Dialog>
  );
}

/** A text to copy. It can also be selected by hand. */
function Secret({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div class="secret">
      <code class="secret-text">{text}</code>
      <CopyButton text={text} about={label} />
    </div>
  );
}
