import { useSignal } from '@preact/signals';

interface CopyButtonProps {
  readonly text: string;
  /** The name of the copied text, for screen readers. */
  readonly about: string;
}

export function CopyButton({ text, about }: CopyButtonProps) {
  const confirmation = useSignal('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      confirmation.value = 'Copied';
    } catch {
      confirmation.value = 'Not copied. Select the text, then copy it yourself.';
    }
  };
  return (
    <span class="copy">
      <button type="button" class="button plain" onClick={copy}>
        Copy
        <span class="hidden"> {about}</span>
      </button>
      <span role="status">{confirmation.value}</span>
    </span>
  );
}
