import { useSignal } from '@preact/signals';
import type { ChangeServiceBody } from '../../../../shared/accounts/console/bodies.ts';
import type { ServiceView } from '../../../../shared/accounts/console/views.ts';
import { type Result, send } from '../api.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { ProblemNotice, RepeatNotice } from '../components/notice.tsx';
import { Switch } from '../components/switch.tsx';
import { keptInput, useForm } from '../form.ts';
import { formatNumber } from '../format.ts';
import { may } from '../session.ts';
import { SERVICE_TEXTS } from './service-texts.ts';

interface ServiceCardProps {
  readonly service: ServiceView;
  readonly onChange: (changed: ServiceView) => void;
}

export function nameOf({ name }: ServiceView): string {
  return SERVICE_TEXTS[name]?.name ?? name;
}

/** The name of the form. It survives a sign-in, and the card then asks again. */
const disableFormOf = ({ name }: ServiceView) => `disable-${name}`;

/**
 * A service with its switch, its price and the fields that it returns. Only switching off asks for confirmation,
 * because it stops live requests.
 */
export function ServiceCard({ service, onChange }: ServiceCardProps) {
  const { name, is_enabled } = service;
  const form = useForm(`service-${name}`, {});
  const isAsking = useSignal(keptInput(disableFormOf(service)) !== undefined);
  const change = (body: ChangeServiceBody) => () => send<ServiceView>('PUT', `/services/${name}`, body);
  const enable = async () => {
    const result = await form.submit(change({ is_enabled: true }));
    if (result?.ok) onChange(result.data);
  };
  const toggle = () => {
    if (is_enabled) isAsking.value = true;
    else enable();
  };
  const texts = SERVICE_TEXTS[name];
  return (
    <>
      <div class="card-head">
        <h3>{nameOf(service)}</h3>
        <Switch
          label={nameOf(service)}
          isOn={is_enabled}
          state={is_enabled ? 'On' : 'Off'}
          isBusy={form.isSending.value}
          isRestored={form.isRestored.value}
          onToggle={may('change-service') ? toggle : undefined}
        />
      </div>
      {texts && <p>{texts.about}</p>}
      <p class="price">{priceText(service)}</p>
      <ProblemNotice problem={form.problem.value} onRetry={toggle} />
      {form.isRestored.value && <RepeatNotice />}
      <Details service={service} />
      {isAsking.value && (
        <DisableDialog
          service={service}
          run={change({ is_enabled: false })}
          onChange={onChange}
          onClose={() => {
            isAsking.value = false;
          }}
        />
      )}
    </>
  );
}

interface DisableDialogProps extends ServiceCardProps {
  readonly run: () => Promise<Result<ServiceView>>;
  readonly onClose: () => void;
}

function DisableDialog({ service, run, onChange, onClose }: DisableDialogProps) {
  return (
    <ConfirmDialog<ServiceView>
      title={`Disable ${nameOf(service)}?`}
      action="Disable"
      name={disableFormOf(service)}
      subject={{}}
      needsRecentSignIn
      run={run}
      onDone={(changed) => {
        onClose();
        onChange(changed);
      }}
      onClose={onClose}
    >
      <p>Live requests for this service will get the error 401 SUBSCRIPTION_REQUIRED. Your price is kept.</p>
    </ConfirmDialog>
  );
}

function Details({ service: { name, returns } }: Pick<ServiceCardProps, 'service'>) {
  const texts = SERVICE_TEXTS[name];
  return (
    <>
      {texts && (
        <details>
          <summary>The consent that you need</summary>
          <p>{texts.consent}</p>
        </details>
      )}
      {returns.length > 0 && (
        <details>
          <summary>What it returns: {returns.length} fields</summary>
          <ul class="codes">
            {returns.map((field) => (
              <li key={field}>
                <code>{field}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function priceText({ name, price_credits }: ServiceView): string {
  const credits = `${formatNumber(price_credits)} ${price_credits === 1 ? 'credit' : 'credits'}`;
  return `${credits} for each ${name.endsWith('-slip') ? 'slip' : 'record found'}`;
}
