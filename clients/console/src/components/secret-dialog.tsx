import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';
import { Checkbox } from './field.tsx';
import { Notice } from './notice.tsx';

interface SecretDialogProps {
  readonly title: string;
  /** That it is shown once, and where it belongs. */
  readonly warning: string;
  /** What the secret is, for readers who do not see it. */
  readonly label: string;
  readonly secret: string;
  /** What the person confirms. */
  readonly stored: string;
  readonly done: string;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}

/** Shows a secret, once. It cannot be closed by accident: only after the person has confirmed to have stored it. */
export function SecretDialog(props: SecretDialogProps) {
  const { title, warning, label, secret, stored, done, onClose, children } = props;
  const isStored = useSignal(false);
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

/** A text to copy. It can also be selected by hand. */
export function Secret({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div class="secret">
      <code class="secret-text">{text}</code>
      <CopyButton text={text} about={label} />
    </div>
  );
}
