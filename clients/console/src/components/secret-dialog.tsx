import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { stayHere } from '../stay-here.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';
import { Checkbox } from './field.tsx';
import { Notice } from './notice.tsx';

interface SecretDialogProps {
  readonly title: string;
  /** Says, for example, that the secret is shown only once. */
  readonly warning: string;
  /** The name of the secret, for screen readers. */
  readonly label: string;
  readonly secret: string;
  /** The text that the person confirms. */
  readonly stored: string;
  readonly done: string;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}

/**
 * Shows a secret once. To prevent accidents, the dialog can be closed only after the person has confirmed that they
 * stored the secret.
 */
export function SecretDialog(props: SecretDialogProps) {
  const { title, warning, label, secret, stored, done, onClose, children } = props;
  const isStored = useSignal(false);
  useEffect(() => (isStored.value ? undefined : stayHere()), [isStored.value]);
  return (
    <Dialog title={title} canClose={isStored.value} onClose={onClose}>
      <Notice kind="warning">
        <p>{warning}</p>
      </Notice>
      <Secret label={label} text={secret} />
      {children}
      <Checkbox
        name="stored"
        label={stored}
        isChecked={isStored.value}
        onChange={(isChecked) => {
          isStored.value = isChecked;
        }}
      />
      <div class="buttons">
        <Button kind="primary" isDisabled={!isStored.value} onClick={onClose}>
          {done}
        </Button>
      </div>
    </Dialog>
  );
}

/** Text to copy. It can also be selected by hand. */
export function Secret({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div class="secret">
      <code class="secret-text">{text}</code>
      <CopyButton text={text} about={label} />
    </div>
  );
}
