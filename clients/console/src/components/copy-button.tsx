import { useSignal } from '@preact/signals';
import { sharedTexts } from '../texts.ts';

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for readers who do not see what is next to the button. */
  readonly about: string;
  readonly onCopied?: () => void;
}

/** Copies a text, and confirms it in text. */
export function CopyButton({ text, about, onCopied }: CopyButtonProps) {
  const confirmation = useSignal('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      confirmation.value = sharedTexts.copied;
      onCopied?.();
    } catch {
      confirmation.value = sharedTexts.notCopied;
    }
  };
  return (
    <span class="copy">
      <button type="button" class="button plain" onClick={copy}>
        {sharedTexts.copy}
        <span class="hidden"> {about}</span>
      </button>
      <span role="status">{confirmation}</span>
    </span>
  );
}
