import './switch.css';

interface SwitchProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly state: string;
  readonly isBusy: boolean;
  /** Undefined: the person may only see the state. */
  readonly onToggle: (() => void) | undefined;
}

export function Switch({ label, isOn, state, isBusy, onToggle }: SwitchProps) {
  if (!onToggle) return <span class={isOn ? 'badge good' : 'badge'}>{state}</span>;
  return (
    <button
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
