import { useSignal } from '@preact/signals';
import type { Environment } from '../../../../shared/core/environment.ts';
import type { TestWebhookBody } from '../../../../shared/webhooks/console/bodies.ts';
import type { DeliveryView, WebhooksView, WebhookView } from '../../../../shared/webhooks/console/views.ts';
import type { Result } from '../api.ts';
import { Badge } from '../components/badge.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { SelectField } from '../components/field.tsx';
import { Notice, ProblemNotice } from '../components/notice.tsx';
import { Time } from '../components/time.tsx';
import { pageIn } from '../page-address.ts';
import { mayManage } from '../session.ts';
import { sharedTexts } from '../shared-texts.ts';
import { DeliveryState } from './delivery-state.tsx';
import { ACTION_NAMES, type LastAction, type OpenedDialog } from './opened-dialog.ts';
import { sendAndFollow } from './routes.ts';

const STATES = { ENABLED: 'Enabled', DISABLED: 'Disabled' };

interface EndpointCardProps {
  readonly env: Environment;
  readonly endpoint: WebhookView;
  readonly eventTypes: WebhooksView['event_types'];
  readonly isOpen: boolean;
  readonly onOpen: (opened: OpenedDialog) => void;
  readonly last: LastAction | undefined;
  readonly onTested: (tested: Result<DeliveryView>) => void;
}

export function EndpointCard(props: EndpointCardProps) {
  const { env, endpoint, isOpen, last, onOpen } = props;
  const { id, url, event_types, state, disabled_because, old_secret_until } = endpoint;
  const isEnabled = state === 'ENABLED';
  const button = (is: 'edit' | 'rotate' | 'enable' | 'disable' | 'remove') => (
    <Button
      kind={is === 'edit' || is === 'enable' ? 'plain' : 'removal'}
      about={url}
      onClick={() => onOpen({ is, endpoint })}
    >
      {ACTION_NAMES[is]}
    </Button>
  );
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>
        {url} <Badge kind={isEnabled ? 'good' : 'warning'}>{STATES[state]}</Badge>
      </h2>
      <p>{event_types.join(', ')}</p>
      {disabled_because === 'GONE' && (
        <p>
          The endpoint responded with 410, so it was disabled. Enable it again if it should receive events.
        </p>
      )}
      {old_secret_until && (
        <p>
          The old secret works until <Time at={old_secret_until} />.
        </p>
      )}
      {/* The list below shows it, and is newer. */}
      {!isOpen && <LastDelivery last={endpoint.last_delivery} />}
      {isEnabled && mayManage(env) && <SendTest {...props} />}
      {last && !last.tested && <Notice kind="success">The endpoint was changed.</Notice>}
      <div class="buttons">
        {!isOpen && <ButtonLink href={pageIn(env, '/webhooks', { id })}>Deliveries</ButtonLink>}
        {mayManage(env) && (
          <>
            {button('edit')}
            {!isEnabled && button('enable')}
            {button('rotate')}
            {isEnabled && button('disable')}
            {button('remove')}
          </>
        )}
      </div>
    </section>
  );
}

function LastDelivery({ last }: { readonly last: DeliveryView | null }) {
  if (!last) return <p>{sharedTexts.nothingSent}</p>;
  return (
    <p>
      Last delivery: {last.event_type}, <Time at={last.created_at} as="distance" />{' '}
      <DeliveryState shown={last} />
    </p>
  );
}

function SendTest({ env, endpoint, eventTypes, last, onTested }: EndpointCardProps) {
  const type = useSignal<NonNullable<TestWebhookBody['type']>>('test');
  const isSending = useSignal(false);
  const test = async () => {
    isSending.value = true;
    const body: TestWebhookBody = { env, type: type.value };
    const tested = await sendAndFollow(`/webhooks/${endpoint.id}/test`, body, endpoint.id);
    isSending.value = false;
    onTested(tested);
  };
  const tested = last?.tested;
  return (
    <>
      <div class="send-test">
        <SelectField
          name={`sample-${endpoint.id}`}
          label="Sample event"
          value={type.value}
          choices={(['test', ...eventTypes.map((one) => one.type)] as const).map((value) => ({
            value,
            label: value,
          }))}
          onChange={(chosen) => {
            type.value = chosen;
          }}
        />
        <Button about={endpoint.url} isBusy={isSending.value} onClick={test}>
          {isSending.value ? 'Sending…' : 'Send test'}
        </Button>
      </div>
      {tested?.ok && (
        <Notice kind={tested.data.state === 'DELIVERED' ? 'success' : 'error'}>
          <DeliveryState shown={tested.data} />
        </Notice>
      )}
      <ProblemNotice problem={tested?.ok === false ? tested.problem : undefined} />
    </>
  );
}
