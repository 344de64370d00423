import { useSignal } from '@preact/signals';
import type { AlertKind } from '../../../../shared/alerts/alert.ts';
import type { ChangeAlertsBody } from '../../../../shared/alerts/console/bodies.ts';
import type { AlertSettings } from '../../../../shared/alerts/console/views.ts';
import { send } from '../api.ts';
import { Notice, ProblemNotice } from '../components/notice.tsx';
import { Switch } from '../components/switch.tsx';
import { useForm } from '../form.ts';
import { isSignInOld, may, session } from '../session.ts';

const KINDS = {
  balance_low: {
    name: 'Low balance',
    about: 'The live wallet has fewer credits than your threshold, or none.',
  },
  key_expiring: { name: 'API key expiring', about: 'An API key expires in 30 days or in 7 days.' },
  registry_down: {
    name: 'Registry down',
    about: 'The registry of a service that you have enabled stops responding, or responds again.',
  },
  unusual_traffic: {
    name: 'Unusual traffic',
    about:
      'Many more look-ups than usual, many without a record, many rejected keys, or a live key used from a new network.',
  },
} satisfies Record<AlertKind, { name: string; about: string }>;

interface AlertSwitchesProps {
  readonly settings: AlertSettings;
  readonly onChange: (settings: AlertSettings) => void;
}

/** A switch for each kind of alert. Members who may not change the alerts see only the states. */
export function AlertSwitches({ settings, onChange }: AlertSwitchesProps) {
  const confirmation = useSignal('');
  return (
    <>
      {session.value !== undefined && !may('change-alerts') && (
        <Notice kind="information">
          <p>Only owners and administrators can choose the alerts.</p>
        </Notice>
      )}
      <p class="hidden" role="status">
        {confirmation.value}
      </p>
      {may('change-alerts') && isSignInOld() && (
        <p class="hint">You will be asked to sign in again before you can change an alert.</p>
      )}
      <ul class="card rows alerts">
        {(Object.keys(KINDS) as AlertKind[]).map((kind) => (
          <AlertSwitch
            key={kind}
            kind={kind}
            isOn={settings[kind]}
            onChange={(changed) => {
              onChange(changed);
              const { name } = KINDS[kind];
              confirmation.value = changed[kind]
                ? `${name}: you will now receive alerts.`
                : `${name}: you no longer receive alerts.`;
            }}
          />
        ))}
      </ul>
    </>
  );
}

interface AlertSwitchProps extends Pick<AlertSwitchesProps, 'onChange'> {
  readonly kind: AlertKind;
  readonly isOn: boolean;
}

function AlertSwitch({ kind, isOn, onChange }: AlertSwitchProps) {
  const { name, about } = KINDS[kind];
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
        <p>{about}</p>
        <ProblemNotice problem={form.problem.value} onRetry={toggle} />
      </div>
      <Switch
        label={name}
        isOn={isOn}
        state={isOn ? 'On' : 'Off'}
        isBusy={form.isSending.value}
        onToggle={may('change-alerts') ? toggle : undefined}
      />
    </li>
  );
}
