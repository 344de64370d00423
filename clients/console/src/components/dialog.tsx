import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  /** Called when Escape is pressed, and by the buttons of the content. */
  readonly onClose: () => void;
  /** False while closing would lose something. Escape then does nothing. */
  readonly canClose?: boolean;
  readonly children: ComponentChildren;
}

/** The element that opened the dialog or the first of several in a row. */
let opener: Element | null = null;

function rememberOpener(): void {
  const { activeElement, body } = document;
  if (activeElement !== body || !opener?.isConnected) opener = activeElement;
}

/**
 * Returns the focus to the opener, or to the heading if the opener no longer exists, for example because its row was
 * removed.
 */
function giveFocusBack(): void {
  // Another dialog has opened after this one.
  if (document.querySelector('dialog')) return;
  const target = opener?.isConnected && opener !== document.body ? opener : document.querySelector('h1');
  // What the action has changed stays in view.
  if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  opener = null;
}

/** A modal dialog, open as long as it is rendered. */
export function Dialog({ title, onClose, canClose = true, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    rememberOpener();
    dialog.current?.showModal();
    // Otherwise, the focus would be lost when the dialog leaves the document.
    return () => {
      requestAnimationFrame(giveFocusBack);
    };
  }, []);
  const closed = () => {
    // On a phone, the second press of the back button closes a dialog even if the first one was prevented.
    if (!dialog.current) return;
    if (canClose) onClose();
    else dialog.current.showModal();
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // The owner of the dialog closes it by no longer rendering it.
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
