import type { Environment } from '../../../../shared/core/environment.ts';
import type { UpdateWebhookBody } from '../../../../shared/webhooks/console/bodies.ts';
import type {
  WebhookSecretView,
  WebhooksView,
  WebhookView,
} from '../../../../shared/webhooks/console/views.ts';
import { send } from '../api.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { SecretDialog } from '../components/secret-dialog.tsx';
import { EndpointDialog } from './endpoint-dialog.tsx';
import { ACTION_NAMES, type Confirmed, formOf, type OpenedDialog } from './opened-dialog.ts';

const CONFIRM_TEXTS = {
  rotate:
    'You get a new secret. For 24 hours, requests are signed with both secrets. Replace the old one within this time.',
  disable: 'It receives no more events. Waiting deliveries are cancelled when they are due.',
  enable: 'It receives new events from now on. You can resend cancelled deliveries.',
  remove: 'It receives no more events. This cannot be undone.',
};

interface WebhookDialogsProps {
  readonly env: Environment;
  readonly eventTypes: WebhooksView['event_types'];
  readonly opened: OpenedDialog;
  readonly onOpen: (opened: OpenedDialog | undefined) => void;
  /** Reads the endpoints again after a change. */
  readonly onChanged: () => Promise<void>;
  /** Called with the ID of the endpoint whose address or events were changed. */
  readonly onEdited: (id: string) => void;
}

export function WebhookDialogs(props: WebhookDialogsProps) {
  const { env, eventTypes, opened, onOpen, onChanged, onEdited } = props;
  const close = () => onOpen(undefined);
  const finish = () => {
    close();
    onChanged();
  };
  const showSecret = (created: WebhookSecretView) => onOpen({ is: 'secret', created });
  if (opened.is === 'secret')
    return (
      <SecretDialog
        title="Store the secret now"
        warning="The secret is shown only once. Your server uses it to verify the signatures of events."
        label="secret"
        secret={opened.created.secret}
        stored="I have stored the secret"
        done="Done"
        onClose={finish}
      />
    );
  if (opened.is === 'add' || opened.is === 'edit')
    return (
      <EndpointDialog
        env={env}
        eventTypes={eventTypes}
        endpoint={opened.is === 'edit' ? opened.endpoint : undefined}
        onAdded={showSecret}
        onEdited={(id) => {
          finish();
          onEdited(id);
        }}
        onClose={close}
      />
    );
  const { is, endpoint } = opened;
  const run = async () => {
    const result = await confirmed(env, is, endpoint);
    // Before the dialog closes, because the focus returns to a button that the change may replace.
    if (result.ok && !('secret' in result.data)) await onChanged();
    return result;
  };
  return (
    <ConfirmDialog<WebhookSecretView | WebhookView>
      title={`${ACTION_NAMES[is]}: ${new URL(endpoint.url).host}`}
      action={ACTION_NAMES[is]}
      kind={is === 'enable' ? 'primary' : 'danger'}
      needsRecentSignIn
      name={formOf(is, endpoint)}
      subject={{}}
      run={run}
      onDone={(data) => {
        if ('secret' in data) return showSecret(data);
        close();
        onEdited(endpoint.id);
      }}
      onClose={close}
    >
      <p>{CONFIRM_TEXTS[is]}</p>
    </ConfirmDialog>
  );
}

function confirmed(env: Environment, is: Confirmed, endpoint: WebhookView) {
  const { id, url, event_types } = endpoint;
  const path = `/webhooks/${id}`;
  if (is === 'rotate') return send<WebhookSecretView>('POST', `${path}/rotate`, { env });
  if (is === 'remove') return send<WebhookView>('POST', `${path}/delete`, { env });
  const body: UpdateWebhookBody = { env, url, event_types: [...event_types], is_enabled: is === 'enable' };
  return send<WebhookView>('PUT', path, body);
}
