import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  /** Called by Escape and by the buttons of the content. */
  readonly onClose: () => void;
  /** False while closing would lose something: Escape then does nothing. */
  readonly canClose?: boolean;
  readonly children: ComponentChildren;
}

/** What opened the dialog, or the first of several dialogs that follow each other. */
let opener: Element | null = null;

function rememberOpener(): void {
  const { activeElement, body } = document;
  if (activeElement !== body || !opener?.isConnected) opener = activeElement;
}

/** Returns the focus to the opener, or to the heading if it is gone, for example with the row that was removed. */
function giveFocusBack(): void {
  // Another dialog has followed.
  if (document.querySelector('dialog')) return;
  const target = opener?.isConnected && opener !== document.body ? opener : document.querySelector('h1');
  if (target instanceof HTMLElement) target.focus();
  opener = null;
}

/** A modal dialog, open as long as it is rendered. */
export function Dialog({ title, onClose, canClose = true, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    rememberOpener();
    dialog.current?.showModal();
    // The dialog leaves the document now, which drops the focus.
    return () => {
      requestAnimationFrame(giveFocusBack);
    };
  }, []);
  const closed = () => {
    // The back button of a phone closes a dialog at its second press, even if the first one was refused.
    if (!dialog.current) return;
    if (canClose) onClose();
    else dialog.current.showModal();
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // The owner of the dialog closes it, by not rendering it any more.
        event.preventDefault();
        if (canClose) onClose();
      }}
      onClose={closed}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !canClose) event.preventDefault();
      }}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  );
}
