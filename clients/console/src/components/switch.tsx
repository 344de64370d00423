import { useEffect, useRef } from 'preact/hooks';
import './switch.css';

interface SwitchProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly state: string;
  readonly isBusy: boolean;
  /** Whether a sign-in has interrupted the person who used the switch. It then gets the focus. */
  readonly isRestored: boolean;
  /** Undefined: the person may only see the state. */
  readonly onToggle: (() => void) | undefined;
}

export function Switch({ label, isOn, state, isBusy, isRestored, onToggle }: SwitchProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isRestored) button.current?.focus();
  }, [isRestored]);
  if (!onToggle) return <span class={isOn ? 'badge good' : 'badge'}>{state}</span>;
  return (
    <button
      ref={button}
      type="button"
      class="toggle"
      role="switch"
      aria-checked={isOn}
      aria-label={label}
      aria-disabled={isBusy ? 'true' : undefined}
      onClick={isBusy ? undefined : onToggle}
    >
      <span aria-hidden="true">{state}</span>
      <span class="toggle-track" aria-hidden="true" />
    </button>
  );
}
