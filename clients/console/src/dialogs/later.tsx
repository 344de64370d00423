import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import { sharedTexts } from '../shared-texts.ts';

interface LaterProps<P> {
  readonly load: () => Promise<ComponentType<P>>;
  readonly props: P;
  /** Whether a dialog is open. If its code cannot be loaded, the page then says so. */
  readonly isOpen: boolean;
}

/** Shows the dialogs of a page. Their code is a separate file, requested when this component is first shown. */
export function Later<P extends object>({ load, props, isOpen }: LaterProps<P>) {
  const loaded = useSignal<{ readonly Dialog: ComponentType<P> } | undefined>(undefined);
  const hasFailed = useSignal(false);
  const start = async () => {
    hasFailed.value = false;
    try {
      loaded.value = { Dialog: await load() };
    } catch {
      hasFailed.value = true;
    }
  };
  useEffect(() => {
    start();
  }, []);
  if (loaded.value) return <loaded.value.Dialog {...props} />;
  if (!isOpen || !hasFailed.value) return null;
  return (
    <Notice kind="error">
      <p>This part of the page could not be loaded. Check your connection, then retry.</p>
      <Button onClick={start}>{sharedTexts.retry}</Button>
    </Notice>
  );
}
