import type { ComponentChildren } from 'preact';
import type { Result } from '../api.ts';
import { useForm } from '../form.ts';
import { Dialog } from './dialog.tsx';
import { Form } from './form.tsx';
import { SignInHint } from './sign-in-hint.tsx';

interface ConfirmDialogProps<T> {
  readonly title: string;
  readonly children: ComponentChildren;
  /** The verb on the button, such as "Remove". */
  readonly action: string;
  readonly kind?: 'primary' | 'danger';
  readonly needsRecentSignIn?: boolean;
  /** The name of the dialog and what identifies its subject, so that the page can reopen it (`keptInput`). */
  readonly name: string;
  readonly subject: object;
  readonly run: () => Promise<Result<T>>;
  readonly onDone: (data: T) => void;
  readonly onClose: () => void;
}

export function ConfirmDialog<T>(props: ConfirmDialogProps<T>) {
  const { title, children, action, kind = 'danger', needsRecentSignIn, run, onDone, onClose } = props;
  const form = useForm(props.name, props.subject);
  const confirm = async () => {
    const result = await form.submit(run);
    if (result?.ok) onDone(result.data);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Form form={form} action={action} kind={kind} onSubmit={confirm} onCancel={onClose}>
        {children}
        {needsRecentSignIn && <SignInHint />}
      </Form>
    </Dialog>
  );
}
