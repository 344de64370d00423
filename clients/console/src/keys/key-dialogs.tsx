import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import type { OpenDialogProps } from '../key-dialogs/open-dialog.tsx';
import { keysTexts, sharedTexts } from '../texts.ts';

/** The dialogs are a file of their own, which is requested as soon as the list has appeared. */
export function KeyDialogs(props: OpenDialogProps) {
  const loaded = useSignal<{ readonly Dialog: ComponentType<OpenDialogProps> } | undefined>(undefined);
  const hasFailed = useSignal(false);
  const load = async () => {
    hasFailed.value = false;
    try {
      const { OpenDialog } = await import('../key-dialogs/open-dialog.tsx');
      loaded.value = { Dialog: OpenDialog };
    } catch {
      hasFailed.value = true;
    }
  };
  useEffect(() => {
    load();
  }, []);
  if (loaded.value) return <loaded.value.Dialog {...props} />;
  if (!props.opened || !hasFailed.value) return null;
  return (
    <Notice kind="error">
      <p>{keysTexts.dialogNotLoaded}</p>
      <Button onClick={load}>{sharedTexts.retry}</Button>
    </Notice>
  );
}
