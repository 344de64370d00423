import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

interface ShowMoreProps {
  /** Follows "Show" or "Hide". */
  readonly what?: ComponentChildren;
  readonly onOpen?: () => void;
  readonly children: ComponentChildren;
}

/** Content that a person opens and closes. */
export function ShowMore({ what, onOpen, children }: ShowMoreProps) {
  const isOpen = useSignal(false);
  return (
    <details
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
        if (isOpen.value) onOpen?.();
      }}
    >
      <summary>
        {isOpen.value ? 'Hide' : 'Show'}
        {what}
      </summary>
      {children}
    </details>
  );
}
