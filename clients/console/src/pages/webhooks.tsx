import { pageTitles } from '../shared-texts.ts';
import './webhooks.css';
import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import type { Environment } from '../../../../shared/core/environment.ts';
import type { WebhooksView } from '../../../../shared/webhooks/console/views.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Notice } from '../components/notice.tsx';
import { Data, Page } from '../components/page.tsx';
import { WEBHOOKS } from '../documentation.ts';
import { useEnvironment } from '../environment.ts';
import { keptInput } from '../form.ts';
import { useData } from '../loaded-data.ts';
import { pageIn } from '../page-address.ts';
import { documentationUrl, mayManage, session } from '../session.ts';
import { DeliveryList } from '../webhooks/delivery-list.tsx';
import { EndpointCard } from '../webhooks/endpoint-card.tsx';
import { CONFIRMED, formOf, type LastAction, type OpenedDialog } from '../webhooks/opened-dialog.ts';
import { WebhookDialogs } from '../webhooks/webhook-dialogs.tsx';

export default function Webhooks() {
  const env = useEnvironment();
  const data = useData<WebhooksView>(`/webhooks?env=${env}`);
  const opened = useSignal<OpenedDialog | undefined>(undefined);
  const last = useSignal<LastAction | undefined>(undefined);
  const open = (next: OpenedDialog | undefined) => {
    if (next) last.value = undefined;
    opened.value = next;
  };
  const showEdited = (of: string) => {
    last.value = { of };
  };
  return (
    <Page
      title={pageTitles.webhooks}
      lead={
        <>
          Your server receives a request when something happens, such as a low balance.{' '}
          <a href={documentationUrl(WEBHOOKS)}>How to receive and verify events</a>
        </>
      }
      action={
        data.state.value.is === 'loaded' &&
        mayManage(env) && (
          <Button kind="primary" onClick={() => open({ is: 'add' })}>
            Add endpoint
          </Button>
        )
      }
    >
      {session.value && !mayManage(env) && (
        <Notice kind="information">
          <p>Only owners and administrators can add, change or remove live endpoints.</p>
        </Notice>
      )}
      <Data data={data}>
        {(view) => (
          <>
            <Endpoints key={env} view={view} env={env} last={last} onOpen={open} onSent={data.reload} />
            {opened.value && (
              <WebhookDialogs
                env={env}
                eventTypes={view.event_types}
                opened={opened.value}
                onOpen={open}
                onChanged={data.reload}
                onEdited={showEdited}
              />
            )}
          </>
        )}
      </Data>
    </Page>
  );
}

interface EndpointsProps {
  readonly view: WebhooksView;
  readonly env: Environment;
  readonly last: Signal<LastAction | undefined>;
  readonly onOpen: (opened: OpenedDialog) => void;
  readonly onSent: () => void;
}

function Endpoints({ view, env, last, onOpen, onSent }: EndpointsProps) {
  const id = useRoute().query['id'];
  const sent = useSignal(0);
  useEffect(() => reopen(view, onOpen), []);
  const shownId = useRef(id);
  // The deliveries are far below the card of the endpoint on a phone.
  useEffect(() => {
    if (id === shownId.current) return;
    shownId.current = id;
    const heading = document.getElementById('deliveries') ?? document.querySelector('h1');
    heading?.focus({ preventScroll: true });
    heading?.scrollIntoView();
  }, [id]);
  const open = view.endpoints.find((one) => one.id === id);
  const shown = open ? [open] : view.endpoints;
  const isDeleted = last.value && !view.endpoints.some((one) => one.id === last.value?.of);
  return (
    <>
      {isDeleted && <Notice kind="success">The endpoint was deleted.</Notice>}
      {open && (
        <div class="toolbar">
          <ButtonLink href={pageIn(env, '/webhooks')}>All endpoints</ButtonLink>
        </div>
      )}
      {shown.map((endpoint) => (
        <EndpointCard
          key={endpoint.id}
          env={env}
          endpoint={endpoint}
          eventTypes={view.event_types}
          isOpen={endpoint === open}
          last={last.value?.of === endpoint.id ? last.value : undefined}
          onOpen={onOpen}
          onTested={(tested) => {
            last.value = { of: endpoint.id, tested };
            sent.value += 1;
            onSent();
          }}
        />
      ))}
      {shown.length === 0 && (
        <EmptyState title="No endpoints">
          <p>Add the address of your server, and choose the events that it receives.</p>
        </EmptyState>
      )}
      {open && (
        <DeliveryList
          key={`${open.id} ${sent.value}`}
          env={env}
          endpointId={open.id}
          onChanged={() => {
            last.value = undefined;
            onSent();
          }}
        />
      )}
    </>
  );
}

/** Reopens the dialog that the person left to sign in again. */
function reopen({ endpoints }: WebhooksView, onOpen: (opened: OpenedDialog) => void): void {
  if (keptInput(formOf('add'))) onOpen({ is: 'add' });
  for (const endpoint of endpoints)
    for (const is of ['edit', ...CONFIRMED] as const)
      if (keptInput(formOf(is, endpoint))) onOpen({ is, endpoint });
}
