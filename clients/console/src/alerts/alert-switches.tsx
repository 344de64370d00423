import { useSignal } from '@preact/signals';
import type { AlertKind } from '../../../../shared/alerts/alert.ts';
import type { ChangeAlertsBody } from '../../../../shared/alerts/console/bodies.ts';
import type { AlertSettings } from '../../../../shared/alerts/console/views.ts';
import { send } from '../api.ts';
import { Notice, ProblemNotice } from '../components/notice.tsx';
import { Switch } from '../components/switch.tsx';
import { useForm } from '../form.ts';
import { may, session } from '../session.ts';
import { alertsTexts } from '../texts.ts';

interface AlertSwitchesProps {
  readonly settings: AlertSettings;
  readonly onChange: (settings: AlertSettings) => void;
}

const KINDS = Object.keys(alertsTexts.kinds) as AlertKind[];

/** A switch for each kind of alert. Members who may not change the alerts see only the states. */
export function AlertSwitches({ settings, onChange }: AlertSwitchesProps) {
  const confirmation = useSignal('');
  return (
    <>
      {session.value !== undefined && !may('change-alerts') && (
        <Notice kind="information">
          <p>{alertsTexts.onlyManagers}</p>
        </Notice>
      )}
      <p class="hidden" role="status">
        {confirmation.value}
      </p>
      <ul class="card rows alerts">
        {KINDS.map((kind) => (
          <AlertSwitch
            key={kind}
            kind={kind}
            isOn={settings[kind]}
            onChange={(changed) => {
              onChange(changed);
              const { kinds, onNow, offNow } = alertsTexts;
              confirmation.value = (changed[kind] ? onNow : offNow)(kinds[kind].name);
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
  const { name, about } = alertsTexts.kinds[kind];
  const form = useForm(`alert-${kind}`, {});
  const toggle = async () => {
    const body: ChangeAlertsBody = { kind, is_enabled: !isOn };
    const result = await form.submit((keepInput) => send<AlertSettings>('PUT', '/alerts', body, keepInput));
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
        state={isOn ? alertsTexts.on : alertsTexts.off}
        isBusy={form.isSending.value}
        onToggle={may('change-alerts') ? toggle : undefined}
      />
    </li>
  );
}
