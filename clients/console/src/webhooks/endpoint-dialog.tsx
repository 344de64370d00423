import type { Environment } from '../../../../shared/core/environment.ts';
import type { AddWebhookBody } from '../../../../shared/webhooks/console/bodies.ts';
import type {
  WebhookSecretView,
  WebhooksView,
  WebhookView,
} from '../../../../shared/webhooks/console/views.ts';
import { send } from '../api.ts';
import { Dialog } from '../components/dialog.tsx';
import { Checkbox, FieldError, TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { SignInHint } from '../components/sign-in-hint.tsx';
import { type Form as FormState, useForm } from '../form.ts';
import { formOf } from './opened-dialog.ts';

type EndpointInput = Omit<AddWebhookBody, 'env'>;

interface EndpointDialogProps {
  readonly env: Environment;
  readonly eventTypes: WebhooksView['event_types'];
  /** Undefined for a new endpoint. */
  readonly endpoint: WebhookView | undefined;
  readonly onAdded: (created: WebhookSecretView) => void;
  readonly onEdited: (id: string) => void;
  readonly onClose: () => void;
}

export function EndpointDialog({
  env,
  eventTypes,
  endpoint,
  onAdded,
  onEdited,
  onClose,
}: EndpointDialogProps) {
  const form = useForm<EndpointInput>(formOf(endpoint ? 'edit' : 'add', endpoint), {
    url: endpoint?.url ?? '',
    event_types: [...(endpoint?.event_types ?? [])],
  });
  const input = form.values.value;
  const save = async () => {
    if (input.event_types.length === 0) return form.reject('event_types', 'Choose at least one event.');
    const body = { env, ...input };
    if (endpoint) {
      const changed = { ...body, is_enabled: endpoint.state === 'ENABLED' };
      const path = `/webhooks/${endpoint.id}`;
      if ((await form.submit(() => send('PUT', path, changed)))?.ok) onEdited(endpoint.id);
      return;
    }
    const add = () => send<WebhookSecretView>('POST', '/webhooks', body);
    const added = await form.submit(add);
    if (added?.ok) onAdded(added.data);
  };
  return (
    <Dialog title={endpoint ? 'Edit the endpoint' : 'Add an endpoint'} onClose={onClose}>
      <Form form={form} action={endpoint ? 'Save' : 'Add endpoint'} onSubmit={save} onCancel={onClose}>
        <TextField
          name="url"
          label="Address"
          hint="An https:// address that is reachable from the internet."
          value={input.url}
          maxLength={1000}
          isCode
          error={form.errorOf('url')}
          onInput={(url) => form.set('url', url)}
        />
        <EventField form={form} eventTypes={eventTypes} />
        <SignInHint />
      </Form>
    </Dialog>
  );
}

interface EventFieldProps {
  readonly form: FormState<EndpointInput>;
  readonly eventTypes: WebhooksView['event_types'];
}

function EventField({ form, eventTypes }: EventFieldProps) {
  const chosen = form.values.value.event_types;
  return (
    <fieldset class="field" aria-describedby="field-event_types-error">
      <legend>Events</legend>
      <FieldError id="field-event_types-error" error={form.errorOf('event_types')} />
      {eventTypes.map(({ type, about }) => (
        <Checkbox
          key={type}
          name={`event-${type}`}
          label={type}
          hint={about}
          isChecked={chosen.includes(type)}
          onChange={(isChosen) => {
            const others = chosen.filter((one) => one !== type);
            form.set('event_types', isChosen ? [...others, type] : others);
          }}
        />
      ))}
    </fieldset>
  );
}
