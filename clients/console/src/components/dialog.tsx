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
/** The row, card or group of buttons of the opener. */
let around: Element | null = null;

function rememberOpener(): void {
  const { activeElement, body } = document;
  if (activeElement === body && opener?.isConnected) return;
  opener = activeElement;
  around = activeElement?.closest('tr, li, .buttons, section') ?? null;
}

/**
 * Returns the focus to the opener. If it no longer exists, for example because what it disables is disabled, returns it
 * to the first control next to it, or to the heading if its row or card was removed too. The page stays where it is.
 */
function giveFocusBack(): void {
  // Another dialog has opened after this one.
  if (document.querySelector('dialog')) return;
  const [first] = around?.isConnected ? around.querySelectorAll('button, a') : [];
  const target = opener?.isConnected && opener !== document.body ? opener : first;
  if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  else document.querySelector('h1')?.focus();
  opener = around = null;
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
