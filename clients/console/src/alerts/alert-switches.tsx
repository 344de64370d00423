import { useSignal } from '@preact/signals';
import { ALERT_NAMES, type AlertKind } from '../../../../shared/alerts/alert-names.ts';
import type { ChangeAlertsBody } from '../../../../shared/alerts/console/bodies.ts';
import type { AlertSettings, AlertsView } from '../../../../shared/alerts/console/views.ts';
import { send } from '../api.ts';
import { ProblemNotice, RepeatNotice } from '../components/notice.tsx';
import { Switch } from '../components/switch.tsx';
import { useForm } from '../form.ts';
import { formatList } from '../format.ts';
import { isSignInOld } from '../session.ts';

const ABOUT = {
  balance_low: 'The live wallet has fewer credits than your threshold, or none.',
  automatic_top_up: 'Your saved card was charged, or could not be charged.',
  key_expiring: 'An API key expires in 30 days or in 7 days.',
  registry_down: 'The registry of a service that you have enabled stops responding, or responds again.',
  payment: 'A payment was added to the live wallet. The email has the number of the invoice.',
  unusual_traffic:
    'Many more look-ups than usual, many without a record, many rejected keys, or a live key used from a new network.',
} satisfies Record<AlertKind, string>;

interface AlertSwitchesProps {
  readonly view: AlertsView;
  readonly onChange: (settings: AlertSettings) => void;
}

/** A switch for each kind of email to the member. */
export function AlertSwitches({ view: { settings, recipients }, onChange }: AlertSwitchesProps) {
  const confirmation = useSignal('');
  return (
    <>
      <p class="hidden" role="status">
        {confirmation.value}
      </p>
      {isSignInOld() && <p class="hint">You will be asked to sign in again before you can change this.</p>}
      <ul class="card rows alerts">
        {(Object.keys(ABOUT) as AlertKind[]).map((kind) => (
          <AlertSwitch
            key={kind}
            kind={kind}
            isOn={settings[kind]}
            recipients={recipients[kind]}
            onChange={(changed) => {
              onChange(changed);
              const name = ALERT_NAMES[kind];
              confirmation.value = changed[kind]
                ? `${name}: you will now receive emails.`
                : `${name}: you no longer receive emails.`;
            }}
          />
        ))}
      </ul>
    </>
  );
}

interface AlertSwitchProps {
  readonly kind: AlertKind;
  readonly isOn: boolean;
  readonly recipients: readonly string[];
  readonly onChange: (settings: AlertSettings) => void;
}

function AlertSwitch({ kind, isOn, recipients, onChange }: AlertSwitchProps) {
  const name = ALERT_NAMES[kind];
  const form = useForm(`alert-${kind}`, {});
  const toggle = async () => {
    const body: ChangeAlertsBody = { kind, is_enabled: !isOn };
    const result = await form.submit(() => send<AlertSettings>('PUT', '/alerts', body));
    if (result?.ok) onChange(result.data);
  };
  return (
    <li>
      <div>
        <h3>{name}</h3>
        <p>{ABOUT[kind]}</p>
        <p class="small">
          {recipients.length > 0 ? `Also sent to ${formatList(recipients)}.` : 'Nobody else receives these.'}
        </p>
        <ProblemNotice problem={form.problem.value} onRetry={toggle} />
        {form.isRestored.value && <RepeatNotice />}
      </div>
      <Switch
        label={name}
        isOn={isOn}
        state={isOn ? 'On' : 'Off'}
        isBusy={form.isSending.value}
        isRestored={form.isRestored.value}
        onToggle={toggle}
      />
    </li>
  );
}
