import { useSignal } from '@preact/signals';
import type { Environment } from '../../../../shared/core/environment.ts';
import type { TestWebhookBody } from '../../../../shared/webhooks/console/bodies.ts';
import type { DeliveryView, WebhooksView, WebhookView } from '../../../../shared/webhooks/console/views.ts';
import type { Problem } from '../api.ts';
import { Badge } from '../components/badge.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { SelectField } from '../components/field.tsx';
import { Notice, ProblemNotice } from '../components/notice.tsx';
import { Time } from '../components/time.tsx';
import { pageIn } from '../page-address.ts';
import { mayManage } from '../session.ts';
import { sharedTexts } from '../shared-texts.ts';
import { DeliveryState } from './delivery-state.tsx';
import type { OpenedDialog } from './opened-dialog.ts';
import { ACTION_NAMES } from './opened-dialog.ts';
import { sendAndFollow } from './routes.ts';

const STATES = { ENABLED: 'Enabled', DISABLED: 'Disabled' };

interface EndpointCardProps {
  readonly env: Environment;
  readonly endpoint: WebhookView;
  readonly eventTypes: WebhooksView['event_types'];
  readonly isOpen: boolean;
  readonly onOpen: (opened: OpenedDialog) => void;
  readonly onSent: () => void;
}

export function EndpointCard({ env, endpoint, eventTypes, isOpen, onOpen, onSent }: EndpointCardProps) {
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
      {isEnabled && mayManage(env) && (
        <SendTest env={env} endpoint={endpoint} eventTypes={eventTypes} onSent={onSent} />
      )}
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

type SendTestProps = Pick<EndpointCardProps, 'env' | 'endpoint' | 'eventTypes' | 'onSent'>;

function SendTest({ env, endpoint, eventTypes, onSent }: SendTestProps) {
  const type = useSignal<NonNullable<TestWebhookBody['type']>>('test');
  const isSending = useSignal(false);
  const sent = useSignal<DeliveryView | undefined>(undefined);
  const problem = useSignal<Problem | undefined>(undefined);
  const test = async () => {
    isSending.value = true;
    const body: TestWebhookBody = { env, type: type.value };
    const result = await sendAndFollow(`/webhooks/${endpoint.id}/test`, body, endpoint.id);
    isSending.value = false;
    sent.value = result.ok ? result.data : undefined;
    problem.value = result.ok ? undefined : result.problem;
    onSent();
  };
  return (
    <>
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
      {sent.value && (
        <Notice kind={sent.value.state === 'DELIVERED' ? 'success' : 'error'}>
          <DeliveryState shown={sent.value} />
        </Notice>
      )}
      <ProblemNotice problem={problem.value} />
    </>
  );
}
